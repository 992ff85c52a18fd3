-- verdict: unsound
-- target: Vault.Closed.empty_weight
-- trick: the same by a local instance
--- auxiliary
def lighter : Weighed Nat := ⟨fun _ => 0⟩
attribute [local instance] lighter
--- proof
by show 0 + _ = _; simp
