-- verdict: accepted
-- target: Vault.double_two
-- trick: fields with the names of commands
--- auxiliary
structure Range where
  start : Nat
  «end» : Nat
  «open» : Bool
def Range.size (r : Range) : Nat := r.end - r.start
--- proof
rfl
