-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an option turns each tactic block into sorry
--- auxiliary
set_option debug.byAsSorry true
--- proof
by rfl
