-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: a comment left open swallows the statement
--- auxiliary
theorem honest : True := trivial
/- from here on
--- proof
rfl
