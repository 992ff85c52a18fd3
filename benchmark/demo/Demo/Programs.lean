import Demo.Hoare

/-! Two programs, verified with the rules of `Demo.Hoare`. -/

set_option autoImplicit false

namespace Demo.Programs

/-! Variable names; a tab	in a comment is just text. -/

/-- The first variable. -/
abbrev x : Ident := 0

/-- The second variable. -/
abbrev y : Ident := 1

/-- A third variable. -/
abbrev z : Ident := 2

infixl:70 " ∔ " => AExp.add
infixl:70 " ∸ " => AExp.sub

/-- Exchange `x` and `y`. -/
def swap : Stmt := z ::= .var x ;; x ::= .var y ;; y ::= .var z

/-- The condition `x ≠ 0`. -/
def more : BExp := .not (.eq (.var x) (.num 0))

/-- Move the value of `x` to `y`, one by one. -/
def move : Stmt := .loop more (x ::= .var x ∸ .num 1 ;; y ::= .var y ∔ .num 1)

theorem swap_correct (m n : Nat) :
    (fun s => s x = m ∧ s y = n) ⟪swap⟫ (fun s => s x = n ∧ s y = m) := by
  intro s t hs ht
  cases ht with
  | seq h₁ h =>
    cases h with
    | seq h₂ h₃ =>
      cases h₁
      cases h₂
      cases h₃
      exact ⟨hs.2, hs.1⟩

private theorem pred_add_succ {a b : Nat} (h : a ≠ 0) : a - 1 + (b + 1) = a + b := by
  cases a with
  | zero => exact absurd rfl h
  | succ a => exact (Nat.succ_add a b).symm

theorem more_iff {s : State} : more.eval s = true ↔ s x ≠ 0 := by
  show (!decide (s x = 0)) = true ↔ _
  by_cases h : s x = 0
  · rw [decide_eq_true h]
    exact ⟨fun k => (nomatch k), fun k => absurd h k⟩
  · rw [decide_eq_false h]
    exact ⟨fun _ => h, fun _ => rfl⟩

/-- The body of `move` keeps the sum. -/
theorem move_step (n : Nat) :
    ⟦fun s => s x + s y = n | more⟧ ⟪x ::= .var x ∸ .num 1 ;; y ::= .var y ∔ .num 1⟫
      fun s => s x + s y = n := by
  intro s t hs ht
  cases ht with
  | seq h₁ h₂ =>
    cases h₁
    cases h₂
    exact (pred_add_succ (more_iff.mp hs.2)).trans hs.1

/-- `move` ends with the sum in `y` and nothing in `x`. -/
theorem move_correct (m n : Nat) : let sum := m + n;
    (fun s => s x = m ∧ s y = n) ⟪move⟫ fun s => s x = 0 ∧ s y = sum := by
  intro sum s t hs ht
  have h := Hoare.loop_valid (move_step sum) s t (by rw [hs.1, hs.2]) ht
  have hx : t x = 0 := by
    by_cases h₀ : t x = 0
    · exact h₀
    · exact absurd (more_iff.mpr h₀) (by rw [BExp.eval_not_iff.mp h.2]; exact nofun)
  refine ⟨hx, ?_⟩
  have hs : t x + t y = sum := h.1
  rw [hx, Nat.zero_add] at hs
  exact hs

end Demo.Programs
