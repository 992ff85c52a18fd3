-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an axiom after an honest lemma on the same line
--- auxiliary
theorem honest : True := trivial axiom magic (n : Nat) : double n = n
--- proof
magic n
