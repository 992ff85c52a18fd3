import Demo.Typing

/-! Type safety: a well-typed term never gets stuck. -/

set_option autoImplicit false

namespace Demo.Typed

/-- A well-typed term is a value or can step. -/
theorem HasType.progress {t : Term} {τ : Ty} (h : t ∶ τ) : Value t ∨ ∃ u, t ⇝ u := by
  induction h with
  | tru => exact .inl .tru
  | fls => exact .inl .fls
  | zero => exact .inl (.num .zero)
  | succ h ih =>
    cases ih with
    | inl v => exact .inl (.num (.succ (v.numeral h)))
    | inr r => exact r.elim fun u r => .inr ⟨_, .succ r⟩
  | pred h ih =>
    cases ih with
    | inl v =>
      cases v.numeral h with
      | zero => exact .inr ⟨_, .predZero⟩
      | succ n => exact .inr ⟨_, .predSucc n⟩
    | inr r => exact r.elim fun u r => .inr ⟨_, .pred r⟩
  | isZero h ih =>
    cases ih with
    | inl v =>
      cases v.numeral h with
      | zero => exact .inr ⟨_, .isZeroZero⟩
      | succ n => exact .inr ⟨_, .isZeroSucc n⟩
    | inr r => exact r.elim fun u r => .inr ⟨_, .isZero r⟩
  | ite hc _ _ ih _ _ =>
    cases ih with
    | inl v =>
      cases v.bool_cases hc with
      | inl e => subst e; exact .inr ⟨_, .iteTru _ _⟩
      | inr e => subst e; exact .inr ⟨_, .iteFls _ _⟩
    | inr r => exact r.elim fun u r => .inr ⟨_, .ite _ _ r⟩

/-- A term that cannot step although it is no value. -/
def Stuck (t : Term) : Prop := ¬ Value t ∧ ∀ u, ¬ (t ⇝ u)

theorem preservation_star {t u : Term} {τ : Ty} (h : t ∶ τ) (r : t ⇝* u) : u ∶ τ := by
  induction r with
  | refl => exact h
  | tail _ r ih => exact ih.preservation r

/-- Well-typed terms do not get stuck. -/
theorem safety {t u : Term} {τ : Ty} (h : t ∶ τ) (r : t ⇝* u) : ¬ Stuck u := fun ⟨nv, ns⟩ =>
  match (preservation_star h r).progress with
  | .inl v => nv v
  | .inr ⟨w, hw⟩ => ns w hw

/-- Evaluation is deterministic. -/
theorem Red.deterministic {t u v : Term} (h : t ⇝ u) (k : t ⇝ v) : u = v := by
  induction h generalizing v with
  | succ _ ih => cases k with | succ k => exact congrArg Term.succ (ih k)
  | predZero =>
    cases k with
    | predZero => rfl
    | pred k => cases k
  | predSucc n =>
    cases k with
    | predSucc _ => rfl
    | pred k => exact absurd k n.succ.irred
  | pred h ih =>
    cases k with
    | predZero => cases h
    | predSucc n => exact absurd h n.succ.irred
    | pred k => exact congrArg Term.pred (ih k)
  | isZeroZero =>
    cases k with
    | isZeroZero => rfl
    | isZero k => cases k
  | isZeroSucc n =>
    cases k with
    | isZeroSucc _ => rfl
    | isZero k => exact absurd k n.succ.irred
  | isZero h ih =>
    cases k with
    | isZeroZero => cases h
    | isZeroSucc n => exact absurd h n.succ.irred
    | isZero k => exact congrArg Term.isZero (ih k)
  | iteTru t e =>
    cases k with
    | iteTru => rfl
    | ite _ _ k => cases k
  | iteFls t e =>
    cases k with
    | iteFls => rfl
    | ite _ _ k => cases k
  | ite t e h ih =>
    cases k with
    | iteTru => cases h
    | iteFls => cases h
    | ite _ _ k => rw [ih k]

end Demo.Typed
