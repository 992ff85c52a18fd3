-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an axiom of the candidate's own
--- auxiliary
axiom magic (n : Nat) : double n = n
--- proof
magic n
