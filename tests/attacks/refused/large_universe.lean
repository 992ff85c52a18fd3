-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: a type that holds all types of its own universe
--- auxiliary
structure Box : Type where
  content : Type
--- proof
by simp
