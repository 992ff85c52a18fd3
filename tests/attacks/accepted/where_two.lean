-- verdict: accepted
-- target: Vault.double_two
-- trick: two local declarations, one with a comment
--- proof
first.trans second
where
  /-- the first -/
  first : double 2 = 4 := rfl
  -- the second
  second : 4 = 4 := rfl
