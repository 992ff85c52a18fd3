/-! Abstract syntax and expression semantics of WHILE, a small imperative language.

Values are natural numbers, so subtraction is truncated (`2 - 3 = 0`). -/

set_option autoImplicit false

namespace Demo

/-- Program variables are numbered. -/
abbrev Ident := Nat

/-- A state gives every variable a value. -/
abbrev State := Ident → Nat

/-- Change the value of one variable. -/
def State.update (s : State) (x : Ident) (v : Nat) : State :=
  fun y => if y = x then v else s y

/-- The state `s` with `x` set to `v`; it binds more tightly than `=`, less than application. -/
notation:65 s:65 " ◁ " x:66 " ↦ " v:66 => State.update s x v

/-- Arithmetic expressions. -/
inductive AExp where
  | num (n : Nat)
  | var (x : Ident)
  | add (a b : AExp)
  | sub (a b : AExp)
  | mul (a b : AExp)

/-- Boolean expressions. -/
inductive BExp where
  | lit (v : Bool)
  | eq (a b : AExp)
  | le (a b : AExp)
  | not (p : BExp)
  | and (p q : BExp)

/-- Statements. -/
inductive Stmt where
  | skip
  | assign (x : Ident) (a : AExp)
  | seq (c d : Stmt)
  | cond (b : BExp) (c d : Stmt)
  | loop (b : BExp) (c : Stmt)

infixr:60 " ;; " => Stmt.seq

/-- The value of an arithmetic expression in a state. -/
def AExp.eval (s : State) : AExp → Nat
  | num n => n
  | var x => s x
  | add a b => a.eval s + b.eval s
  | sub a b => a.eval s - b.eval s
  | mul a b => a.eval s * b.eval s

/-- The value of a boolean expression in a state. -/
def BExp.eval (s : State) : BExp → Bool
  | lit v => v
  | eq a b => decide (a.eval s = b.eval s)
  | le a b => decide (a.eval s ≤ b.eval s)
  | not p => !p.eval s
  | and p q => p.eval s && q.eval s

namespace State

@[simp] theorem update_same (s : State) (x : Ident) (v : Nat) : (s ◁ x ↦ v) x = v := by
  simp only [update, if_pos]

theorem update_other {s : State} {x y : Ident} {v : Nat} (h : y ≠ x) : (s ◁ x ↦ v) y = s y :=
  if_neg h

/-- The later of two updates of one variable wins. -/
theorem update_shadow (s : State) (x : Ident) (v w : Nat) : s ◁ x ↦ v ◁ x ↦ w = s ◁ x ↦ w := by
  funext y
  by_cases h : y = x
  · subst h
    rw [update_same, update_same]
  · rw [update_other h, update_other h, update_other h]

/-- Writing back the value that is there changes nothing. -/
theorem update_self (s : State) (x : Ident) : s ◁ x ↦ s x = s := by
  funext y
  by_cases h : y = x
  · subst h
    exact update_same s y (s y)
  · exact update_other h

/-- Updates of different variables commute. -/
theorem update_comm (s : State) {x y : Ident} (v w : Nat) (h : x ≠ y) :
    s ◁ x ↦ v ◁ y ↦ w = s ◁ y ↦ w ◁ x ↦ v := by
  funext z
  by_cases hx : z = x
  · subst hx
    rw [update_same, update_other h, update_same]
  · by_cases hy : z = y
    · subst hy
      rw [update_same, update_other hx, update_same]
    · rw [update_other hx, update_other hy, update_other hy, update_other hx]

end State

end Demo
