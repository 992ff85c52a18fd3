-- verdict: unsound
-- target: Vault.Closed.empty_weight
-- trick: the repository's instance is taken away and another put in its place
--- auxiliary
attribute [-instance] instWeighedNat
instance : Weighed Nat := ⟨fun _ => 0⟩
--- proof
(Nat.zero_add _)
