-- verdict: accepted
-- target: Vault.double_two
-- trick: include and omit for its own lemmas
--- auxiliary
section
variable (α : Type) [Weighed α] (h : α)
include h in
theorem here : ∃ _ : α, True := ⟨h, trivial⟩
omit [Weighed α] in
theorem there : α → True := fun _ => trivial
end
--- proof
rfl
