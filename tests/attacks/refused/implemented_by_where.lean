-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same attribute on a local declaration
--- proof
rfl
where
  one (_ : Nat) : Nat := 1
  @[implemented_by one] two (_ : Nat) : Nat := 2
