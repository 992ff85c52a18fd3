-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same by an option of decide
--- proof
by decide +native
