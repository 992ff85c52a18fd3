-- verdict: accepted
-- target: Vault.total_cons
-- trick: a target that uses its section's variables
--- proof
by
  show Weighed.weight x + total xs = _
  rfl
