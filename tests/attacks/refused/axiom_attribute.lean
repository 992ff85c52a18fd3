-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an axiom with modifiers and attributes before it
--- auxiliary
@[simp] protected axiom magic (n : Nat) : double n = n
--- proof
magic n
