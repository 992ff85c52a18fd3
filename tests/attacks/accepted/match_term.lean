-- verdict: accepted
-- target: Vault.double_two
-- trick: a match in the proof
--- proof
match (⟨rfl⟩ : Nonempty (double 2 = 4)) with
| ⟨h⟩ => h
