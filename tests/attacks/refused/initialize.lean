-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: initialize runs code on import
--- auxiliary
initialize IO.println "accepted"
--- proof
rfl
