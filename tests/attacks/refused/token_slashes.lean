-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the token `//` takes the first character of what looks like a comment
--- auxiliary
theorem harmless (y : {x : Nat //-(1:Int) = -1}) : True := trivial
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
-- -/
--- proof
lie n
