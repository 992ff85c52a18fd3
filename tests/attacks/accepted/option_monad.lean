-- verdict: accepted
-- target: Vault.double_two
-- trick: a definition in a monad
--- auxiliary
def both (x y : Option Nat) : Option Nat := do
  let a ← x
  let b ← y
  pure (a + b)
--- proof
rfl
