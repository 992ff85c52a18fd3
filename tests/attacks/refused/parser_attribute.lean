-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a parser by its attribute
--- auxiliary
@[term_parser] def mine : Lean.Parser.Parser := sorry
--- proof
rfl
