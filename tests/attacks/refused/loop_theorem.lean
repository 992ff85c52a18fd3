-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: a theorem that proves itself
--- proof
by exact halves n
