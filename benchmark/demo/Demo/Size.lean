import Demo.DeadCode

/-! The optimizer does not make statements longer. -/

set_option autoImplicit false

namespace Demo

namespace Stmt

/-- The number of statements, for comparison. -/
def size : Stmt → Nat
  | skip => 0
  | assign _ _ => 1
  | seq c d => c.size + d.size
  | cond _ c d => c.size + d.size + 1
  | loop _ c => c.size + 1

theorem size_seqS (c d : Stmt) : (seqS c d).size ≤ c.size + d.size := by
  unfold seqS
  split
  · exact Nat.le_of_eq (Nat.zero_add _).symm
  · exact Nat.le_refl _
  · exact Nat.le_refl _

theorem size_condS (b : BExp) (c d : Stmt) : (condS b c d).size ≤ c.size + d.size + 1 := by
  unfold condS
  split
  · exact Nat.le_trans (Nat.le_add_right _ _) (Nat.le_succ _)
  · exact Nat.le_trans (Nat.le_add_left _ _) (Nat.le_succ _)
  · exact Nat.le_refl _

/-- The optimizer does not make statements longer. -/
theorem size_optimize : ∀ c : Stmt, c.optimize.size ≤ c.size
  | skip => Nat.le_refl _
  | assign _ _ => Nat.le_refl _
  | seq c d => Nat.le_trans (size_seqS _ _) (Nat.add_le_add c.size_optimize d.size_optimize)
  | cond _ c d => Nat.le_trans (size_condS _ _ _)
    (Nat.succ_le_succ (Nat.add_le_add c.size_optimize d.size_optimize))
  | loop b c => by
    unfold optimize loopS
    split
    · exact Nat.zero_le _
    · exact Nat.succ_le_succ c.size_optimize

end Stmt

end Demo
