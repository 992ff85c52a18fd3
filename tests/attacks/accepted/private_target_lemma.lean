-- verdict: accepted
-- target: Vault.hidden
-- trick: a private target, by a lemma of the same words
--- auxiliary
theorem helper (n : Nat) : double (n + 1) = double n + 2 := by
  rfl
--- proof
helper n
