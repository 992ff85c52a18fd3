-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: a comment left open in the proof
--- proof
sorry /- 
