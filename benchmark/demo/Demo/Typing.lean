/-! Types for a language of booleans and numbers: progress, preservation, safety. -/

set_option autoImplicit false

namespace Demo.Typed

/-- Terms. -/
inductive Term where
  | tru
  | fls
  | zero
  | succ (t : Term)
  | pred (t : Term)
  | isZero (t : Term)
  | ite (c t e : Term)

/-- Types. -/
inductive Ty where
  | bool
  | nat

/-- Numbers in normal form. -/
inductive Numeral : Term → Prop where
  | zero : Numeral .zero
  | succ {t : Term} (h : Numeral t) : Numeral (.succ t)

/-- Values: booleans and numerals. -/
inductive Value : Term → Prop where
  | tru : Value .tru
  | fls : Value .fls
  | num {t : Term} (h : Numeral t) : Value t

/-- One step of evaluation. -/
inductive Red : Term → Term → Prop where
  | succ {t t' : Term} (h : Red t t') : Red (.succ t) (.succ t')
  | predZero : Red (.pred .zero) .zero
  | predSucc {t : Term} (h : Numeral t) : Red (.pred (.succ t)) t
  | pred {t t' : Term} (h : Red t t') : Red (.pred t) (.pred t')
  | isZeroZero : Red (.isZero .zero) .tru
  | isZeroSucc {t : Term} (h : Numeral t) : Red (.isZero (.succ t)) .fls
  | isZero {t t' : Term} (h : Red t t') : Red (.isZero t) (.isZero t')
  | iteTru (t e : Term) : Red (.ite .tru t e) t
  | iteFls (t e : Term) : Red (.ite .fls t e) e
  | ite {c c' : Term} (t e : Term) (h : Red c c') : Red (.ite c t e) (.ite c' t e)

/-- Evaluation in any number of steps. -/
inductive Reds : Term → Term → Prop where
  | refl (t : Term) : Reds t t
  | tail {t u v : Term} (h : Reds t u) (r : Red u v) : Reds t v

/-- The typing rules. -/
inductive HasType : Term → Ty → Prop where
  | tru : HasType .tru .bool
  | fls : HasType .fls .bool
  | zero : HasType .zero .nat
  | succ {t : Term} (h : HasType t .nat) : HasType (.succ t) .nat
  | pred {t : Term} (h : HasType t .nat) : HasType (.pred t) .nat
  | isZero {t : Term} (h : HasType t .nat) : HasType (.isZero t) .bool
  | ite {c t e : Term} {τ : Ty} (hc : HasType c .bool) (ht : HasType t τ) (he : HasType e τ) :
      HasType (.ite c t e) τ

infix:50 " ⇝ " => Red
infix:50 " ⇝* " => Reds
infix:50 " ∶ " => HasType

/-- Numerals do not step. -/
theorem Numeral.irred {t u : Term} (h : Numeral t) : ¬ (t ⇝ u) := by
  induction h generalizing u with
  | zero => intro r; cases r
  | succ _ ih =>
    intro r
    cases r with
    | succ r => exact ih r

/-- Values do not step. -/
theorem Value.irred {t u : Term} : Value t → ¬ (t ⇝ u)
  | .tru, r => by cases r
  | .fls, r => by cases r
  | .num h, r => h.irred r

/-- A boolean value is `tru` or `fls`. -/
theorem Value.bool_cases {t : Term} (h : Value t) (ht : t ∶ .bool) : t = .tru ∨ t = .fls := by
  cases h with
  | tru => exact .inl rfl
  | fls => exact .inr rfl
  | num h =>
    cases h with
    | zero | succ => cases ht

/-- A value of type `nat` is a numeral. -/
theorem Value.numeral {t : Term} (h : Value t) (ht : t ∶ .nat) : Numeral t := by
  cases h with
  | tru | fls => cases ht
  | num h => exact h

theorem HasType.τ_unique {t : Term} {τ σ : Ty} (h : t ∶ τ) (k : t ∶ σ) : τ = σ := by
  induction h generalizing σ with
  | tru | fls | zero | succ | pred | isZero => cases k; rfl
  | ite _ _ _ _ iht _ =>
    cases k with
    | ite _ ht _ => exact iht ht

/-- Steps keep the type. -/
theorem HasType.preservation {t u : Term} {τ : Ty} (h : t ∶ τ) (r : t ⇝ u) : u ∶ τ := by
  induction r generalizing τ with
  | succ _ ih => cases h with | succ h => exact .succ (ih h)
  | predZero => cases h; exact .zero
  | predSucc _ => cases h with | pred h => cases h; assumption
  | pred _ ih => cases h with | pred h => exact .pred (ih h)
  | isZeroZero => cases h; exact .tru
  | isZeroSucc _ => cases h; exact .fls
  | isZero _ ih => cases h with | isZero h => exact .isZero (ih h)
  | iteTru t e => cases h with | ite _ ht _ => exact ht
  | iteFls t e => cases h with | ite _ _ he => exact he
  | ite t e _ ih => cases h with | ite hc ht he => exact .ite (ih hc) ht he

end Demo.Typed
