import Demo.Machine

/-! Runs of the stack machine: they compose, they split, and they are determined. -/

set_option autoImplicit false

namespace Demo

namespace Exec

/-- Run one piece of code, then another. -/
theorem append {c k : Code} {p q r : Stack × State} (hc : Exec c p q) (hk : Exec k q r) :
    Exec (c ++ k) p r := by
  induction hc with
  | nil p => exact hk
  | op h _ ih => exact .op h (ih hk)
  | yes hy _ _ ih => exact .yes hy (ih hk)
  | no hn _ _ ih => exact .no hn (ih hk)
  | again ht hb _ _ _ ih => exact .again ht hb (ih hk)
  | exit ht _ _ ih => exact .exit ht (ih hk)

/-- A run of two pieces of code is a run of the first and a run of the second. -/
theorem split {c k : Code} {p r : Stack × State} (h : Exec (c ++ k) p r) :
    ∃ q, Exec c p q ∧ Exec k q r := by
  generalize hl : c ++ k = l at h
  induction h generalizing c with
  | nil p =>
    cases c with
    | nil => cases hl; exact ⟨p, .nil p, .nil p⟩
    | op | branch | loop => cases hl
  | op h hc ih =>
    cases c with
    | nil => cases hl; exact ⟨_, .nil _, .op h hc⟩
    | op o c =>
      cases hl
      exact (ih rfl).elim fun q ⟨h₁, h₂⟩ => ⟨q, .op h h₁, h₂⟩
    | branch | loop => cases hl
  | yes hy hc _ ih =>
    cases c with
    | nil => cases hl; exact ⟨_, .nil _, .yes hy hc⟩
    | branch y n c =>
      cases hl
      exact (ih rfl).elim fun q ⟨h₁, h₂⟩ => ⟨q, .yes hy h₁, h₂⟩
    | op | loop => cases hl
  | no hn hc _ ih =>
    cases c with
    | nil => cases hl; exact ⟨_, .nil _, .no hn hc⟩
    | branch y n c =>
      cases hl
      exact (ih rfl).elim fun q ⟨h₁, h₂⟩ => ⟨q, .no hn h₁, h₂⟩
    | op | loop => cases hl
  | again ht hb hc _ _ ih =>
    cases c with
    | nil => cases hl; exact ⟨_, .nil _, .again ht hb hc⟩
    | loop t b c =>
      cases hl
      exact (ih (c := .loop _ _ c) rfl).elim fun q ⟨h₁, h₂⟩ => ⟨q, .again ht hb h₁, h₂⟩
    | op | branch => cases hl
  | exit ht hc _ ih =>
    cases c with
    | nil => cases hl; exact ⟨_, .nil _, .exit ht hc⟩
    | loop t b c =>
      cases hl
      exact (ih rfl).elim fun q ⟨h₁, h₂⟩ => ⟨q, .exit ht h₁, h₂⟩
    | op | branch => cases hl

/-- The machine has at most one result. -/
theorem deterministic {c : Code} {p q r : Stack × State} (hq : Exec c p q) (hr : Exec c p r) :
    q = r := by
  induction hq generalizing r with
  | nil p => cases hr; rfl
  | op h _ ih =>
    cases hr with
    | op h' hc =>
      cases h.symm.trans h'
      exact ih hc
  | yes _ _ ihy ihc =>
    cases hr with
    | yes hy hc =>
      cases ihy hy
      exact ihc hc
  | no _ _ ihn ihc =>
    cases hr with
    | no hn hc =>
      cases ihn hn
      exact ihc hc
  | again _ _ _ iht ihb ihl =>
    cases hr with
    | again ht hb hl =>
      cases iht ht
      cases ihb hb
      exact ihl hl
    | exit ht _ => cases iht ht
  | exit _ _ iht ihc =>
    cases hr with
    | again ht _ _ => cases iht ht
    | exit ht hc =>
      cases iht ht
      exact ihc hc

end Exec

end Demo
