-- verdict: accepted
-- target: Vault.double_two
-- trick: an instance that the statement does not use
--- auxiliary
instance : Weighed Bool := ⟨fun _ => 1⟩
--- proof
rfl
