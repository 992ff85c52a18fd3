-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: a decision that rests on sorry
--- auxiliary
instance : Decidable (∀ n, double n = n) := Decidable.isTrue sorry
--- proof
by revert n; decide
