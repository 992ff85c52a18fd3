-- verdict: accepted
-- target: Vault.double_two
-- trick: an abbreviation and a reducible definition
--- auxiliary
abbrev Number := Nat
@[reducible] def Count := Nat
theorem number (n : Number) : n = n := rfl
--- proof
rfl
