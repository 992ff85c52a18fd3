-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: the target is declared before the target
--- auxiliary
theorem halves : True := trivial
--- proof
rfl
