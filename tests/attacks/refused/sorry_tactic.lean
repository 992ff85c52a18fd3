-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: sorry deep inside a structured proof
--- proof
by
  cases n with
  | zero => rfl
  | succ n => sorry
