-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: prelude in the middle
--- auxiliary
prelude
--- proof
rfl
