-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: eval% runs code
--- proof
eval% (1 : Nat)
