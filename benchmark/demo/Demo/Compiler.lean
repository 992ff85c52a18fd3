import Demo.BigStep
import Demo.Execution

/-! The compiler from WHILE to the stack machine, and its correctness. -/

set_option autoImplicit false

namespace Demo

/-- Code that pushes the value of an expression. -/
def AExp.compile : AExp → Code
  | num n => .op (.push n) .nil
  | var x => .op (.load x) .nil
  | add a b => a.compile ++ b.compile ++ .op .add .nil
  | sub a b => a.compile ++ b.compile ++ .op .sub .nil
  | mul a b => a.compile ++ b.compile ++ .op .mul .nil

/-- Code that pushes the truth value of a condition. -/
def BExp.compile : BExp → Code
  | lit v => .op (.push (ofBool v)) .nil
  | eq a b => a.compile ++ b.compile ++ .op .eq .nil
  | le a b => a.compile ++ b.compile ++ .op .le .nil
  | not p => p.compile ++ .op .not .nil
  | and p q => p.compile ++ q.compile ++ .op .and .nil

/-- Code that runs a statement; it leaves the stack as it was. -/
def Stmt.compile : Stmt → Code
  | skip => .nil
  | assign x a => a.compile ++ .op (.store x) .nil
  | seq c d => c.compile ++ d.compile
  | cond b c d => b.compile ++ .branch c.compile d.compile .nil
  | loop b c => .loop b.compile c.compile .nil

section Booleans

theorem ofBool_not (v : Bool) : ofBool (!v) = 1 - ofBool v := by
  cases v <;> rfl

theorem ofBool_and (v w : Bool) : ofBool (v && w) = ofBool v * ofBool w := by
  cases v <;> cases w <;> rfl

theorem ofBool_true {v : Bool} (h : v = true) : ofBool v = 0 + 1 :=
  h ▸ rfl

end Booleans

section Expressions

variable (st : Stack) (s : State)

/-- Compiled expressions push the expression's value. -/
theorem AExp.compile_correct (a : AExp) : Exec a.compile (st, s) (a.eval s :: st, s) := by
  induction a generalizing st with
  | num n => exact .op rfl (.nil _)
  | var x => exact .op rfl (.nil _)
  | add a b iha ihb | sub a b iha ihb | mul a b iha ihb =>
    exact ((iha _).append (ihb _)).append (.op rfl (.nil _))

/-- Compiled conditions push their truth value. -/
theorem BExp.compile_correct (p : BExp) :
    Exec p.compile (st, s) (ofBool (p.eval s) :: st, s) := by
  induction p generalizing st with
  | lit v => exact .op rfl (.nil _)
  | eq a b | le a b =>
    exact ((a.compile_correct _ s).append (b.compile_correct _ s)).append (.op rfl (.nil _))
  | not p ih =>
    refine (ih st).append (.op ?_ (.nil _))
    rw [BExp.eval, ofBool_not]
    rfl
  | and p q ihp ihq =>
    refine ((ihp st).append (ihq _)).append (.op ?_ (.nil _))
    rw [BExp.eval, ofBool_and]
    rfl

end Expressions

/-- Whatever a statement does, its code does. -/
theorem Stmt.compile_correct {c : Stmt} {s t : State} (h : s ⊢ c ⇓ t) (st : Stack) :
    Exec c.compile (st, s) (st, t) := by
  induction h with
  | skip s => exact .nil _
  | assign x a s => exact (a.compile_correct st s).append (.op rfl (.nil _))
  | seq _ _ ihc ihd => exact ihc.append ihd
  | @condTrue b c d s t hb _ ih =>
    have h := b.compile_correct st s
    rw [ofBool_true hb] at h
    exact h.append (.yes ih (.nil _))
  | @condFalse b c d s t hb _ ih =>
    have h := b.compile_correct st s
    rw [hb] at h
    exact h.append (.no ih (.nil _))
  | @loopTrue b c s t u hb _ _ ihc ihl =>
    have h := b.compile_correct st s
    rw [ofBool_true hb] at h
    exact .again h ihc ihl
  | @loopFalse b c s hb =>
    have h := b.compile_correct st s
    rw [hb] at h
    exact .exit h (.nil _)

end Demo
