-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: sorry as a term
--- proof
sorry
