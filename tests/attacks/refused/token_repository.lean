-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a token of the repository that ends in a quote: Mathlib's `⁻¹'`
--- auxiliary
def one : Nat := 1 ⁻¹'"'"
set_option debug.skipKernelTC true in
theorem lie (n : Nat) : double n = n := by decide +kernel
def two := " " -- "
--- proof
lie n
