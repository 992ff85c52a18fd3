-- verdict: accepted
-- target: Vault.total_cons
-- trick: induction with alternatives
--- proof
by
  induction xs generalizing x with
  | nil => rfl
  | cons y ys ih => rfl
