-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same attribute, given later and in a list
--- auxiliary
def one (_ : Nat) : Nat := 1
def two (_ : Nat) : Nat := 2
attribute [local simp, implemented_by one] two
--- proof
rfl
