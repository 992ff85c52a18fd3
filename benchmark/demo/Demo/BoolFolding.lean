import Demo.Folding

/-! Constant folding of conditions. -/

set_option autoImplicit false

namespace Demo

namespace BExp

/-- Negation; literals are negated, and double negations dropped. -/
def notS : BExp → BExp
  | lit v => lit (!v)
  | not p => p
  | p => not p

/-- Conjunction; literals are dropped. -/
def andS : BExp → BExp → BExp
  | lit true, q => q
  | lit false, _ => lit false
  | p, lit true => p
  | p, q => and p q

/-- Constant folding; comparisons of numbers are decided. -/
def fold : BExp → BExp
  | lit v => lit v
  | eq a b => match a.fold, b.fold with
    | .num m, .num n => lit (decide (m = n))
    | a, b => eq a b
  | le a b => match a.fold, b.fold with
    | .num m, .num n => lit (decide (m ≤ n))
    | a, b => le a b
  | not p => notS p.fold
  | and p q => andS p.fold q.fold

theorem eval_notS (p : BExp) (s : State) : (notS p).eval s = !p.eval s := by
  cases p with
  | not p => exact (Bool.not_not (p.eval s)).symm
  | lit | eq | le | and => rfl

theorem eval_andS (p q : BExp) (s : State) : (andS p q).eval s = (p.eval s && q.eval s) := by
  unfold andS
  split
  · rfl
  · rfl
  · exact (Bool.and_true _).symm
  · rfl

set_option linter.unusedVariables false in
/-- Folding keeps the truth value. -/
theorem eval_fold (p : BExp) (s : State) : p.fold.eval s = p.eval s := by
  induction p with
  | lit v => rfl
  | eq a b =>
    have ha := AExp.eval_fold s a
    have hb := AExp.eval_fold s b
    rw [fold, eval, ← ha, ← hb]
    split
    · rename_i h₁ h₂
      rw [h₁, h₂]
      rfl
    · rfl
  | le a b =>
    have ha := AExp.eval_fold s a
    have hb := AExp.eval_fold s b
    rw [fold, eval, ← ha, ← hb]
    split
    · rename_i h₁ h₂
      rw [h₁, h₂]
      rfl
    · rfl
  | not p ih => rw [fold, eval_notS, ih, eval]
  | and p q ihp ihq => rw [fold, eval_andS, ihp, ihq, eval]

end BExp

end Demo
