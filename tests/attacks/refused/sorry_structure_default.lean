-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: a structure's default value is sorry
--- auxiliary
structure Proof : Prop where
  it : ∀ n : Nat, double n = n := sorry
--- proof
({} : Proof).it n
