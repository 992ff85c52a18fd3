-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an opaque constant, whose value could be anything
--- auxiliary
opaque magic (n : Nat) : double n = n
--- proof
magic n
