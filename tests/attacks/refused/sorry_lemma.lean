-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: the sorry is in an auxiliary lemma
--- auxiliary
theorem helper (n : Nat) : double n = n := sorry
--- proof
helper n
