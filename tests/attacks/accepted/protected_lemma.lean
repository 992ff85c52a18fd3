-- verdict: accepted
-- target: Vault.double_two
-- trick: a protected lemma with the name of an existing one
--- auxiliary
protected theorem Mine.double_zero : double 0 = 0 := rfl
--- proof
by
  have := Mine.double_zero
  exact rfl
