-- verdict: accepted
-- target: Vault.double_two
-- trick: variable … in before a lemma
--- auxiliary
variable (n : Nat) in
theorem again : double n = double n := rfl
--- proof
rfl
