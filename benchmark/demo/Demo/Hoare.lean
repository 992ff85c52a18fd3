import Demo.BigStep

/-! Hoare logic for partial correctness: sound, and complete relative to the assertions. -/

set_option autoImplicit false

namespace Demo

/-- An assertion is a set of states. -/
abbrev Assn := State → Prop

/-- The states of an assertion in which a condition is true. -/
def Assn.given (P : Assn) (b : BExp) : Assn := fun s => P s ∧ b.eval s = true

notation "⟦" P " | " b "⟧" => Assn.given P b
infix:65 " ::= " => Stmt.assign

/-- The proof rules. -/
inductive Hoare : Assn → Stmt → Assn → Prop where
  | skip (P : Assn) : Hoare P .skip P
  | assign (x : Ident) (a : AExp) (P : Assn) :
      Hoare (fun s => P (s ◁ x ↦ a.eval s)) (x ::= a) P
  | seq {P Q R : Assn} {c d : Stmt} (hc : Hoare P c Q) (hd : Hoare Q d R) : Hoare P (c ;; d) R
  | cond {P Q : Assn} {b : BExp} {c d : Stmt} (hc : Hoare ⟦P | b⟧ c Q)
      (hd : Hoare ⟦P | .not b⟧ d Q) : Hoare P (.cond b c d) Q
  | loop {P : Assn} {b : BExp} {c : Stmt} (hc : Hoare ⟦P | b⟧ c P) :
      Hoare P (.loop b c) ⟦P | .not b⟧
  | conseq {P P' Q Q' : Assn} {c : Stmt} (hP : ∀ s, P' s → P s) (hc : Hoare P c Q)
      (hQ : ∀ s, Q s → Q' s) : Hoare P' c Q'

/-- `P ⟪c⟫ Q`: from a state in `P`, the statement `c` can end only in `Q`. -/
def Valid (P : Assn) (c : Stmt) (Q : Assn) : Prop :=
  ∀ s t : State, P s → (s ⊢ c ⇓ t) → Q t

notation:30 P:31 " ⟪" c "⟫ " Q:31 => Valid P c Q

/-- The weakest precondition. -/
def wp (c : Stmt) (Q : Assn) : Assn := fun s => ∀ t, (s ⊢ c ⇓ t) → Q t

theorem BExp.eval_not_iff {b : BExp} {s : State} :
    (BExp.not b).eval s = true ↔ b.eval s = false := by
  show (!b.eval s) = true ↔ b.eval s = false
  cases b.eval s with
  | true => exact ⟨fun h => (nomatch h), fun h => (nomatch h)⟩
  | false => exact ⟨fun _ => rfl, fun _ => rfl⟩

namespace Hoare

theorem pre {P P' Q : Assn} {c : Stmt} (hP : ∀ s, P' s → P s) (h : Hoare P c Q) :
    Hoare P' c Q :=
  .conseq hP h fun _ => id

theorem assign' {P Q : Assn} {x : Ident} {a : AExp} (h : ∀ s, P s → Q (s ◁ x ↦ a.eval s)) :
    Hoare P (x ::= a) Q :=
  pre h (assign x a Q)

/-- An invariant of the body is an invariant of the loop. -/
theorem loop_valid {P : Assn} {b : BExp} {c : Stmt} (h : ⟦P | b⟧ ⟪c⟫ P) :
    P ⟪.loop b c⟫ ⟦P | .not b⟧ := by
  intro s t hs ht
  generalize hl : Stmt.loop b c = l at ht
  induction ht with
  | loopTrue hb hc _ _ ih =>
    cases hl
    exact ih (h _ _ ⟨hs, hb⟩ hc) rfl
  | loopFalse hb =>
    cases hl
    exact ⟨hs, BExp.eval_not_iff.mpr hb⟩
  | skip | assign | seq | condTrue | condFalse => cases hl

/-- What is provable is valid. -/
theorem sound {P Q : Assn} {c : Stmt} (h : Hoare P c Q) : P ⟪c⟫ Q := by
  induction h with
  | skip P =>
    intro s t hs ht
    cases ht
    exact hs
  | assign x a P =>
    intro s t hs ht
    cases ht
    exact hs
  | seq _ _ ihc ihd =>
    intro s t hs
    intro
    | .seq hc hd => exact ihd _ _ (ihc _ _ hs hc) hd
  | cond _ _ ihc ihd =>
    intro s t hs
    intro
    | .condTrue hb hc => exact ihc _ _ ⟨hs, hb⟩ hc
    | .condFalse hb hd => exact ihd _ _ ⟨hs, BExp.eval_not_iff.mpr hb⟩ hd
  | loop _ ih => exact loop_valid ih
  | conseq hP _ hQ ih => exact fun s t hs ht => hQ t (ih s t (hP s hs) ht)

end Hoare

theorem wp_seq (c d : Stmt) (Q : Assn) : wp (c ;; d) Q = wp c (wp d Q) := by
  funext s
  exact propext
    ⟨fun h t hc u hd => h u (.seq hc hd), fun h u hu => by
      cases hu with
      | seq hc hd => exact h _ hc u hd⟩

theorem wp_loop {b : BExp} {c : Stmt} {Q : Assn} {s : State} (h : wp (.loop b c) Q s) :
    (b.eval s = true → wp c (wp (.loop b c) Q) s) ∧ (b.eval s = false → Q s) :=
  ⟨fun hb _ hc u hl => h u (.loopTrue hb hc hl), fun hb => h s (.loopFalse hb)⟩

/-- The weakest precondition is provable. -/
theorem Hoare.wp_provable (c : Stmt) (Q : Assn) : Hoare (wp c Q) c Q := by
  induction c generalizing Q with
  | skip => exact .pre (fun s h => h s (.skip s)) (.skip Q)
  | assign x a => exact .assign' fun s h => h _ (.assign x a s)
  | seq c d ihc ihd =>
    rw [wp_seq]
    exact .seq (ihc _) (ihd Q)
  | cond b c d ihc ihd =>
    exact .cond (.pre (fun s h t ht => h.1 t (.condTrue h.2 ht)) (ihc Q))
      (.pre (fun s h t ht => h.1 t (.condFalse (BExp.eval_not_iff.mp h.2) ht)) (ihd Q))
  | loop b c ih =>
    exact .conseq (fun _ => id) (.loop (.pre (fun s h => (wp_loop h.1).1 h.2) (ih _)))
      fun s h => (wp_loop h.1).2 (BExp.eval_not_iff.mp h.2)

/-- What is valid is provable. -/
protected theorem Hoare.complete {P Q : Assn} {c : Stmt} (h : P ⟪c⟫ Q) : Hoare P c Q :=
  Hoare.pre (fun s hs t ht => h s t hs ht) (Hoare.wp_provable c Q)

end Demo
