-- verdict: accepted
-- target: Vault.ascription
-- trick: bullets
--- proof
by
  constructor
  · rfl
  . rfl
