-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: #eval runs code
--- auxiliary
#eval IO.println "accepted"
--- proof
rfl
