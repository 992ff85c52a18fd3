import Demo.Syntax

/-! Big-step semantics: `s ⊢ c ⇓ t` says that `c`, started in `s`, ends in `t`. -/

set_option autoImplicit false

namespace Demo

/-- Running a statement to its end. -/
inductive BigStep : Stmt → State → State → Prop where
  | skip (s : State) : BigStep .skip s s
  | assign (x : Ident) (a : AExp) (s : State) : BigStep (.assign x a) s (s ◁ x ↦ a.eval s)
  | seq {c d : Stmt} {s t u : State} (hc : BigStep c s t) (hd : BigStep d t u) :
      BigStep (c ;; d) s u
  | condTrue {b : BExp} {c d : Stmt} {s t : State} (hb : b.eval s = true) (hc : BigStep c s t) :
      BigStep (.cond b c d) s t
  | condFalse {b : BExp} {c d : Stmt} {s t : State} (hb : b.eval s = false)
      (hd : BigStep d s t) : BigStep (.cond b c d) s t
  | loopTrue {b : BExp} {c : Stmt} {s t u : State} (hb : b.eval s = true) (hc : BigStep c s t)
      (hl : BigStep (.loop b c) t u) : BigStep (.loop b c) s u
  | loopFalse {b : BExp} {c : Stmt} {s : State} (hb : b.eval s = false) : BigStep (.loop b c) s s

/-- `s ⊢ c ⇓ t`: from the state `s`, the statement `c` ends in the state `t`. -/
notation:40 s:41 " ⊢ " c:41 " ⇓ " t:41 => BigStep c s t

namespace BigStep

theorem skip_iff {s t : State} : s ⊢ .skip ⇓ t ↔ t = s :=
  ⟨fun h => by cases h; rfl, fun h => h ▸ BigStep.skip t⟩

theorem seq_iff {c d : Stmt} {s u : State} :
    s ⊢ c ;; d ⇓ u ↔ ∃ t, (s ⊢ c ⇓ t) ∧ (t ⊢ d ⇓ u) :=
  ⟨fun | .seq hc hd => ⟨_, hc, hd⟩, fun ⟨_, hc, hd⟩ => .seq hc hd⟩

theorem cond_iff {b : BExp} {c d : Stmt} {s t : State} :
    s ⊢ .cond b c d ⇓ t ↔ (match b.eval s with | true => s ⊢ c ⇓ t | false => s ⊢ d ⇓ t) := by
  constructor
  · intro h
    cases h with
    | condTrue hb hc => rw [hb]; exact hc
    | condFalse hb hd => rw [hb]; exact hd
  · intro h
    cases hb : b.eval s with
    | true => rw [hb] at h; exact .condTrue hb h
    | false => rw [hb] at h; exact .condFalse hb h

/-- A statement has at most one result. -/
theorem deterministic {c : Stmt} {s t u : State} (ht : s ⊢ c ⇓ t) (hu : s ⊢ c ⇓ u) : t = u := by
  induction ht generalizing u with
  | skip s => cases hu; rfl
  | assign x a s => cases hu; rfl
  | seq _ _ ihc ihd =>
    cases hu with
    | seq hc hd =>
      cases ihc hc
      exact ihd hd
  | condTrue hb _ ih =>
    cases hu with
    | condTrue _ hc => exact ih hc
    | condFalse hb' _ => rw [hb] at hb'; cases hb'
  | condFalse hb _ ih =>
    cases hu with
    | condTrue hb' _ => rw [hb] at hb'; cases hb'
    | condFalse _ hd => exact ih hd
  | loopTrue hb _ _ ihc ihl =>
    cases hu with
    | loopTrue _ hc hl =>
      cases ihc hc
      exact ihl hl
    | loopFalse hb' => rw [hb] at hb'; cases hb'
  | loopFalse hb =>
    cases hu with
    | loopTrue hb' _ _ => rw [hb] at hb'; cases hb'
    | loopFalse _ => rfl

/-- After a loop its condition is false. -/
theorem loop_exit {b : BExp} {c : Stmt} {s t : State} (h : s ⊢ .loop b c ⇓ t) :
    b.eval t = false := by
  generalize hl : Stmt.loop b c = l at h
  induction h with
  | loopTrue _ _ _ _ ih => exact ih hl
  | loopFalse hb => cases hl; exact hb
  | skip | assign | seq | condTrue | condFalse => cases hl

/-- The endless loop has no result. -/
theorem loop_forever {c : Stmt} {s t : State} : ¬ (s ⊢ .loop (.lit true) c ⇓ t) :=
  fun h => Bool.noConfusion (loop_exit h)

end BigStep

end Demo
