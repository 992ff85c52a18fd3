-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a definition runs as another one
--- auxiliary
def one (_ : Nat) : Nat := 1
@[implemented_by one] def two (_ : Nat) : Nat := 2
--- proof
rfl
