-- verdict: accepted
-- target: Vault.double_two
-- trick: open … in before a lemma
--- auxiliary
theorem Own.two : double 2 = 4 := rfl
open Own in
theorem Own.three : double 2 = 4 := two
--- proof
Own.three
