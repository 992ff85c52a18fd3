-- verdict: accepted
-- target: Vault.double_two
-- trick: a lemma in the simp set, and out of it again
--- auxiliary
@[simp] theorem two : double 2 = 4 := rfl
attribute [-simp] two
attribute [local simp] two
--- proof
by
  simp only [two]
