-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a definition is replaced by C
--- auxiliary
@[extern "lean_nat_sub"] def two (a b : Nat) : Nat := a + b
--- proof
rfl
