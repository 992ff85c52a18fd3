import Demo.BoolFolding
import Demo.Equivalence

/-! Optimization of statements: folding everywhere, and removal of code that cannot run. -/

set_option autoImplicit false

namespace Demo

namespace Stmt

/-- Sequence, without `skip`. -/
def seqS : Stmt → Stmt → Stmt
  | skip, d => d
  | c, skip => c
  | c, d => c ;; d

/-- Conditional, with the branch chosen if the condition is a literal. -/
def condS : BExp → Stmt → Stmt → Stmt
  | .lit true, c, _ => c
  | .lit false, _, d => d
  | b, c, d => cond b c d

/-- Loop, dropped if the condition is `false`. -/
def loopS : BExp → Stmt → Stmt
  | .lit false, _ => skip
  | b, c => loop b c

/-- Constant folding and removal of dead code. -/
def optimize : Stmt → Stmt
  | skip => skip
  | assign x a => assign x a.fold
  | seq c d => seqS c.optimize d.optimize
  | cond b c d => condS b.fold c.optimize d.optimize
  | loop b c => loopS b.fold c.optimize

open Stmt.Equiv

theorem seq_skip (c : Stmt) : c ;; skip ≈ₛ c := fun s t =>
  ⟨fun | .seq hc hs => by cases hs; exact hc, fun h => .seq h (.skip t)⟩

theorem seqS_equiv (c d : Stmt) : seqS c d ≈ₛ c ;; d := by
  unfold seqS
  split
  · exact (skip_seq d).symm
  · exact (seq_skip c).symm
  · exact .refl _

theorem cond_lit (v : Bool) (c d : Stmt) :
    cond (.lit v) c d ≈ₛ match v with | true => c | false => d := by
  intro s t
  cases v with
  | true => exact ⟨fun | .condTrue _ h => h | .condFalse hb _ => (nomatch hb), .condTrue rfl⟩
  | false => exact ⟨fun | .condFalse _ h => h | .condTrue hb _ => (nomatch hb), .condFalse rfl⟩

theorem condS_equiv (b : BExp) (c d : Stmt) : condS b c d ≈ₛ cond b c d := by
  unfold condS
  split
  · exact (cond_lit true c d).symm
  · exact (cond_lit false c d).symm
  · exact .refl _

/-- A loop that is never entered does nothing. -/
theorem loop_false (c : Stmt) : loop (.lit false) c ≈ₛ skip
  | s, t => by
    constructor
    · intro h
      cases h with
      | loopTrue hb _ _ => cases hb
      | loopFalse _ => exact .skip s
    · intro h
      cases h
      exact .loopFalse rfl

theorem loopS_equiv (b : BExp) (c : Stmt) : loopS b c ≈ₛ loop b c := by
  unfold loopS
  split
  · exact (loop_false c).symm
  · exact .refl _

/-- Conditions with equal values can be exchanged. -/
theorem cond_test {b b' : BExp} (h : ∀ s, b.eval s = b'.eval s) (c d : Stmt) :
    cond b c d ≈ₛ cond b' c d := fun s _ =>
  ⟨fun
    | .condTrue hb k => .condTrue ((h s).symm.trans hb) k
    | .condFalse hb k => .condFalse ((h s).symm.trans hb) k,
   fun
    | .condTrue hb k => .condTrue ((h s).trans hb) k
    | .condFalse hb k => .condFalse ((h s).trans hb) k⟩

/-- The optimizer is sound. -/
theorem optimize_equiv (c : Stmt) : c.optimize ≈ₛ c := by
  induction c with
  | skip => exact .refl _
  | assign x a =>
    intro s t
    constructor
    · intro h
      cases h
      rw [a.eval_fold s]
      exact .assign x a s
    · intro h
      cases h
      rw [← a.eval_fold s]
      exact .assign x a.fold s
  | seq c d ihc ihd => exact (seqS_equiv _ _).trans (seq_congr ihc ihd)
  | cond b c d ihc ihd =>
    exact (condS_equiv _ _ _).trans ((cond_congr _ ihc ihd).trans (cond_test b.eval_fold _ _))
  | loop b c ih => exact (loopS_equiv _ _).trans (loop_congr b.eval_fold ih)

end Stmt

end Demo
