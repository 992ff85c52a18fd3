-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: the sorry is in a local declaration
--- proof
helper n
where
  helper (k : Nat) : double k = k := sorry
