-- verdict: accepted
-- target: Vault.double_two
-- trick: a definition by choice
--- auxiliary
noncomputable def some_number (h : ∃ n : Nat, double n = 4) : Nat := Classical.choose h
--- proof
rfl
