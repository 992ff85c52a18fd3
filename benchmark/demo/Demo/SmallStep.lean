import Demo.BigStep

/-! Small-step semantics, and its agreement with the big-step semantics. -/

set_option autoImplicit false

namespace Demo

/-- A statement still to be run, and the state it starts from. -/
abbrev Config := Stmt × State

/-- One step of computation. -/
inductive Step : Config → Config → Prop where
  | assign (x : Ident) (a : AExp) (s : State) : Step (.assign x a, s) (.skip, s ◁ x ↦ a.eval s)
  | seqSkip (d : Stmt) (s : State) : Step (.skip ;; d, s) (d, s)
  | seqStep {c c' : Stmt} (d : Stmt) {s s' : State} (h : Step (c, s) (c', s')) :
      Step (c ;; d, s) (c' ;; d, s')
  | condTrue {b : BExp} (c d : Stmt) {s : State} (hb : b.eval s = true) :
      Step (.cond b c d, s) (c, s)
  | condFalse {b : BExp} (c d : Stmt) {s : State} (hb : b.eval s = false) :
      Step (.cond b c d, s) (d, s)
  | loop (b : BExp) (c : Stmt) (s : State) :
      Step (.loop b c, s) (.cond b (c ;; .loop b c) .skip, s)

/-- Any number of steps. -/
inductive Steps : Config → Config → Prop where
  | refl (p : Config) : Steps p p
  | head {p q r : Config} (h : Step p q) (t : Steps q r) : Steps p r

infix:50 " ⟶ " => Step
infix:50 " ⟶* " => Steps

namespace Steps

theorem single {p q : Config} (h : p ⟶ q) : p ⟶* q := .head h (.refl q)

theorem trans {p q r : Config} (h : p ⟶* q) (k : q ⟶* r) : p ⟶* r := by
  induction h with
  | refl => exact k
  | head h _ ih => exact .head h (ih k)

/-- Steps of the first part are steps of the sequence. -/
theorem seq {c c' : Stmt} {s s' : State} (d : Stmt) (h : (c, s) ⟶* (c', s')) :
    (c ;; d, s) ⟶* (c' ;; d, s') := by
  generalize hp : (c, s) = p at h
  generalize hq : (c', s') = q at h
  induction h generalizing c s with
  | refl r =>
    cases hp
    cases hq
    exact .refl _
  | @head _ q _ h _ ih =>
    cases hp
    cases q with
    | mk c₁ s₁ => exact .head (.seqStep d h) (ih rfl hq)

end Steps

namespace Step

/-- `skip` is the only statement that is done. -/
theorem progress (c : Stmt) (s : State) : c = .skip ∨ ∃ p, (c, s) ⟶ p := by
  induction c with
  | skip => exact .inl rfl
  | assign x a => exact .inr ⟨_, .assign x a s⟩
  | seq c d ihc _ =>
    cases ihc with
    | inl h =>
      subst h
      exact .inr ⟨_, .seqSkip d s⟩
    | inr h =>
      cases h with
      | intro p h => exact .inr ⟨_, .seqStep (c' := p.1) (s' := p.2) d h⟩
  | cond b c d _ _ =>
    cases hb : b.eval s with
    | true => exact .inr ⟨_, .condTrue c d hb⟩
    | false => exact .inr ⟨_, .condFalse c d hb⟩
  | loop b c _ => exact .inr ⟨_, .loop b c s⟩

/-- A step keeps the result. -/
theorem bigStep {c d : Stmt} {s t u : State} (h : (c, s) ⟶ (d, t)) (k : t ⊢ d ⇓ u) :
    s ⊢ c ⇓ u := by
  generalize hp : (c, s) = p at h
  generalize hq : (d, t) = q at h
  induction h generalizing c d s t u with
  | assign x a s =>
    cases hp
    cases hq
    cases k
    exact .assign x a s
  | seqSkip d s =>
    cases hp
    cases hq
    exact .seq (.skip s) k
  | seqStep d _ ih =>
    cases hp
    cases hq
    cases k with
    | seq k₁ k₂ => exact .seq (ih k₁ rfl rfl) k₂
  | condTrue c d hb =>
    cases hp
    cases hq
    exact .condTrue hb k
  | condFalse c d hb =>
    cases hp
    cases hq
    exact .condFalse hb k
  | loop b c s =>
    cases hp
    cases hq
    cases k with
    | condTrue hb k =>
      cases k with
      | seq k₁ k₂ => exact .loopTrue hb k₁ k₂
    | condFalse hb k =>
      cases k
      exact .loopFalse hb

end Step

namespace BigStep

/-- What ends in the big-step semantics steps to `skip`. -/
theorem steps {c : Stmt} {s t : State} (h : s ⊢ c ⇓ t) : (c, s) ⟶* (.skip, t) := by
  induction h with
  | skip s => exact .refl _
  | assign x a s => exact .single (.assign x a s)
  | seq _ _ ihc ihd => exact (ihc.seq _).trans (.head (.seqSkip _ _) ihd)
  | condTrue hb _ ih => exact .head (.condTrue _ _ hb) ih
  | condFalse hb _ ih => exact .head (.condFalse _ _ hb) ih
  | loopTrue hb _ _ ihc ihl =>
    exact .head (.loop _ _ _) (.head (.condTrue _ _ hb)
      ((ihc.seq _).trans (.head (.seqSkip _ _) ihl)))
  | loopFalse hb => exact .head (.loop _ _ _) (.single (.condFalse _ _ hb))

theorem of_steps {c : Stmt} {s t : State} (h : (c, s) ⟶* (.skip, t)) : s ⊢ c ⇓ t := by
  generalize hp : (c, s) = p at h
  generalize hq : (Stmt.skip, t) = q at h
  induction h generalizing c s with
  | refl r =>
    cases hp
    cases hq
    exact .skip t
  | @head _ q _ h _ ih =>
    cases hp
    cases q with
    | mk c₁ s₁ => exact h.bigStep (ih rfl hq)

/-- The two semantics agree. -/
theorem iff_steps {c : Stmt} {s t : State} : s ⊢ c ⇓ t ↔ (c, s) ⟶* (.skip, t) :=
  ⟨steps, of_steps⟩

end BigStep

end Demo
