-- verdict: accepted
-- target: Vault.double_two
-- trick: line ends of another system
-- alone: yes
--- auxiliary
theorem one : double 1 = 2 := by
  rfl
--- proof
by
  show double 2 = 4
  rfl
