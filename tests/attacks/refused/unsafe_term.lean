-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: unsafe code in a term
--- proof
unsafe (unsafeCast ())
