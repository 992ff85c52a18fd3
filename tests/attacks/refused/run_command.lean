-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: run_cmd runs code
--- auxiliary
run_cmd Lean.logInfo "accepted"
--- proof
rfl
