-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: the same in a local declaration
--- proof
helper n
where
  helper (n : Nat) : double n = n := oracle _
