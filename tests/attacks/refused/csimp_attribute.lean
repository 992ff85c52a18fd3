-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the compiler's own rewriting
--- auxiliary
@[csimp] theorem lie : @double = @id := sorry
--- proof
rfl
