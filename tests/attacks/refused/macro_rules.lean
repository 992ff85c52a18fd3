-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: new rules for the repository's syntax
--- auxiliary
macro_rules | `(double $n) => `($n)
--- proof
by rfl
