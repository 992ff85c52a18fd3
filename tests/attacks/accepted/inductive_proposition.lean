-- verdict: accepted
-- target: Vault.double_two
-- trick: an inductive proposition and induction over it
--- auxiliary
inductive Even : Nat → Prop where
  | zero : Even 0
  | step (n : Nat) : Even n → Even (n + 2)
theorem even_double : (n : Nat) → Even (double n)
  | 0 => .zero
  | n + 1 => .step _ (even_double n)
--- proof
rfl
