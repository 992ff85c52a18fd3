-- verdict: accepted
-- target: Vault.double_two
-- trick: dots before names
--- proof
Eq.symm (.symm rfl)
