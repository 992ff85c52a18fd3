-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a simproc runs code
--- auxiliary
simproc mine (double _) := fun _ => return .continue
--- proof
by simp
