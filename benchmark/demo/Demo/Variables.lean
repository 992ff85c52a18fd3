import Demo.Substitution

/-! The variables of an expression, and what does not depend on other variables. -/

set_option autoImplicit false

namespace Demo

/-- The variable occurs in the expression. -/
def AExp.Occurs (x : Ident) : AExp → Prop
  | num _ => False
  | var y => y = x
  | add a b | sub a b | mul a b => a.Occurs x ∨ b.Occurs x

/-- The variable occurs in the condition. -/
def BExp.Occurs (x : Ident) : BExp → Prop
  | lit _ => False
  | eq a b | le a b => a.Occurs x ∨ b.Occurs x
  | not p => p.Occurs x
  | and p q => p.Occurs x ∨ q.Occurs x

/-- The number of operators. -/
def AExp.size : AExp → Nat
  | num _ | var _ => 0
  | add a b | sub a b | mul a b => a.size + b.size + 1

namespace AExp

/-- The value depends only on the variables that occur. -/
theorem eval_congr {s t : State} {a : AExp} (h : ∀ x, a.Occurs x → s x = t x) :
    a.eval s = a.eval t := by
  induction a with
  | num n => rfl
  | var x => exact h x rfl
  | add a b iha ihb | sub a b iha ihb | mul a b iha ihb =>
    rw [eval, iha fun x k => h x (.inl k), ihb fun x k => h x (.inr k), eval]

/-- Substitution for a variable that does not occur changes nothing. -/
theorem subst_of_not_occurs {x : Ident} {a : AExp} (e : AExp) (h : ¬ a.Occurs x) :
    subst x e a = a := by
  induction a with
  | num n => rfl
  | var y => exact if_neg (show ¬ y = x from h)
  | add a b iha ihb | sub a b iha ihb | mul a b iha ihb =>
    rw [subst, iha fun k => h (.inl k), ihb fun k => h (.inr k)]

/-- A variable substituted for itself changes nothing. -/
theorem subst_self (x : Ident) (a : AExp) : subst x (.var x) a = a := by
  induction a with
  | num n => rfl
  | var y =>
    by_cases h : y = x
    · subst h
      exact if_pos rfl
    · exact if_neg h
  | add a b iha ihb | sub a b iha ihb | mul a b iha ihb => rw [subst, iha, ihb]

theorem size_subst_num (x : Ident) (n : Nat) : ∀ a : AExp, (subst x (.num n) a).size = a.size
  | num _ => rfl
  | var y => by
    unfold subst
    split <;> rfl
  | add a b | sub a b | mul a b => by
    rw [subst, size, size, size_subst_num x n a, size_subst_num x n b]

open State in
/-- An update of a variable that does not occur keeps the value. -/
theorem «eval-update» {s : State} {x : Ident} {a : AExp} (v : Nat) (h : ¬ a.Occurs x) :
    a.eval (s ◁ x ↦ v) = a.eval s :=
  eval_congr fun _ k => update_other fun e => h (e ▸ k)

end AExp

namespace BExp

theorem eval_congr {s t : State} {p : BExp} (h : ∀ x, p.Occurs x → s x = t x) :
    p.eval s = p.eval t := by
  induction p with
  | lit v => rfl
  | eq a b | le a b =>
    rw [eval, AExp.eval_congr fun x k => h x (.inl k), AExp.eval_congr fun x k => h x (.inr k),
      eval]
  | not p ih => rw [eval, ih h, eval]
  | and p q ihp ihq => rw [eval, ihp fun x k => h x (.inl k), ihq fun x k => h x (.inr k), eval]

/-- An update of a variable that does not occur keeps the truth value. -/
theorem «eval-update» {s : State} {x : Ident} {p : BExp} (v : Nat) (h : ¬ p.Occurs x) :
    p.eval (s ◁ x ↦ v) = p.eval s :=
  eval_congr fun _ k => State.update_other fun e => h (e ▸ k)

end BExp

end Demo
