-- verdict: accepted
-- target: Vault.double_two
-- trick: names in other alphabets
--- auxiliary
theorem ηβ : double 2 = 4 := rfl
theorem «größe ℝ» : True := trivial
--- proof
by
  have h₁ : double 2 = 4 := ηβ
  exact h₁
