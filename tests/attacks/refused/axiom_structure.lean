-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: the same as a structure's default value
--- auxiliary
structure Believed where
  proof : ∀ n, double n = n := oracle _
--- proof
(({} : Believed).proof n)
