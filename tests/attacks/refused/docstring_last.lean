-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: a docstring at the end, for the target
--- auxiliary
/-- mine -/
--- proof
rfl
