-- verdict: accepted
-- target: Vault.double_two
-- trick: a calculation
--- proof
calc double 2 = double 1 + 2 := rfl
  _ = 4 := rfl
