-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a character that is a line break, and one that is a quote
--- auxiliary
def pair (_ : Char × Char) : Nat := 0
def one : Nat := pair ('
','"')
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
def two := " " -- "
--- proof
lie n
