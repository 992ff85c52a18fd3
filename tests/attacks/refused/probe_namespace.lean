-- verdict: incomplete
-- target: Vault.Closed.secret
-- trick: the probe's name inside the namespace
--- auxiliary
theorem VsbProbe.target (n : Nat) : True := trivial
--- proof
sorry
