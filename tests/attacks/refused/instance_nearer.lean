-- verdict: unsound
-- target: Vault.Closed.empty_weight
-- trick: a newer instance changes what a constant means
--- auxiliary
instance (priority := high) lighter : Weighed Nat := ⟨fun _ => 0⟩
--- proof
Nat.zero_add _
