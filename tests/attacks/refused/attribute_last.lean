-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: an attribute at the end, for the target
--- auxiliary
@[irreducible]
--- proof
rfl
