-- verdict: forbidden
-- target: Vault.ascription
-- trick: an operator of the repository is given a new meaning
--- auxiliary
infixl:65 " ⊞ " => fun (m n : Nat) => m
--- proof
⟨rfl, rfl⟩
