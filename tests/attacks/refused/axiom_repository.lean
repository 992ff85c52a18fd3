-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: an axiom of the repository proves everything
--- proof
oracle _
