-- verdict: incomplete or rejected
-- target: Vault.Closed.halves
-- trick: a search for a proof is left in
--- proof
by exact?
