-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: the auxiliary text opens a comment that the proof closes
--- auxiliary
theorem honest : True := trivial /-
--- proof
-/ theorem halves (n : Nat) : double n = double n := rfl
