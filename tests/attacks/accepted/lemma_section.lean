-- verdict: accepted
-- target: Vault.double_two
-- trick: lemmas in a section with variables
--- auxiliary
section Own
variable (n : Nat)
theorem two : double (n + 2) = double n + 2 + 2 := rfl
end Own
--- proof
two 0
