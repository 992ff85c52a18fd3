-- verdict: accepted
-- target: Vault.double_two
-- trick: a recursive definition with a termination argument
--- auxiliary
def half : Nat → Nat
  | 0 => 0
  | 1 => 0
  | n + 2 => half n + 1
termination_by n => n
--- proof
rfl
