-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a token of the repository that ends in r takes that of a raw string
--- auxiliary
def one : String := "a" +r"\" "
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
def two := " " -- "
--- proof
lie n
