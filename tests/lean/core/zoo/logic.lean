variable (p q r : Prop)
theorem a1 : p ∧ q ↔ q ∧ p := and_comm
theorem a2 : ¬(p ∨ q) ↔ ¬p ∧ ¬q := by simp
theorem a3 : (p ∧ q → r) ↔ (p → q → r) := by simp
theorem a4 : ¬¬p ↔ p := by simp
theorem a5 : ¬(p ∧ q) ↔ ¬p ∨ ¬q := Classical.not_and_iff_not_or_not
theorem a6 (P : Nat → Prop) : (¬∃ x, P x) ↔ ∀ x, ¬P x := by simp
theorem a7 (P : Nat → Prop) : (¬∀ x, P x) ↔ ∃ x, ¬P x := by simp
theorem a8 (h : p ↔ q) : q ↔ p := h.symm
theorem a9 (h : p ↔ q) (hp : p) : q := by rwa [h] at hp
theorem a10 : p ∨ ¬p := Classical.em p
theorem a11 (P : Nat → Prop) (h : ∃ x, P x ∧ q) : q := by simp at h; exact h.2
theorem a12 : (∃ x : Nat, x = 3 ∧ x < 5) := ⟨3, rfl, by decide⟩
theorem a13 (b : Bool) : b = true ∨ b = false := by cases b <;> simp
theorem a14 (a b : Bool) (h : (a && b) = true) : a = true := by simp at h; exact h.1
theorem a15 [Decidable p] (h : decide p = true) : p := by simpa using h
theorem a17 (a b : Nat) : (a == b) = true ↔ a = b := by simp
theorem a18 (h : p) : p ∧ True := by simp [h]
theorem a19 (h : p → q) (k : q → r) : p → r := k ∘ h
theorem a20 (a b : Nat) (h : a ≠ b) : b ≠ a := h.symm
theorem a21 (f : Nat → Nat) (h : ∀ x y, f x = f y → x = y) : Function.Injective f := fun x y k => h x y k
theorem a22 (P : Nat → Prop) (h : ∃ x, P x) : P h.choose := h.choose_spec
theorem a23 : (∀ x ∈ [1, 2], x < 3) := by simp
theorem a24 (P : Nat → Prop) (x : Nat) : (∀ y, y = x → P y) ↔ P x := by simp
theorem a25 (s : Nat → Prop) (h : ∀ x > 3, s x) : s 5 := h 5 (by decide)
