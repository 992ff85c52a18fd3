-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: the same as a constructor's default argument
--- auxiliary
inductive Believed : Prop where
  | intro (h : ∀ n, double n = n := oracle _)
--- proof
match Believed.intro with
  | .intro h => h n
