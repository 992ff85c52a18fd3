-- verdict: accepted
-- target: Vault.double_two
-- trick: local declarations
-- alone: yes
--- proof
by exact helper
where
  helper : double 2 = 4 := rfl
