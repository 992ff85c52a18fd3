import Demo.BigStep

/-! Equivalence of statements: a congruence, and the laws that program transformations use. -/

set_option autoImplicit false

namespace Demo

/-- Two statements are equivalent if they have the same runs. -/
def Stmt.Equiv (c d : Stmt) : Prop := ∀ s t : State, s ⊢ c ⇓ t ↔ s ⊢ d ⇓ t

infix:50 " ≈ₛ " => Stmt.Equiv

namespace Stmt.Equiv

protected theorem refl (c : Stmt) : c ≈ₛ c := fun _ _ => Iff.rfl

protected theorem symm {c d : Stmt} (h : c ≈ₛ d) : d ≈ₛ c := fun s t => (h s t).symm

protected theorem trans {c d e : Stmt} (h : c ≈ₛ d) (k : d ≈ₛ e) : c ≈ₛ e :=
  fun s t => (h s t).trans (k s t)

theorem skip_seq (c : Stmt) : .skip ;; c ≈ₛ c := by
  intro s t
  constructor
  · intro h
    cases h with
    | seq hs hc => cases hs; exact hc
  · exact .seq (.skip s)

theorem seq_assoc (c d e : Stmt) : (c ;; d) ;; e ≈ₛ c ;; d ;; e := by
  intro s t
  constructor
  · intro
    | .seq (.seq hc hd) he => exact .seq hc (.seq hd he)
  · intro
    | .seq hc (.seq hd he) => exact .seq (.seq hc hd) he

/-- A loop is its first turn followed by itself. -/
theorem «loop-unfold» (b : BExp) (c : Stmt) : .loop b c ≈ₛ .cond b (c ;; .loop b c) .skip := by
  intro s t
  constructor
  · intro h
    cases h with
    | loopTrue hb hc hl => exact .condTrue hb (.seq hc hl)
    | loopFalse hb => exact .condFalse hb (.skip s)
  · intro h
    cases h with
    | condTrue hb h =>
      cases h with
      | seq hc hl => exact .loopTrue hb hc hl
    | condFalse hb h =>
      cases h
      exact .loopFalse hb

/-- Equivalent parts make equivalent sequences. -/
theorem seq_congr {c c' d d' : Stmt} (hc : c ≈ₛ c') (hd : d ≈ₛ d') : c ;; d ≈ₛ c' ;; d' :=
  fun _ _ =>
    ⟨fun | .seq h k => .seq ((hc _ _).mp h) ((hd _ _).mp k),
     fun | .seq h k => .seq ((hc _ _).mpr h) ((hd _ _).mpr k)⟩

/-- Equivalent branches make equivalent conditionals. -/
theorem cond_congr {c c' d d' : Stmt} (b : BExp) (hc : c ≈ₛ c') (hd : d ≈ₛ d') :
    .cond b c d ≈ₛ .cond b c' d' := by
  intro s t
  constructor
  · intro
    | .condTrue hb h => exact .condTrue hb ((hc s t).mp h)
    | .condFalse hb h => exact .condFalse hb ((hd s t).mp h)
  · intro
    | .condTrue hb h => exact .condTrue hb ((hc s t).mpr h)
    | .condFalse hb h => exact .condFalse hb ((hd s t).mpr h)

/-- One direction of `loop_congr`: what a loop does, a loop over an equivalent body does. -/
theorem loop_mono {b b' : BExp} {c c' : Stmt} (hb : ∀ s, b.eval s = b'.eval s)
    (hc : ∀ s t, s ⊢ c ⇓ t → s ⊢ c' ⇓ t) {s t : State} (h : s ⊢ .loop b c ⇓ t) :
    s ⊢ .loop b' c' ⇓ t := by
  generalize hl : Stmt.loop b c = l at h
  induction h with
  | loopTrue h₁ h₂ _ _ ih =>
    cases hl
    exact .loopTrue ((hb _).symm.trans h₁) (hc _ _ h₂) (ih rfl)
  | loopFalse h₁ =>
    cases hl
    exact .loopFalse ((hb _).symm.trans h₁)
  | skip | assign | seq | condTrue | condFalse => cases hl

theorem loop_congr {b b' : BExp} {c c' : Stmt} (hb : ∀ s, b.eval s = b'.eval s) (hc : c ≈ₛ c') :
    .loop b c ≈ₛ .loop b' c' :=
  fun _ _ =>
    ⟨loop_mono hb fun s t => (hc s t).mp,
     loop_mono (fun s => (hb s).symm) fun s t => (hc s t).mpr⟩

/-- A relation that respects the syntax. -/
structure Congruence (r : Stmt → Stmt → Prop) : Prop where
  refl (c : Stmt) : r c c
  symm {c d : Stmt} : r c d → r d c
  trans {c d e : Stmt} : r c d → r d e → r c e
  seq {c c' d d' : Stmt} : r c c' → r d d' → r (c ;; d) (c' ;; d')
  cond {c c' d d' : Stmt} (b : BExp) : r c c' → r d d' → r (.cond b c d) (.cond b c' d')
  loop {c c' : Stmt} (b : BExp) : r c c' → r (.loop b c) (.loop b c')

theorem congruence : Congruence Stmt.Equiv where
  refl := Stmt.Equiv.refl
  symm := Stmt.Equiv.symm
  trans := Stmt.Equiv.trans
  seq := seq_congr
  cond := cond_congr
  loop _ := loop_congr fun _ => rfl

end Stmt.Equiv

end Demo
