-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a definition takes the name of one of the runtime's functions
--- auxiliary
@[export lean_nat_add]
def add (m n : Nat) : Nat := m
--- proof
rfl
