-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same attribute between «»
--- auxiliary
def one (_ : Nat) : Nat := 1
@[simp, «implemented_by» one] def two (_ : Nat) : Nat := 2
--- proof
rfl
