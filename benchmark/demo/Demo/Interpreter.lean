import Demo.BigStep

/-! An interpreter with fuel: it finds exactly the results of the big-step semantics. -/

set_option autoImplicit false

namespace Demo

/-- Run a statement; `none` when the fuel runs out. -/
def Stmt.run : Nat → Stmt → State → Option State
  | 0, _, _ => none
  | _ + 1, skip, s => some s
  | _ + 1, assign x a, s => some (s ◁ x ↦ a.eval s)
  | n + 1, seq c d, s =>
    match run n c s with
    | some t => run n d t
    | none => none
  | n + 1, cond b c d, s =>
    match b.eval s with
    | true => run n c s
    | false => run n d s
  | n + 1, loop b c, s =>
    match b.eval s with
    | true =>
      match run n c s with
      | some t => run n (loop b c) t
      | none => none
    | false => some s

namespace Stmt

/-- What the interpreter finds is a result. -/
theorem run_sound {n : Nat} {c : Stmt} {s t : State} (h : run n c s = some t) : s ⊢ c ⇓ t := by
  induction n generalizing c s t with
  | zero => cases h
  | succ n ih =>
    cases c with
    | skip => cases h; exact .skip s
    | assign x a => cases h; exact .assign x a s
    | seq c d =>
      unfold run at h
      split at h
      · rename_i u hu
        exact .seq (ih hu) (ih h)
      · cases h
    | cond b c d =>
      unfold run at h
      split at h
      · rename_i hb
        exact .condTrue hb (ih h)
      · rename_i hb
        exact .condFalse hb (ih h)
    | loop b c =>
      unfold run at h
      split at h
      · rename_i hb
        split at h
        · rename_i u hu
          exact .loopTrue hb (ih hu) (ih h)
        · cases h
      · rename_i hb
        cases h
        exact .loopFalse hb

/-- More fuel does no harm. -/
theorem run_succ {n : Nat} {c : Stmt} {s t : State} (h : run n c s = some t) :
    run (n + 1) c s = some t := by
  induction n generalizing c s t with
  | zero => cases h
  | succ n ih =>
    cases c with
    | skip | assign => exact h
    | seq c d =>
      unfold run at h
      split at h
      · rename_i u hu
        rw [run, ih hu]
        exact ih h
      · cases h
    | cond b c d =>
      unfold run at h
      split at h
      · rename_i hb
        rw [run, hb]
        exact ih h
      · rename_i hb
        rw [run, hb]
        exact ih h
    | loop b c =>
      unfold run at h
      split at h
      · rename_i hb
        split at h
        · rename_i u hu
          rw [run, hb]
          show (match run (n + 1) c s with | some t => run (n + 1) (loop b c) t | none => none) = _
          rw [ih hu]
          exact ih h
        · cases h
      · rename_i hb
        rw [run, hb]
        exact h

theorem run_add {n : Nat} {c : Stmt} {s t : State} (h : run n c s = some t) :
    ∀ k : Nat, run (n + k) c s = some t
  | 0 => h
  | k + 1 => run_succ (run_add h k)
termination_by k => k

/-- The interpreter finds every result, given enough fuel. -/
theorem run_complete {c : Stmt} {s t : State} (h : s ⊢ c ⇓ t) : ∃ n, run n c s = some t := by
  induction h with
  | skip | assign => exact ⟨1, rfl⟩
  | seq _ _ ihc ihd =>
    have ⟨m, hm⟩ := ihc
    have ⟨n, hn⟩ := ihd
    refine ⟨m + n + 1, ?_⟩
    rw [run, run_add hm n, Nat.add_comm m n]
    exact run_add hn m
  | condTrue hb _ ih =>
    have ⟨n, hn⟩ := ih
    refine ⟨n + 1, ?_⟩
    rw [run, hb]
    exact hn
  | condFalse hb _ ih =>
    have ⟨n, hn⟩ := ih
    refine ⟨n + 1, ?_⟩
    rw [run, hb]
    exact hn
  | loopTrue hb _ _ ihc ihl =>
    have ⟨m, hm⟩ := ihc
    have ⟨n, hn⟩ := ihl
    refine ⟨m + n + 1, ?_⟩
    rw [run, hb]
    show (match run (m + n) _ _ with | some t => run (m + n) (loop _ _) t | none => none) = _
    rw [run_add hm n, Nat.add_comm m n]
    exact run_add hn m
  | loopFalse hb =>
    refine ⟨1, ?_⟩
    rw [run, hb]

end Stmt

end Demo
