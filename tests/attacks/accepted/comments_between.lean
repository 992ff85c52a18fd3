-- verdict: accepted
-- target: Vault.double_two
-- trick: comments between all tokens
--- proof
by /- a -/ exact /- b /- c -/ -/ -- d
  (rfl /- e -/ : /- f -/ double /- g -/ 2 = 4) -- h
