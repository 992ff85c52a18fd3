-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: an axiom of the repository through a lemma
--- auxiliary
theorem helper (n : Nat) : double n = n := oracle _
--- proof
helper n
