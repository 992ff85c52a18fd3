-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: admit is sorry by another name
--- proof
by admit
