-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a string with a term in it behind a word without `!`
--- auxiliary
#check_failure (dbg_trace "{"/-"}"; 0)
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
-- -/
--- proof
lie n
