-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: nothing
--- proof
  
