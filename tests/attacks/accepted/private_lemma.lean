-- verdict: accepted
-- target: Vault.double_two
-- trick: a private lemma
--- auxiliary
private theorem two : double 2 = 4 := rfl
--- proof
two
