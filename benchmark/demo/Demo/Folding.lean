import Demo.Syntax

/-! Constant folding of arithmetic expressions. -/

set_option autoImplicit false

namespace Demo

namespace AExp

/-- A sum; numbers are added, and `0` is dropped on the right. -/
def addS : AExp → AExp → AExp
  | num m, num n => num (m + n)
  | a, num 0 => a
  | a, b => add a b

/-- A product; numbers are multiplied, and `1` is dropped on the right. -/
def mulS : AExp → AExp → AExp
  | num m, num n => num (m * n)
  | a, num 1 => a
  | a, b => mul a b

/-- A difference; numbers are subtracted. -/
def subS : AExp → AExp → AExp
  | num m, num n => num (m - n)
  | a, b => sub a b

/-- Constant folding. -/
def fold : AExp → AExp
  | num n => num n
  | var x => var x
  | add a b => addS a.fold b.fold
  | sub a b => subS a.fold b.fold
  | mul a b => mulS a.fold b.fold

variable (s : State)

theorem eval_addS (a b : AExp) : (addS a b).eval s = a.eval s + b.eval s := by
  unfold addS
  split
  · rfl
  · rfl
  · rfl

theorem eval_subS (a b : AExp) : (subS a b).eval s = a.eval s - b.eval s := by
  unfold subS
  split <;> rfl

theorem eval_mulS (a b : AExp) : (mulS a b).eval s = a.eval s * b.eval s := by
  unfold mulS
  split
  · rfl
  · exact (Nat.mul_one _).symm
  · rfl

/-- Folding keeps the value. -/
@[simp] theorem eval_fold (a : AExp) : a.fold.eval s = a.eval s := by
  induction a with
  | num n => rfl
  | var x => rfl
  | add a b iha ihb => rw [fold, eval_addS, iha, ihb, eval]
  | sub a b iha ihb => rw [fold, eval_subS, iha, ihb, eval]
  | mul a b iha ihb => rw [fold, eval_mulS, iha, ihb, eval]

theorem eval_fold_fold (a : AExp) : a.fold.fold.eval s = a.eval s := by
  rw [eval_fold, eval_fold]

end AExp

end Demo
