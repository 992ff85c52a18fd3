-- verdict: accepted
-- target: Vault.ascription
-- trick: anonymous constructors in each other
--- proof
⟨rfl, (⟨rfl⟩ : Nonempty (n ⊞ 0 = double n)).elim id⟩
