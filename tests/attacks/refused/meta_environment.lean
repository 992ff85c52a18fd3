-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a command changes a definition in the environment
--- auxiliary
run_cmd do
  Lean.modifyEnv fun env => env.setExporting false
--- proof
rfl
