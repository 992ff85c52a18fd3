-- verdict: accepted
-- target: Vault.double_two
-- trick: a command that only shows something
--- auxiliary
theorem one : double 1 = 2 := rfl
#check one
#print axioms one
--- proof
rfl
