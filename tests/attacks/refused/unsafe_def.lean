-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: unsafe code
--- auxiliary
unsafe def loop : False := loop
--- proof
rfl
