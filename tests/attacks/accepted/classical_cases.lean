-- verdict: accepted
-- target: Vault.double_two
-- trick: cases by classical logic
--- proof
by
  cases Classical.em (double 2 = 4) with
  | inl h => exact h
  | inr h => exact absurd rfl h
