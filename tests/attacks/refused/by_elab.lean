-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a term that runs code
--- proof
by_elab return default
