-- verdict: accepted
-- target: Vault.double_two
-- trick: a derived decision procedure
--- auxiliary
inductive Colour where
  | red | blue
deriving DecidableEq
--- proof
by
  have : ¬ Colour.red = Colour.blue := by decide
  decide
