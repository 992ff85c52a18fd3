-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a comment in the term of a string hides a quote
--- auxiliary
def a := s!"{/- " -/ 1}"
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
def b := " -- "
--- proof
lie n
