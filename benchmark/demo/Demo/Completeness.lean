import Demo.Compiler

/-! The other half of compiler correctness: compiled code does only what the source does. -/

set_option autoImplicit false

namespace Demo

theorem ofBool_eq_zero : ∀ {v : Bool}, ofBool v = 0 → v = false
  | true, h => nomatch h
  | false, _ => rfl

theorem ofBool_eq_succ : ∀ {v : Bool} {n : Nat}, ofBool v = n + 1 → v = true
  | true, _, _ => rfl
  | false, _, h => nomatch h

/-- A compiled condition that ends with `v` on the stack has the truth value `v`. -/
theorem BExp.compile_inv {p : BExp} {st st' : Stack} {s s' : State} {v : Nat}
    (h : Exec p.compile (st, s) (v :: st', s')) : ofBool (p.eval s) = v ∧ st = st' ∧ s = s' := by
  cases (p.compile_correct st s).deterministic h
  exact ⟨rfl, rfl, rfl⟩

/-- What the code of a loop does, the loop does, if its body's code does what the body does. -/
theorem loop_compile_inv {b : BExp} {c : Stmt}
    (hc : ∀ {st s p}, Exec c.compile (st, s) p → ∃ t, p = (st, t) ∧ s ⊢ c ⇓ t) {st : Stack}
    {s : State} {p : Stack × State} (h : Exec (.loop b.compile c.compile .nil) (st, s) p) :
    ∃ t, p = (st, t) ∧ s ⊢ .loop b c ⇓ t := by
  generalize hk : Code.loop b.compile c.compile .nil = k at h
  generalize hq : (st, s) = q at h
  induction h generalizing st s with
  | nil | op | yes | no => cases hk
  | again ht hb _ _ _ ih =>
    cases hk
    cases hq
    have ⟨hv, hst, hs⟩ := BExp.compile_inv ht
    subst hst hs
    have ⟨t, ht, hct⟩ := hc hb
    have ⟨u, hu, hl⟩ := ih rfl ht.symm
    exact ⟨u, hu, .loopTrue (ofBool_eq_succ hv) hct hl⟩
  | exit ht hn _ _ =>
    cases hk
    cases hq
    have ⟨hv, hst, hs⟩ := BExp.compile_inv ht
    subst hst hs
    cases hn
    exact ⟨_, rfl, .loopFalse (ofBool_eq_zero hv)⟩

/-- Whatever the code of a statement does, the statement does. -/
theorem Stmt.compile_complete {c : Stmt} {st : Stack} {s : State} {p : Stack × State}
    (h : Exec c.compile (st, s) p) : ∃ t, p = (st, t) ∧ s ⊢ c ⇓ t := by
  induction c generalizing st s p with
  | skip =>
    cases h
    exact ⟨s, rfl, .skip s⟩
  | assign x a =>
    have k : Exec (assign x a).compile (st, s) (st, s ◁ x ↦ a.eval s) :=
      Stmt.compile_correct (.assign x a s) st
    exact ⟨_, h.deterministic k, .assign x a s⟩
  | seq c d ihc ihd =>
    have ⟨q, h₁, h₂⟩ := h.split
    have ⟨t, ht, hc⟩ := ihc h₁
    subst ht
    have ⟨u, hu, hd⟩ := ihd h₂
    exact ⟨u, hu, .seq hc hd⟩
  | cond b c d ihc ihd =>
    have ⟨q, h₁, h₂⟩ := h.split
    cases h₂ with
    | yes hy hn =>
      have ⟨hv, hst, hs⟩ := BExp.compile_inv h₁
      subst hst hs
      cases hn
      have ⟨t, ht, hc⟩ := ihc hy
      exact ⟨t, ht, .condTrue (ofBool_eq_succ hv) hc⟩
    | no hn' hn =>
      have ⟨hv, hst, hs⟩ := BExp.compile_inv h₁
      subst hst hs
      cases hn
      have ⟨t, ht, hd⟩ := ihd hn'
      exact ⟨t, ht, .condFalse (ofBool_eq_zero hv) hd⟩
  | loop b c ih => exact loop_compile_inv ih h

/-- The compiler is correct: source and code have the same runs. -/
theorem Stmt.compile_iff {c : Stmt} {s t : State} :
    s ⊢ c ⇓ t ↔ Exec c.compile ([], s) ([], t) := by
  constructor
  · exact fun h => Stmt.compile_correct h []
  · intro h
    have ⟨u, hu, hc⟩ := Stmt.compile_complete h
    cases hu
    exact hc

end Demo
