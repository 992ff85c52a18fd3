-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: a variable takes the name of the statement's constant
--- auxiliary
variable (double : Nat → Nat) (h : ∀ n, double n = n)
include h
--- proof
h n
