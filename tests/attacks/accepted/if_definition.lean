-- verdict: accepted
-- target: Vault.double_two
-- trick: a decision in a definition
--- auxiliary
def clamp (n : Nat) : Nat := if n < 4 then n else 4
theorem clamp_four : clamp 4 = 4 := rfl
--- proof
rfl
