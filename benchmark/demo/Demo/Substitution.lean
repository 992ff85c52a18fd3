import Demo.Syntax

/-! Substitution of expressions for variables, in the syntax, is update of the state. -/

set_option autoImplicit false

namespace Demo

/-- Replace a variable by an expression. -/
def AExp.subst (x : Ident) (e : AExp) : AExp → AExp
  | num n => num n
  | var y => if y = x then e else var y
  | add a b => add (subst x e a) (subst x e b)
  | sub a b => sub (subst x e a) (subst x e b)
  | mul a b => mul (subst x e a) (subst x e b)

/-- Substitution in a boolean expression. -/
def BExp.subst (x : Ident) (e : AExp) : BExp → BExp
  | lit v => lit v
  | eq a b => eq (AExp.subst x e a) (AExp.subst x e b)
  | le a b => le (AExp.subst x e a) (AExp.subst x e b)
  | not p => not (subst x e p)
  | and p q => and (subst x e p) (subst x e q)

/-- Substitution in the syntax is update in the state. -/
theorem AExp.eval_subst (x : Ident) (e : AExp) (s : State) :
    ∀ a : AExp, (AExp.subst x e a).eval s = a.eval (s ◁ x ↦ e.eval s)
  | num _ => rfl
  | var y => by
    by_cases h : y = x
    · subst h
      simp only [subst, eval, if_pos, State.update_same]
    · simp only [subst, eval, if_neg h, State.update_other h]
  | add a b | sub a b | mul a b => by
    simp only [subst, eval, eval_subst x e s a, eval_subst x e s b]

theorem BExp.eval_subst (x : Ident) (e : AExp) (s : State) (p : BExp) :
    (BExp.subst x e p).eval s = p.eval (s ◁ x ↦ e.eval s) := by
  induction p with
  | lit v => rfl
  | eq a b | le a b => simp only [subst, eval, AExp.eval_subst]
  | not p ih => simp only [subst, eval, ih]
  | and p q ihp ihq => simp only [subst, eval, ihp, ihq]

end Demo
