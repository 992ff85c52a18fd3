-- verdict: accepted
-- target: Vault.double_two
-- trick: a recursion with its own termination proof
--- auxiliary
def down (n : Nat) : Nat :=
  if h : n = 0 then 0 else down (n - 1)
termination_by n
decreasing_by exact Nat.sub_lt (Nat.pos_of_ne_zero h) Nat.one_pos
--- proof
rfl
