-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: the proof goes on with a second theorem
--- proof
by sorry
theorem halves' : True := trivial
