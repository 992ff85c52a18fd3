-- verdict: accepted
-- target: Vault.double_two
-- trick: a function by alternatives
--- proof
(fun | 0, h => h | _ + 1, h => h : (n : Nat) → double 2 = 4 → double 2 = 4) 0 rfl
