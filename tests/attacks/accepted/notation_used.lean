-- verdict: accepted
-- target: Vault.ascription
-- trick: the repository's notation in a lemma
--- auxiliary
theorem helper (n : Nat) : (double n : Nat) = double n ∧ n ⊞ 0 = double n :=
  ⟨rfl, rfl⟩
--- proof
helper n
