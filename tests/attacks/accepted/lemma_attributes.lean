-- verdict: accepted
-- target: Vault.double_two
-- trick: lemmas with attributes, docstring and modifiers
--- auxiliary
/-- Two and two. -/
@[simp] protected theorem Own.two : double 2 = 4 := rfl
attribute [local simp] Own.two
--- proof
by simp [Own.two]
