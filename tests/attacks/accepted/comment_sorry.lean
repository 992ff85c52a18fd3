-- verdict: accepted
-- target: Vault.double_two
-- trick: the word sorry in comments
--- proof
by
  -- no sorry here, nor native_decide, axiom, #eval
  rfl /- sorry -/
