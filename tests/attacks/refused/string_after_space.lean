-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a string with a term in it, with a space before its quote
--- auxiliary
#check_failure s! "{"/-"}"
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
-- -/
--- proof
lie n
