prelude
import Init.Logic
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Natural numbers -/

@[induction_eliminator, elab_as_elim] protected def Nat.recAux {motive : Nat → Sort u} (zero : motive 0) (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t :=
  match t with
  | 0 => zero
  | .succ n => succ n (Nat.recAux zero succ n)
@[cases_eliminator, elab_as_elim] protected abbrev Nat.casesAuxOn {motive : Nat → Sort u} (t : Nat) (zero : motive 0) (succ : ∀ n, motive (n + 1)) : motive t :=
  match t with
  | 0 => zero
  | .succ n => succ n
@[reducible] instance instZeroNat : Zero Nat := ⟨0⟩
@[reducible] instance instOneNat : One Nat := ⟨1⟩
instance (priority := 200) Zero.toOfNat0 {α : Type u} [Zero α] : OfNat α (nat_lit 0) := ⟨Zero.zero⟩
instance (priority := 200) One.toOfNat1 {α : Type u} [One α] : OfNat α (nat_lit 1) := ⟨One.one⟩
instance instNatCastNat : NatCast Nat := ⟨id⟩
namespace Nat
@[simp] theorem add_zero (n : Nat) : n + 0 = n := rfl
theorem add_succ (n m : Nat) : n + succ m = succ (n + m) := rfl
theorem add_one (n : Nat) : n + 1 = succ n := rfl
theorem succ_eq_add_one (n : Nat) : succ n = n + 1 := rfl
@[simp] theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg succ ih
theorem succ_add (n m : Nat) : succ n + m = succ (n + m) := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg succ ih
protected theorem add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => exact (zero_add n).symm
  | succ m ih => exact (congrArg succ ih).trans (succ_add m n).symm
protected theorem add_assoc (a b c : Nat) : a + b + c = a + (b + c) := by
  induction c with
  | zero => rfl
  | succ c ih => exact congrArg succ ih
protected theorem add_left_comm (a b c : Nat) : a + (b + c) = b + (a + c) := by
  rw [← Nat.add_assoc, Nat.add_comm a b, Nat.add_assoc]
@[simp] theorem mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem mul_succ (n m : Nat) : n * succ m = n * m + n := rfl
@[simp] theorem zero_mul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih
theorem succ_mul (n m : Nat) : succ n * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih => rw [mul_succ, ih, mul_succ, add_succ, add_succ, Nat.add_assoc, Nat.add_comm m n, Nat.add_assoc]
@[simp] protected theorem mul_one (n : Nat) : n * 1 = n := zero_add n
@[simp] protected theorem one_mul (n : Nat) : 1 * n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg succ ih
protected theorem mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => exact (zero_mul n).symm
  | succ m ih => rw [mul_succ, succ_mul, ih]
protected theorem mul_add (a b c : Nat) : a * (b + c) = a * b + a * c := by
  induction c with
  | zero => rfl
  | succ c ih => rw [add_succ, mul_succ, mul_succ, ih, Nat.add_assoc]
protected theorem add_mul (a b c : Nat) : (a + b) * c = a * c + b * c := by
  rw [Nat.mul_comm, Nat.mul_add, Nat.mul_comm c a, Nat.mul_comm c b]
protected theorem mul_assoc (a b c : Nat) : a * b * c = a * (b * c) := by
  induction c with
  | zero => rfl
  | succ c ih => rw [mul_succ, mul_succ, Nat.mul_add, ih]

end Nat

/-! ### Successor and order -/
namespace Nat
@[simp] theorem succ_ne_zero (n : Nat) : succ n ≠ 0 := nofun
@[simp] theorem add_one_ne_zero (n : Nat) : n + 1 ≠ 0 := nofun
@[simp] protected theorem zero_ne_add_one (n : Nat) : 0 ≠ n + 1 := nofun
protected theorem zero_ne_one : (0 : Nat) ≠ 1 := nofun
@[simp] protected theorem one_ne_zero : (1 : Nat) ≠ 0 := nofun
theorem succ.inj {n m : Nat} (h : succ n = succ m) : n = m := congrArg pred h
theorem succ_inj {a b : Nat} : succ a = succ b ↔ a = b := ⟨succ.inj, congrArg succ⟩
theorem succ_inj' {a b : Nat} : succ a = succ b ↔ a = b := succ_inj
theorem add_one_inj {a b : Nat} : a + 1 = b + 1 ↔ a = b := succ_inj
@[simp] theorem succ.injEq (n m : Nat) : (succ n = succ m) = (n = m) := propext succ_inj
@[simp] theorem pred_zero : pred 0 = 0 := rfl
@[simp] theorem pred_succ (n : Nat) : pred n.succ = n := rfl
theorem pred_eq_sub_one {n : Nat} : pred n = n - 1 := rfl
@[simp] theorem add_eq {x y : Nat} : Nat.add x y = x + y := rfl
@[simp] theorem mul_eq {x y : Nat} : Nat.mul x y = x * y := rfl
@[simp] theorem sub_eq {x y : Nat} : Nat.sub x y = x - y := rfl
@[simp] theorem lt_eq {x y : Nat} : Nat.lt x y = (x < y) := rfl
@[simp] theorem le_eq {x y : Nat} : Nat.le x y = (x ≤ y) := rfl
@[simp, refl] theorem le_refl (n : Nat) : n ≤ n := .refl
protected theorem le_rfl {n : Nat} : n ≤ n := .refl
theorem le_of_eq {n m : Nat} (h : n = m) : n ≤ m := h ▸ .refl
theorem le_succ_of_le {n m : Nat} (h : n ≤ m) : n ≤ succ m := .step h
theorem le_succ (n : Nat) : n ≤ succ n := .step .refl
@[simp] theorem le_add_one (n : Nat) : n ≤ n + 1 := .step .refl
@[simp] theorem zero_le (n : Nat) : 0 ≤ n := by
  induction n with
  | zero => exact .refl
  | succ n ih => exact .step ih
protected theorem le_trans {n m k : Nat} (h : n ≤ m) (h' : m ≤ k) : n ≤ k := by
  induction h' with
  | refl => exact h
  | step _ ih => exact .step ih
theorem succ_le_succ {n m : Nat} (h : n ≤ m) : succ n ≤ succ m := succ_le_succ' h
theorem pred_le_pred {n m : Nat} (h : n ≤ m) : pred n ≤ pred m := by
  induction h with
  | refl => exact .refl
  | @step m _ ih => cases m with
    | zero => exact ih
    | succ m => exact .step ih
theorem le_of_succ_le_succ {n m : Nat} (h : succ n ≤ succ m) : n ≤ m := pred_le_pred h
theorem le_of_lt_succ {m n : Nat} (h : m < succ n) : m ≤ n := le_of_succ_le_succ h
theorem le_of_lt_add_one {n m : Nat} (h : n < m + 1) : n ≤ m := le_of_succ_le_succ h
theorem lt_succ_of_le {n m : Nat} (h : n ≤ m) : n < succ m := succ_le_succ h
theorem lt_add_one_of_le {n m : Nat} (h : n ≤ m) : n < m + 1 := succ_le_succ h
theorem succ_le_of_lt {n m : Nat} (h : n < m) : succ n ≤ m := h
theorem lt_of_succ_le {n m : Nat} (h : succ n ≤ m) : n < m := h
theorem lt_of_add_one_le {n m : Nat} (h : n + 1 ≤ m) : n < m := h
theorem add_one_le_of_lt {n m : Nat} (h : n < m) : n + 1 ≤ m := h
@[simp] theorem not_succ_le_zero (n : Nat) : ¬succ n ≤ 0 := nofun
@[simp] theorem not_lt_zero (n : Nat) : ¬n < 0 := nofun
theorem not_succ_le_self (n : Nat) : ¬succ n ≤ n := by
  induction n with
  | zero => exact nofun
  | succ n ih => exact fun h => ih (le_of_succ_le_succ h)
@[simp] protected theorem lt_irrefl (n : Nat) : ¬n < n := not_succ_le_self n
theorem lt_succ_self (n : Nat) : n < succ n := .refl
@[simp] protected theorem lt_add_one (n : Nat) : n < n + 1 := .refl
theorem lt.base (n : Nat) : n < succ n := .refl
theorem lt.step {n m : Nat} (h : n < m) : n < succ m := Nat.le.step h
protected theorem le_of_lt {n m : Nat} (h : n < m) : n ≤ m := Nat.le_trans (le_succ n) h
theorem le_of_succ_le {n m : Nat} (h : succ n ≤ m) : n ≤ m := Nat.le_of_lt h
protected theorem lt_of_lt_of_le {n m k : Nat} (h : n < m) (h' : m ≤ k) : n < k := Nat.le_trans h h'
protected theorem lt_of_le_of_lt {n m k : Nat} (h : n ≤ m) (h' : m < k) : n < k := Nat.le_trans (succ_le_succ h) h'
protected theorem lt_trans {n m k : Nat} (h : n < m) (h' : m < k) : n < k := Nat.lt_of_lt_of_le h (Nat.le_of_lt h')
protected theorem lt_asymm {a b : Nat} (h : a < b) : ¬b < a := fun k => Nat.lt_irrefl _ (Nat.lt_trans h k)
protected theorem le_antisymm {n m : Nat} (h : n ≤ m) (k : m ≤ n) : n = m := by
  cases h with
  | refl => rfl
  | step h => exact (not_succ_le_self _ (Nat.le_trans k h)).elim
protected theorem le_antisymm_iff {a b : Nat} : a = b ↔ a ≤ b ∧ b ≤ a := ⟨fun h => ⟨le_of_eq h, le_of_eq h.symm⟩, fun h => Nat.le_antisymm h.1 h.2⟩
protected theorem lt_or_ge (a b : Nat) : a < b ∨ a ≥ b := by
  induction a with
  | zero => cases b with
    | zero => exact .inr .refl
    | succ b => exact .inl (succ_le_succ (zero_le b))
  | succ a ih => cases ih with
    | inl h => cases h with
      | refl => exact .inr .refl
      | step h => exact .inl (succ_le_succ h)
    | inr h => exact .inr (.step h)
protected theorem lt_or_le (a b : Nat) : a < b ∨ b ≤ a := Nat.lt_or_ge a b
protected theorem le_total (m n : Nat) : m ≤ n ∨ n ≤ m := (Nat.lt_or_ge m n).imp Nat.le_of_lt id
protected theorem lt_or_eq_of_le {n m : Nat} (h : n ≤ m) : n < m ∨ n = m := by
  cases h with
  | refl => exact .inr rfl
  | step h => exact .inl (succ_le_succ h)
protected theorem eq_or_lt_of_le {n m : Nat} (h : n ≤ m) : n = m ∨ n < m := (Nat.lt_or_eq_of_le h).symm
protected theorem le_iff_lt_or_eq {n m : Nat} : n ≤ m ↔ n < m ∨ n = m := ⟨Nat.lt_or_eq_of_le, fun h => h.elim Nat.le_of_lt le_of_eq⟩
protected theorem lt_iff_le_and_ne {m n : Nat} : m < n ↔ m ≤ n ∧ m ≠ n :=
  ⟨fun h => ⟨Nat.le_of_lt h, fun e => Nat.lt_irrefl _ (e ▸ h)⟩, fun h => (Nat.lt_or_eq_of_le h.1).resolve_right h.2⟩
protected theorem lt_of_le_of_ne {n m : Nat} (h : n ≤ m) (k : ¬n = m) : n < m := (Nat.lt_or_eq_of_le h).resolve_right k
protected theorem not_le_of_gt {n m : Nat} (h : n > m) : ¬n ≤ m := fun k => Nat.lt_irrefl _ (Nat.lt_of_le_of_lt k h)
protected theorem not_le_of_lt {a b : Nat} (h : a < b) : ¬b ≤ a := Nat.not_le_of_gt h
protected theorem not_lt_of_ge {a b : Nat} (h : b ≥ a) : ¬b < a := fun k => Nat.not_le_of_gt k h
protected theorem not_lt_of_le {a b : Nat} (h : a ≤ b) : ¬b < a := Nat.not_lt_of_ge h
protected theorem gt_of_not_le {n m : Nat} (h : ¬n ≤ m) : n > m := (Nat.lt_or_ge m n).resolve_right h
protected theorem lt_of_not_ge {a b : Nat} (h : ¬b ≥ a) : b < a := (Nat.lt_or_ge b a).resolve_right h
protected theorem lt_of_not_le {a b : Nat} (h : ¬a ≤ b) : b < a := Nat.gt_of_not_le h
protected theorem ge_of_not_lt {n m : Nat} (h : ¬n < m) : n ≥ m := (Nat.lt_or_ge n m).resolve_left h
protected theorem le_of_not_gt {a b : Nat} (h : ¬b > a) : b ≤ a := Nat.ge_of_not_lt h
protected theorem le_of_not_lt {a b : Nat} (h : ¬a < b) : b ≤ a := Nat.ge_of_not_lt h
protected theorem le_of_not_le {a b : Nat} (h : ¬b ≤ a) : a ≤ b := Nat.le_of_lt (Nat.gt_of_not_le h)
@[simp] protected theorem not_le {n m : Nat} : ¬n ≤ m ↔ m < n := ⟨Nat.gt_of_not_le, Nat.not_le_of_gt⟩
@[simp] protected theorem not_lt {n m : Nat} : ¬n < m ↔ m ≤ n := ⟨Nat.ge_of_not_lt, Nat.not_lt_of_ge⟩
protected theorem ne_of_gt {a b : Nat} (h : b < a) : a ≠ b := fun e => Nat.lt_irrefl _ (e ▸ h)
protected theorem ne_of_lt {a b : Nat} (h : a < b) : a ≠ b := fun e => Nat.lt_irrefl _ (e ▸ h)
protected theorem ne_of_lt' {a b : Nat} (h : b < a) : a ≠ b := Nat.ne_of_gt h
protected theorem lt_or_gt_of_ne {a b : Nat} (h : a ≠ b) : a < b ∨ a > b := (Nat.lt_or_ge a b).imp id fun k => Nat.lt_of_le_of_ne k h.symm
protected theorem ne_iff_lt_or_gt {a b : Nat} : a ≠ b ↔ a < b ∨ b < a := ⟨Nat.lt_or_gt_of_ne, fun h => h.elim Nat.ne_of_lt Nat.ne_of_gt⟩
protected theorem lt_trichotomy (a b : Nat) : a < b ∨ a = b ∨ b < a := (Nat.lt_or_ge a b).imp id fun h => (Nat.eq_or_lt_of_le h).imp Eq.symm id
protected theorem eq_or_lt_of_not_lt {a b : Nat} (h : ¬a < b) : a = b ∨ b < a := (Nat.lt_trichotomy a b).resolve_left h
protected theorem pos_of_ne_zero {n : Nat} (h : n ≠ 0) : 0 < n := (Nat.eq_or_lt_of_le (zero_le n)).resolve_left h.symm
protected theorem ne_zero_of_lt {a b : Nat} (h : b < a) : a ≠ 0 := fun e => not_lt_zero b (e ▸ h)
protected theorem pos_iff_ne_zero {n : Nat} : 0 < n ↔ n ≠ 0 := ⟨Nat.ne_of_gt, Nat.pos_of_ne_zero⟩
protected theorem eq_zero_or_pos (n : Nat) : n = 0 ∨ 0 < n := by
  cases n with
  | zero => exact .inl rfl
  | succ n => exact .inr (succ_le_succ (zero_le n))
@[simp] theorem zero_lt_succ (n : Nat) : 0 < succ n := succ_le_succ (zero_le n)
@[simp] theorem zero_lt_add_one (n : Nat) : 0 < n + 1 := zero_lt_succ n
theorem succ_pos (n : Nat) : 0 < succ n := zero_lt_succ n
@[simp] protected theorem zero_lt_one : 0 < (1 : Nat) := zero_lt_succ 0
protected theorem one_pos : 0 < (1 : Nat) := zero_lt_succ 0
protected theorem two_pos : 0 < (2 : Nat) := zero_lt_succ 1
protected theorem zero_lt_of_lt {a b : Nat} (h : a < b) : 0 < b := Nat.lt_of_le_of_lt (zero_le a) h
theorem zero_lt_of_ne_zero {a : Nat} (h : a ≠ 0) : 0 < a := Nat.pos_of_ne_zero h
theorem pos_of_lt {a b : Nat} (h : a < b) : 0 < b := Nat.zero_lt_of_lt h
theorem eq_zero_of_le_zero {n : Nat} (h : n ≤ 0) : n = 0 := Nat.le_antisymm h (zero_le n)
@[simp] protected theorem le_zero_eq (a : Nat) : (a ≤ 0) = (a = 0) := propext ⟨eq_zero_of_le_zero, le_of_eq⟩
protected theorem le_zero {i : Nat} : i ≤ 0 ↔ i = 0 := ⟨eq_zero_of_le_zero, le_of_eq⟩
@[simp] protected theorem lt_one_iff {n : Nat} : n < 1 ↔ n = 0 := ⟨fun h => eq_zero_of_le_zero (le_of_lt_succ h), fun h => h ▸ Nat.zero_lt_one⟩
theorem lt_succ_iff {m n : Nat} : m < succ n ↔ m ≤ n := ⟨le_of_lt_succ, lt_succ_of_le⟩
protected theorem lt_add_one_iff {m n : Nat} : m < n + 1 ↔ m ≤ n := lt_succ_iff
theorem succ_le_iff {m n : Nat} : succ m ≤ n ↔ m < n := .rfl
protected theorem add_one_le_iff {n m : Nat} : n + 1 ≤ m ↔ n < m := .rfl
theorem succ_le_succ_iff {n m : Nat} : succ n ≤ succ m ↔ n ≤ m := ⟨le_of_succ_le_succ, succ_le_succ⟩
theorem succ_lt_succ {n m : Nat} (h : n < m) : succ n < succ m := succ_le_succ h
theorem lt_of_succ_lt_succ {n m : Nat} (h : succ n < succ m) : n < m := le_of_succ_le_succ h
theorem succ_lt_succ_iff {a b : Nat} : succ a < succ b ↔ a < b := ⟨lt_of_succ_lt_succ, succ_lt_succ⟩
theorem lt_of_succ_lt {n m : Nat} (h : succ n < m) : n < m := Nat.le_of_lt h
theorem eq_of_lt_succ_of_not_lt {a b : Nat} (h₁ : a < b + 1) (h₂ : ¬a < b) : a = b := Nat.le_antisymm (le_of_lt_succ h₁) (Nat.ge_of_not_lt h₂)
theorem lt_succ_iff_lt_or_eq {a b : Nat} : a < succ b ↔ a < b ∨ a = b := lt_succ_iff.trans Nat.le_iff_lt_or_eq
theorem le_succ_iff_le_or_eq_aux {a b : Nat} : a ≤ succ b ↔ a ≤ b ∨ a = succ b := ⟨fun h => (Nat.lt_or_eq_of_le h).imp le_of_lt_succ id, fun h => h.elim .step le_of_eq⟩
theorem le_succ_iff {m n : Nat} : m ≤ succ n ↔ m ≤ n ∨ m = succ n := le_succ_iff_le_or_eq_aux
protected theorem one_le_iff_ne_zero {n : Nat} : 1 ≤ n ↔ n ≠ 0 := Nat.pos_iff_ne_zero
theorem exists_eq_succ_of_ne_zero {n : Nat} (h : n ≠ 0) : ∃ k, n = succ k := by
  cases n with
  | zero => exact (h rfl).elim
  | succ n => exact ⟨n, rfl⟩
theorem succ_pred {a : Nat} (h : a ≠ 0) : a.pred.succ = a := by
  cases a with
  | zero => exact (h rfl).elim
  | succ n => rfl
theorem succ_pred_eq_of_pos {n : Nat} (h : 0 < n) : succ (pred n) = n := succ_pred (Nat.ne_of_gt h)
theorem pred_le (n : Nat) : pred n ≤ n := by
  cases n with
  | zero => exact .refl
  | succ n => exact .step .refl
theorem pred_lt {n : Nat} (h : n ≠ 0) : pred n < n := by
  cases n with
  | zero => exact (h rfl).elim
  | succ n => exact .refl
theorem sub_one_lt {n : Nat} (h : n ≠ 0) : n - 1 < n := pred_lt h
theorem pred_lt_of_lt {n m : Nat} (h : m < n) : pred n < n := pred_lt (Nat.ne_zero_of_lt h)
theorem sub_one_lt_of_lt {n m : Nat} (h : m < n) : n - 1 < n := pred_lt_of_lt h
instance : Trans (α := Nat) (β := Nat) (γ := Nat) LT.lt LT.lt LT.lt := ⟨Nat.lt_trans⟩
instance : Trans (α := Nat) (β := Nat) (γ := Nat) LE.le LE.le LE.le := ⟨Nat.le_trans⟩
instance : Trans (α := Nat) (β := Nat) (γ := Nat) LT.lt LE.le LT.lt := ⟨Nat.lt_of_lt_of_le⟩
instance : Trans (α := Nat) (β := Nat) (γ := Nat) LE.le LT.lt LT.lt := ⟨Nat.lt_of_le_of_lt⟩

/-! ### Decidable order -/
theorem ble_self_eq_true (n : Nat) : ble n n = true := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih
theorem ble_succ_eq_true : {n m : Nat} → ble n m = true → ble n (succ m) = true
  | 0, _, _ => rfl
  | .succ n, .succ m, h => ble_succ_eq_true (n := n) (m := m) h
theorem ble_eq_true_of_le {n m : Nat} (h : n ≤ m) : ble n m = true := by
  induction h with
  | refl => exact ble_self_eq_true n
  | step _ ih => exact ble_succ_eq_true ih
@[simp] theorem ble_eq {x y : Nat} : (ble x y = true) = (x ≤ y) := propext ⟨le_of_ble_eq_true x y, ble_eq_true_of_le⟩
theorem not_le_of_not_ble_eq_true {n m : Nat} (h : ¬ble n m = true) : ¬n ≤ m := fun k => h (ble_eq_true_of_le k)
@[extern "lean_nat_dec_le"] instance decLe (n m : Nat) : Decidable (n ≤ m) :=
  match h : ble n m with
  | true => .isTrue (le_of_ble_eq_true n m h)
  | false => .isFalse fun k => nomatch (h.symm.trans (ble_eq_true_of_le k))
@[extern "lean_nat_dec_lt"] instance decLt (n m : Nat) : Decidable (n < m) := decLe (succ n) m
@[simp] theorem beq_eq {x y : Nat} : (Nat.beq x y = true) = (x = y) := propext ⟨eq_of_beq_eq_true x y, fun h => h ▸ beq_refl x⟩

/-! ### Addition and order -/
theorem le_add_right (n k : Nat) : n ≤ n + k := by
  induction k with
  | zero => exact .refl
  | succ k ih => exact .step ih
theorem le_add_left (n m : Nat) : n ≤ m + n := Nat.add_comm n m ▸ le_add_right n m
attribute [simp] le_add_left le_add_right
theorem le_add_right_of_le {n m k : Nat} (h : n ≤ m) : n ≤ m + k := Nat.le_trans h (le_add_right m k)
theorem le_add_left_of_le {n m k : Nat} (h : n ≤ m) : n ≤ k + m := Nat.le_trans h (le_add_left m k)
theorem lt_add_left {a b : Nat} (c : Nat) (h : a < b) : a < c + b := Nat.lt_of_lt_of_le h (le_add_left b c)
theorem lt_add_right {a b : Nat} (c : Nat) (h : a < b) : a < b + c := Nat.lt_of_lt_of_le h (le_add_right b c)
theorem le.dest {n m : Nat} (h : n ≤ m) : ∃ k, n + k = m := by
  induction h with
  | refl => exact ⟨0, rfl⟩
  | step _ ih => exact ih.elim fun k e => ⟨k + 1, congrArg succ e⟩
theorem le.intro {n m k : Nat} (h : n + k = m) : n ≤ m := h ▸ le_add_right n k
theorem le_iff_exists_add {m n : Nat} : m ≤ n ↔ ∃ c, n = m + c := ⟨fun h => (le.dest h).imp fun _ => Eq.symm, fun ⟨_, h⟩ => h ▸ le_add_right _ _⟩
theorem exists_eq_add_of_le {m n : Nat} (h : m ≤ n) : ∃ k, n = m + k := le_iff_exists_add.1 h
theorem exists_eq_add_of_le' {m n : Nat} (h : m ≤ n) : ∃ k, n = k + m := (exists_eq_add_of_le h).imp fun k e => e.trans (Nat.add_comm m k)
theorem exists_eq_add_of_lt {m n : Nat} (h : m < n) : ∃ k, n = m + k + 1 := (le.dest h).imp fun k e => by rw [← e, succ_add]
protected theorem add_right_comm (n m k : Nat) : n + m + k = n + k + m := by rw [Nat.add_assoc, Nat.add_comm m k, Nat.add_assoc]
protected theorem add_left_cancel {n m k : Nat} (h : n + m = n + k) : m = k := by
  induction n with
  | zero => rwa [zero_add, zero_add] at h
  | succ n ih => rw [succ_add, succ_add] at h; exact ih (succ.inj h)
protected theorem add_right_cancel {n m k : Nat} (h : n + m = k + m) : n = k := by
  rw [Nat.add_comm n, Nat.add_comm k] at h; exact Nat.add_left_cancel h
@[simp] protected theorem add_left_cancel_iff {m k n : Nat} : n + m = n + k ↔ m = k := ⟨Nat.add_left_cancel, fun h => h ▸ rfl⟩
@[simp] protected theorem add_right_cancel_iff {m k n : Nat} : m + n = k + n ↔ m = k := ⟨Nat.add_right_cancel, fun h => h ▸ rfl⟩
protected theorem add_left_inj {m k n : Nat} : m + n = k + n ↔ m = k := Nat.add_right_cancel_iff
protected theorem add_right_inj {m k n : Nat} : n + m = n + k ↔ m = k := Nat.add_left_cancel_iff
@[simp] protected theorem add_eq_left {a b : Nat} : a + b = a ↔ b = 0 := ⟨fun h => Nat.add_left_cancel (k := 0) h, fun h => h ▸ rfl⟩
@[simp] protected theorem add_eq_right {a b : Nat} : a + b = b ↔ a = 0 := by rw [Nat.add_comm]; exact Nat.add_eq_left
@[simp] protected theorem left_eq_add {a b : Nat} : a = a + b ↔ b = 0 := eq_comm.trans Nat.add_eq_left
@[simp] protected theorem right_eq_add {a b : Nat} : b = a + b ↔ a = 0 := eq_comm.trans Nat.add_eq_right
protected theorem eq_zero_of_add_eq_zero {n m : Nat} (h : n + m = 0) : n = 0 ∧ m = 0 := by
  cases m with
  | zero => exact ⟨h, rfl⟩
  | succ m => cases h
theorem eq_zero_of_add_eq_zero_right {n m : Nat} (h : n + m = 0) : n = 0 := (Nat.eq_zero_of_add_eq_zero h).1
theorem eq_zero_of_add_eq_zero_left {n m : Nat} (h : n + m = 0) : m = 0 := (Nat.eq_zero_of_add_eq_zero h).2
@[simp] protected theorem add_eq_zero_iff {n m : Nat} : n + m = 0 ↔ n = 0 ∧ m = 0 := ⟨Nat.eq_zero_of_add_eq_zero, fun ⟨h, k⟩ => by rw [h, k]⟩
protected theorem add_le_add_left {n m : Nat} (h : n ≤ m) (k : Nat) : k + n ≤ k + m := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact .step ih
protected theorem add_le_add_right {n m : Nat} (h : n ≤ m) (k : Nat) : n + k ≤ m + k := by
  rw [Nat.add_comm n, Nat.add_comm m]; exact Nat.add_le_add_left h k
protected theorem add_le_add {a b c d : Nat} (h : a ≤ b) (k : c ≤ d) : a + c ≤ b + d := Nat.le_trans (Nat.add_le_add_right h c) (Nat.add_le_add_left k b)
protected theorem add_lt_add_left {n m : Nat} (h : n < m) (k : Nat) : k + n < k + m := Nat.add_le_add_left (n := n.succ) h k
protected theorem add_lt_add_right {n m : Nat} (h : n < m) (k : Nat) : n + k < m + k := by
  rw [Nat.add_comm n, Nat.add_comm m]; exact Nat.add_lt_add_left h k
protected theorem add_lt_add {a b c d : Nat} (h : a < b) (k : c < d) : a + c < b + d := Nat.lt_trans (Nat.add_lt_add_right h c) (Nat.add_lt_add_left k b)
protected theorem add_lt_add_of_lt_of_le {a b c d : Nat} (h : a < b) (k : c ≤ d) : a + c < b + d := Nat.lt_of_lt_of_le (Nat.add_lt_add_right h c) (Nat.add_le_add_left k b)
protected theorem add_lt_add_of_le_of_lt {a b c d : Nat} (h : a ≤ b) (k : c < d) : a + c < b + d := Nat.lt_of_le_of_lt (Nat.add_le_add_right h c) (Nat.add_lt_add_left k b)
protected theorem le_of_add_le_add_left {a b c : Nat} (h : a + b ≤ a + c) : b ≤ c := (Nat.lt_or_ge c b).elim (fun k => (Nat.not_le_of_gt (Nat.add_lt_add_left k a) h).elim) id
protected theorem le_of_add_le_add_right {a b c : Nat} (h : a + b ≤ c + b) : a ≤ c := by
  rw [Nat.add_comm a, Nat.add_comm c] at h; exact Nat.le_of_add_le_add_left h
@[simp] protected theorem add_le_add_iff_left {m k n : Nat} : n + m ≤ n + k ↔ m ≤ k := ⟨Nat.le_of_add_le_add_left, fun h => Nat.add_le_add_left h n⟩
@[simp] protected theorem add_le_add_iff_right {m k n : Nat} : m + n ≤ k + n ↔ m ≤ k := ⟨Nat.le_of_add_le_add_right, fun h => Nat.add_le_add_right h n⟩
protected theorem lt_of_add_lt_add_left {a b c : Nat} (h : a + b < a + c) : b < c := Nat.le_of_add_le_add_left (a := a) (b := b.succ) h
protected theorem lt_of_add_lt_add_right {a b c : Nat} (h : a + b < c + b) : a < c := by
  rw [Nat.add_comm a, Nat.add_comm c] at h; exact Nat.lt_of_add_lt_add_left h
@[simp] protected theorem add_lt_add_iff_left {m k n : Nat} : n + m < n + k ↔ m < k := ⟨Nat.lt_of_add_lt_add_left, fun h => Nat.add_lt_add_left h n⟩
@[simp] protected theorem add_lt_add_iff_right {m k n : Nat} : m + n < k + n ↔ m < k := ⟨Nat.lt_of_add_lt_add_right, fun h => Nat.add_lt_add_right h n⟩
protected theorem lt_add_of_pos_right {n k : Nat} (h : 0 < k) : n < n + k := Nat.add_lt_add_left h n
protected theorem lt_add_of_pos_left {n k : Nat} (h : 0 < k) : n < k + n := Nat.add_comm n k ▸ Nat.lt_add_of_pos_right h
@[simp] protected theorem lt_add_right_iff_pos {n k : Nat} : n < n + k ↔ 0 < k := ⟨fun h => Nat.lt_of_add_lt_add_left (b := 0) h, Nat.lt_add_of_pos_right⟩
@[simp] protected theorem lt_add_left_iff_pos {n k : Nat} : n < k + n ↔ 0 < k := by rw [Nat.add_comm]; exact Nat.lt_add_right_iff_pos
@[simp] protected theorem add_le_left_iff {n k : Nat} : n + k ≤ n ↔ k = 0 := ⟨fun h => eq_zero_of_le_zero (Nat.le_of_add_le_add_left (c := 0) h), fun h => h ▸ .refl⟩
@[simp] theorem not_add_lt_left (n k : Nat) : ¬n + k < n := Nat.not_lt_of_ge (le_add_right n k)
@[simp] theorem not_add_lt_right (n k : Nat) : ¬k + n < n := Nat.not_lt_of_ge (le_add_left n k)
theorem not_add_one_le_self (n : Nat) : ¬n + 1 ≤ n := not_succ_le_self n
protected theorem add_pos_left {m : Nat} (h : 0 < m) (n : Nat) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_right m n)
protected theorem add_pos_right {n : Nat} (m : Nat) (h : 0 < n) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_left n m)
protected theorem add_pos_iff_pos_or_pos {m n : Nat} : 0 < m + n ↔ 0 < m ∨ 0 < n :=
  ⟨fun h => (Nat.eq_zero_or_pos m).elim (fun e => .inr (by rwa [e, zero_add] at h)) .inl, fun h => h.elim (fun k => Nat.add_pos_left k n) (Nat.add_pos_right m)⟩
theorem le_of_add_right_le {n m k : Nat} (h : n + k ≤ m) : n ≤ m := Nat.le_trans (le_add_right n k) h
theorem le_of_add_left_le {n m k : Nat} (h : k + n ≤ m) : n ≤ m := Nat.le_trans (le_add_left n k) h
theorem lt_of_add_right_lt {n m k : Nat} (h : n + k < m) : n < m := Nat.lt_of_le_of_lt (le_add_right n k) h
theorem lt_of_add_left_lt {n m k : Nat} (h : k + n < m) : n < m := Nat.lt_of_le_of_lt (le_add_left n k) h
theorem add_one_pos (n : Nat) : 0 < n + 1 := zero_lt_succ n
theorem one_add (n : Nat) : 1 + n = succ n := Nat.add_comm 1 n

/-! ### Multiplication and order -/
protected theorem mul_left_comm (n m k : Nat) : n * (m * k) = m * (n * k) := by rw [← Nat.mul_assoc, Nat.mul_comm n m, Nat.mul_assoc]
protected theorem mul_right_comm (n m k : Nat) : n * m * k = n * k * m := by rw [Nat.mul_assoc, Nat.mul_comm m k, ← Nat.mul_assoc]
protected theorem mul_add_one (a b : Nat) : a * (b + 1) = a * b + a := rfl
protected theorem add_one_mul (a b : Nat) : (a + 1) * b = a * b + b := succ_mul a b
protected theorem left_distrib (n m k : Nat) : n * (m + k) = n * m + n * k := Nat.mul_add n m k
protected theorem right_distrib (n m k : Nat) : (n + m) * k = n * k + m * k := Nat.add_mul n m k
protected theorem two_mul (n : Nat) : 2 * n = n + n := by rw [show (2 : Nat) = 1 + 1 from rfl, Nat.add_mul, Nat.one_mul]
protected theorem mul_two (n : Nat) : n * 2 = n + n := by rw [Nat.mul_comm, Nat.two_mul]
theorem mul_le_mul_left {m n : Nat} (k : Nat) (h : m ≤ n) : k * m ≤ k * n := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact Nat.le_trans ih (le_add_right _ _)
theorem mul_le_mul_right {m n : Nat} (k : Nat) (h : m ≤ n) : m * k ≤ n * k := by
  rw [Nat.mul_comm m, Nat.mul_comm n]; exact mul_le_mul_left k h
protected theorem mul_le_mul {p q m n : Nat} (h : p ≤ m) (k : q ≤ n) : p * q ≤ m * n := Nat.le_trans (mul_le_mul_right q h) (mul_le_mul_left m k)
protected theorem mul_pos {n m : Nat} (h : n > 0) (k : m > 0) : n * m > 0 := by
  cases m with
  | zero => exact (Nat.lt_irrefl 0 k).elim
  | succ m => exact Nat.lt_of_lt_of_le h (le_add_left n (n * m))
@[simp] protected theorem mul_eq_zero {m n : Nat} : n * m = 0 ↔ n = 0 ∨ m = 0 := by
  constructor
  · intro h
    cases Nat.eq_zero_or_pos n with
    | inl e => exact .inl e
    | inr p => cases Nat.eq_zero_or_pos m with
      | inl e => exact .inr e
      | inr q => exact (Nat.ne_of_gt (Nat.mul_pos p q) h).elim
  · intro h
    cases h with
    | inl e => rw [e, zero_mul]
    | inr e => rw [e, mul_zero]
protected theorem eq_zero_of_mul_eq_zero {m n : Nat} (h : n * m = 0) : n = 0 ∨ m = 0 := Nat.mul_eq_zero.1 h
protected theorem mul_lt_mul_of_pos_left {m n k : Nat} (h : m < n) (hk : 0 < k) : k * m < k * n :=
  Nat.lt_of_lt_of_le (Nat.lt_add_of_pos_right hk) (mul_succ k m ▸ mul_le_mul_left k h)
protected theorem mul_lt_mul_of_pos_right {m n k : Nat} (h : m < n) (hk : 0 < k) : m * k < n * k := by
  rw [Nat.mul_comm m, Nat.mul_comm n]; exact Nat.mul_lt_mul_of_pos_left h hk
protected theorem eq_of_mul_eq_mul_left {a b c : Nat} (ha : 0 < a) (h : a * b = a * c) : b = c :=
  (Nat.lt_trichotomy b c).elim (fun k => (Nat.ne_of_lt (Nat.mul_lt_mul_of_pos_left k ha) h).elim) fun k => k.elim id fun k => (Nat.ne_of_gt (Nat.mul_lt_mul_of_pos_left k ha) h).elim
protected theorem eq_of_mul_eq_mul_right {a b c : Nat} (ha : 0 < a) (h : b * a = c * a) : b = c := by
  rw [Nat.mul_comm b, Nat.mul_comm c] at h; exact Nat.eq_of_mul_eq_mul_left ha h
theorem le_mul_of_pos_left {m : Nat} (n : Nat) (h : 0 < m) : n ≤ m * n := by
  have := mul_le_mul_right n h; rwa [Nat.one_mul] at this
theorem le_mul_of_pos_right {m : Nat} (n : Nat) (h : 0 < m) : n ≤ n * m := by
  rw [Nat.mul_comm]; exact le_mul_of_pos_left n h

/-! ### Subtraction -/
@[simp] protected theorem sub_zero (n : Nat) : n - 0 = n := rfl
theorem sub_succ (n m : Nat) : n - succ m = pred (n - m) := rfl
theorem succ_sub_succ_eq_sub (n m : Nat) : succ n - succ m = n - m := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg pred ih
theorem succ_sub_succ (n m : Nat) : succ n - succ m = n - m := succ_sub_succ_eq_sub n m
@[simp] theorem add_one_sub_one (n : Nat) : n + 1 - 1 = n := rfl
theorem succ_sub_one (n : Nat) : succ n - 1 = n := rfl
@[simp] protected theorem zero_sub (n : Nat) : 0 - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [sub_succ, ih]; rfl
@[simp] protected theorem sub_self (n : Nat) : n - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [succ_sub_succ]; exact ih
theorem sub_le (n m : Nat) : n - m ≤ n := by
  induction m with
  | zero => exact .refl
  | succ m ih => exact Nat.le_trans (pred_le _) ih
attribute [simp] sub_le
theorem sub_lt {n m : Nat} (h : 0 < n) (k : 0 < m) : n - m < n := by
  cases n with
  | zero => exact (Nat.lt_irrefl 0 h).elim
  | succ n => cases m with
    | zero => exact (Nat.lt_irrefl 0 k).elim
    | succ m => rw [succ_sub_succ]; exact lt_succ_of_le (sub_le n m)
protected theorem sub_lt_self {a b : Nat} (h₀ : 0 < a) (h₁ : a ≤ b) : b - a < b := sub_lt (Nat.lt_of_lt_of_le h₀ h₁) h₀
theorem sub_succ_lt_self {a i : Nat} (h : i < a) : a - (i + 1) < a - i := by
  have key : ∀ a i : Nat, i < a → pred (a - i) < a - i := by
    intro a i h
    refine pred_lt fun e => ?_
    induction i generalizing a with
    | zero => exact Nat.ne_of_gt h e
    | succ i ih => cases a with
      | zero => exact not_lt_zero _ h
      | succ a => rw [succ_sub_succ] at e; exact ih a (lt_of_succ_lt_succ h) e
  exact key a i h
@[simp] protected theorem add_sub_cancel (n m : Nat) : n + m - m = n := by
  induction m with
  | zero => rfl
  | succ m ih => rw [add_succ, succ_sub_succ]; exact ih
@[simp] protected theorem add_sub_cancel_left (n m : Nat) : n + m - n = m := by rw [Nat.add_comm, Nat.add_sub_cancel]
protected theorem sub_sub (n m k : Nat) : n - m - k = n - (m + k) := by
  induction k with
  | zero => rfl
  | succ k ih => rw [sub_succ, ih]; rfl
protected theorem add_sub_add_right (n k m : Nat) : n + k - (m + k) = n - m := by
  induction k with
  | zero => rfl
  | succ k ih => rw [add_succ, add_succ, succ_sub_succ]; exact ih
protected theorem add_sub_add_left (k n m : Nat) : k + n - (k + m) = n - m := by rw [Nat.add_comm k n, Nat.add_comm k m, Nat.add_sub_add_right]
attribute [simp] Nat.add_sub_add_right Nat.add_sub_add_left
theorem sub_eq_zero_of_le {n m : Nat} (h : n ≤ m) : n - m = 0 := by
  have ⟨k, e⟩ := le.dest h
  rw [← e, ← Nat.sub_sub, Nat.sub_self, Nat.zero_sub]
protected theorem le_of_sub_eq_zero {n m : Nat} (h : n - m = 0) : n ≤ m := by
  induction m generalizing n with
  | zero => exact le_of_eq h
  | succ m ih => cases n with
    | zero => exact zero_le _
    | succ n => rw [succ_sub_succ] at h; exact succ_le_succ (ih h)
protected theorem sub_eq_zero_iff_le {n m : Nat} : n - m = 0 ↔ n ≤ m := ⟨Nat.le_of_sub_eq_zero, sub_eq_zero_of_le⟩
protected theorem sub_add_cancel {n m : Nat} (h : m ≤ n) : n - m + m = n := by
  have ⟨k, e⟩ := le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm]
protected theorem add_sub_of_le {a b : Nat} (h : a ≤ b) : a + (b - a) = b := by rw [Nat.add_comm, Nat.sub_add_cancel h]
protected theorem add_sub_cancel' {n m : Nat} (h : m ≤ n) : m + (n - m) = n := Nat.add_sub_of_le h
protected theorem sub_add_eq (a b c : Nat) : a - (b + c) = a - b - c := (Nat.sub_sub a b c).symm
protected theorem add_sub_assoc {m k : Nat} (h : k ≤ m) (n : Nat) : n + m - k = n + (m - k) := by
  have ⟨l, e⟩ := le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_left_comm, Nat.add_sub_cancel_left]
protected theorem sub_add_comm {n m k : Nat} (h : k ≤ n) : n + m - k = n - k + m := by
  rw [Nat.add_comm n, Nat.add_sub_assoc h, Nat.add_comm]
theorem succ_sub {m n : Nat} (h : n ≤ m) : succ m - n = succ (m - n) := by
  have ⟨k, e⟩ := le.dest h
  rw [← e, Nat.add_sub_cancel_left, ← add_succ, Nat.add_sub_cancel_left]
protected theorem sub_pos_of_lt {m n : Nat} (h : m < n) : 0 < n - m := Nat.pos_of_ne_zero fun e => Nat.not_le_of_gt h (Nat.le_of_sub_eq_zero e)
protected theorem sub_pos_iff_lt {n m : Nat} : 0 < n - m ↔ m < n := ⟨fun h => Nat.gt_of_not_le fun k => Nat.ne_of_gt h (sub_eq_zero_of_le k), Nat.sub_pos_of_lt⟩
protected theorem lt_of_sub_pos {n m : Nat} (h : 0 < n - m) : m < n := Nat.sub_pos_iff_lt.1 h
protected theorem sub_le_sub_right {n m : Nat} (h : n ≤ m) (k : Nat) : n - k ≤ m - k := by
  induction k with
  | zero => exact h
  | succ k ih => exact pred_le_pred ih
protected theorem sub_le_sub_left {n m : Nat} (h : n ≤ m) (k : Nat) : k - m ≤ k - n := by
  have ⟨l, e⟩ := le.dest h
  rw [← e, ← Nat.sub_sub]; exact sub_le _ _
protected theorem sub_le_iff_le_add {a b c : Nat} : a - b ≤ c ↔ a ≤ c + b := by
  constructor
  · intro h
    cases Nat.le_total a b with
    | inl k => exact le_add_left_of_le k
    | inr k => rw [← Nat.sub_add_cancel k]; exact Nat.add_le_add_right h b
  · intro h
    have := Nat.sub_le_sub_right h b
    rwa [Nat.add_sub_cancel] at this
protected theorem le_sub_iff_add_le {x y k : Nat} (h : k ≤ y) : x ≤ y - k ↔ x + k ≤ y := by
  constructor
  · intro l; rw [← Nat.sub_add_cancel h]; exact Nat.add_le_add_right l k
  · intro l
    have := Nat.sub_le_sub_right l k
    rwa [Nat.add_sub_cancel] at this
protected theorem le_sub_of_add_le {a b c : Nat} (h : a + b ≤ c) : a ≤ c - b := by
  have := Nat.sub_le_sub_right h b
  rwa [Nat.add_sub_cancel] at this
protected theorem lt_sub_of_add_lt {a b c : Nat} (h : a + b < c) : a < c - b := Nat.le_sub_of_add_le (a := a.succ) (by rwa [succ_add])
protected theorem lt_sub_iff_add_lt {a b c : Nat} : a < c - b ↔ a + b < c := by
  constructor
  · intro h
    have hb : b ≤ c := Nat.le_of_lt (Nat.lt_of_sub_pos (Nat.zero_lt_of_lt h))
    rw [← Nat.sub_add_cancel hb]; exact Nat.add_lt_add_right h b
  · exact Nat.lt_sub_of_add_lt
protected theorem sub_eq_of_eq_add {a b c : Nat} (h : a = c + b) : a - b = c := by rw [h, Nat.add_sub_cancel]
protected theorem eq_sub_of_add_eq {a b c : Nat} (h : a + b = c) : a = c - b := (Nat.sub_eq_of_eq_add h.symm).symm
protected theorem sub_eq_iff_eq_add {a b c : Nat} (h : b ≤ a) : a - b = c ↔ a = c + b := ⟨fun e => e ▸ (Nat.sub_add_cancel h).symm, Nat.sub_eq_of_eq_add⟩
protected theorem sub_lt_iff_lt_add {a b c : Nat} (h : b ≤ a) : a - b < c ↔ a < c + b := by
  constructor
  · intro l; rw [← Nat.sub_add_cancel h]; exact Nat.add_lt_add_right l b
  · intro l; exact Nat.lt_of_add_lt_add_right (b := b) (by rwa [Nat.sub_add_cancel h])
protected theorem mul_sub_one (n m : Nat) : n * (m - 1) = n * m - n := by
  cases m with
  | zero => exact (Nat.zero_sub n).symm
  | succ m => exact (Nat.add_sub_cancel (n * m) n).symm
protected theorem mul_sub (k m n : Nat) : k * (m - n) = k * m - k * n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [sub_succ, pred_eq_sub_one, Nat.mul_sub_one, ih, Nat.sub_sub, mul_succ]
protected theorem sub_mul (n m k : Nat) : (n - m) * k = n * k - m * k := by rw [Nat.mul_comm, Nat.mul_sub, Nat.mul_comm k n, Nat.mul_comm k m]
theorem sub_one_add_one {a : Nat} (h : a ≠ 0) : a - 1 + 1 = a := succ_pred h
protected theorem sub_one_lt_iff {n : Nat} : n - 1 < n ↔ 0 < n := by
  cases n with
  | zero => exact .rfl
  | succ n => exact iff_of_true .refl (zero_lt_succ n)

/-! ### Maximum and minimum -/
protected def max (n m : Nat) : Nat := if n ≤ m then m else n
protected def min (n m : Nat) : Nat := if n ≤ m then n else m
end Nat
export Max (max)
export Min (min)
instance instMinNat : Min Nat := ⟨Nat.min⟩
instance instMaxNat : Max Nat := ⟨Nat.max⟩
namespace Nat
protected theorem max_def {n m : Nat} : max n m = if n ≤ m then m else n := rfl
protected theorem min_def {n m : Nat} : min n m = if n ≤ m then n else m := rfl
protected theorem max_eq_right {a b : Nat} (h : a ≤ b) : max a b = b := if_pos h
protected theorem max_eq_left {a b : Nat} (h : b ≤ a) : max a b = a := by
  rw [Nat.max_def]; split
  · exact Nat.le_antisymm h ‹_›
  · rfl
protected theorem min_eq_left {a b : Nat} (h : a ≤ b) : min a b = a := if_pos h
protected theorem min_eq_right {a b : Nat} (h : b ≤ a) : min a b = b := by
  rw [Nat.min_def]; split
  · exact Nat.le_antisymm ‹_› h
  · rfl
protected theorem le_max_left (a b : Nat) : a ≤ max a b := by
  rw [Nat.max_def]; split
  · assumption
  · exact .refl
protected theorem le_max_right (a b : Nat) : b ≤ max a b := by
  rw [Nat.max_def]; split
  · exact .refl
  · exact Nat.le_of_not_le ‹_›
protected theorem min_le_left (a b : Nat) : min a b ≤ a := by
  rw [Nat.min_def]; split
  · exact .refl
  · exact Nat.le_of_not_le ‹_›
protected theorem min_le_right (a b : Nat) : min a b ≤ b := by
  rw [Nat.min_def]; split
  · assumption
  · exact .refl
protected theorem max_le {a b c : Nat} : max a b ≤ c ↔ a ≤ c ∧ b ≤ c := by
  constructor
  · intro h; exact ⟨Nat.le_trans (Nat.le_max_left a b) h, Nat.le_trans (Nat.le_max_right a b) h⟩
  · intro h; rw [Nat.max_def]; split
    · exact h.2
    · exact h.1
protected theorem le_min {a b c : Nat} : a ≤ min b c ↔ a ≤ b ∧ a ≤ c := by
  constructor
  · intro h; exact ⟨Nat.le_trans h (Nat.min_le_left b c), Nat.le_trans h (Nat.min_le_right b c)⟩
  · intro h; rw [Nat.min_def]; split
    · exact h.1
    · exact h.2
protected theorem max_comm (a b : Nat) : max a b = max b a := Nat.le_antisymm (Nat.max_le.2 ⟨Nat.le_max_right b a, Nat.le_max_left b a⟩) (Nat.max_le.2 ⟨Nat.le_max_right a b, Nat.le_max_left a b⟩)
protected theorem min_comm (a b : Nat) : min a b = min b a := Nat.le_antisymm (Nat.le_min.2 ⟨Nat.min_le_right a b, Nat.min_le_left a b⟩) (Nat.le_min.2 ⟨Nat.min_le_right b a, Nat.min_le_left b a⟩)
@[simp] protected theorem max_self (a : Nat) : max a a = a := Nat.max_eq_left .refl
@[simp] protected theorem min_self (a : Nat) : min a a = a := Nat.min_eq_left .refl
@[simp] protected theorem max_zero (a : Nat) : max a 0 = a := Nat.max_eq_left (zero_le a)
@[simp] protected theorem zero_max (a : Nat) : max 0 a = a := Nat.max_eq_right (zero_le a)
@[simp] protected theorem min_zero (a : Nat) : min a 0 = 0 := Nat.min_eq_right (zero_le a)
@[simp] protected theorem zero_min (a : Nat) : min 0 a = 0 := Nat.min_eq_left (zero_le a)
protected theorem max_assoc (a b c : Nat) : max (max a b) c = max a (max b c) := by
  apply Nat.le_antisymm
  · exact Nat.max_le.2 ⟨Nat.max_le.2 ⟨Nat.le_max_left _ _, Nat.le_trans (Nat.le_max_left b c) (Nat.le_max_right _ _)⟩, Nat.le_trans (Nat.le_max_right b c) (Nat.le_max_right _ _)⟩
  · exact Nat.max_le.2 ⟨Nat.le_trans (Nat.le_max_left a b) (Nat.le_max_left _ _), Nat.max_le.2 ⟨Nat.le_trans (Nat.le_max_right a b) (Nat.le_max_left _ _), Nat.le_max_right _ _⟩⟩

/-! ### Powers -/
@[simp] protected theorem pow_zero (b : Nat) : b ^ 0 = 1 := rfl
protected theorem pow_succ {b n : Nat} : b ^ (n + 1) = b ^ n * b := rfl
@[simp] protected theorem pow_eq {m n : Nat} : m.pow n = m ^ n := rfl
@[simp] protected theorem pow_one (a : Nat) : a ^ 1 = a := Nat.one_mul a
@[simp] protected theorem one_pow (n : Nat) : 1 ^ n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih]
protected theorem pow_two (a : Nat) : a ^ 2 = a * a := by rw [Nat.pow_succ, Nat.pow_one]
protected theorem pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => exact (Nat.mul_one _).symm
  | succ n ih => rw [Nat.add_succ, Nat.pow_succ, Nat.pow_succ, ih, Nat.mul_assoc]
protected theorem mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, Nat.pow_succ, Nat.pow_succ, ih, Nat.mul_assoc, Nat.mul_left_comm (b ^ n), ← Nat.mul_assoc]
protected theorem pow_pos {p n : Nat} (h : 0 < p) : 0 < p ^ n := by
  induction n with
  | zero => exact Nat.zero_lt_one
  | succ n ih => exact Nat.mul_pos ih h

/-! ### Division and remainder -/
protected theorem div_zero (n : Nat) : n / 0 = 0 := rfl
protected theorem mod_zero (n : Nat) : n % 0 = n := rfl
attribute [simp] Nat.div_zero Nat.mod_zero
theorem divFuel_add {y fuel x : Nat} (hy : 0 < y) (h : x ≤ fuel) (k : Nat) : Nat.divFuel y (fuel + k) x = Nat.divFuel y fuel x := by
  induction fuel generalizing x with
  | zero =>
    have hx := eq_zero_of_le_zero h
    cases k with
    | zero => rfl
    | succ k =>
      have : ble y x = false := by
        cases e : ble y x with
        | false => rfl
        | true => exact (Nat.not_le_of_gt hy (hx ▸ le_of_ble_eq_true y x e)).elim
      show Nat.divFuel y (Nat.succ (0 + k)) x = 0
      simp only [Nat.divFuel, this]
  | succ fuel ih =>
    rw [succ_add]
    show (match ble y x with | true => succ (Nat.divFuel y (fuel + k) (x - y)) | false => 0) = (match ble y x with | true => succ (Nat.divFuel y fuel (x - y)) | false => 0)
    cases e : ble y x with
    | false => rfl
    | true =>
      have : x - y ≤ fuel := le_of_lt_succ (Nat.lt_of_lt_of_le (Nat.sub_lt_self hy (le_of_ble_eq_true y x e)) h)
      exact congrArg succ (ih this)
theorem modFuel_add {y fuel x : Nat} (hy : 0 < y) (h : x ≤ fuel) (k : Nat) : Nat.modFuel y (fuel + k) x = Nat.modFuel y fuel x := by
  induction fuel generalizing x with
  | zero =>
    have hx := eq_zero_of_le_zero h
    cases k with
    | zero => rfl
    | succ k =>
      have : ble y x = false := by
        cases e : ble y x with
        | false => rfl
        | true => exact (Nat.not_le_of_gt hy (hx ▸ le_of_ble_eq_true y x e)).elim
      show Nat.modFuel y (Nat.succ (0 + k)) x = x
      simp only [Nat.modFuel, this]
  | succ fuel ih =>
    rw [succ_add]
    show (match ble y x with | true => Nat.modFuel y (fuel + k) (x - y) | false => x) = (match ble y x with | true => Nat.modFuel y fuel (x - y) | false => x)
    cases e : ble y x with
    | false => rfl
    | true =>
      have : x - y ≤ fuel := le_of_lt_succ (Nat.lt_of_lt_of_le (Nat.sub_lt_self hy (le_of_ble_eq_true y x e)) h)
      exact ih this
theorem ble_eq_false {n m : Nat} (h : m < n) : ble n m = false := by
  cases e : ble n m with
  | false => rfl
  | true => exact (Nat.not_le_of_gt h (le_of_ble_eq_true n m e)).elim
theorem div_eq_of_lt {a b : Nat} (h : a < b) : a / b = 0 := by
  cases b with
  | zero => rfl
  | succ b =>
    show Nat.divFuel (succ b) a a = 0
    cases a with
    | zero => rfl
    | succ a => simp only [Nat.divFuel, ble_eq_false h]
theorem mod_eq_of_lt {a b : Nat} (h : a < b) : a % b = a := by
  cases b with
  | zero => rfl
  | succ b =>
    show Nat.modFuel (succ b) a a = a
    cases a with
    | zero => rfl
    | succ a => simp only [Nat.modFuel, ble_eq_false h]
theorem div_eq_sub_div {b a : Nat} (h₁ : 0 < b) (h₂ : b ≤ a) : a / b = (a - b) / b + 1 := by
  cases b with
  | zero => exact (Nat.lt_irrefl 0 h₁).elim
  | succ b => cases a with
    | zero => exact (not_succ_le_zero b h₂).elim
    | succ a =>
      show Nat.divFuel (succ b) (succ a) (succ a) = succ (Nat.divFuel (succ b) (succ a - succ b) (succ a - succ b))
      have le : succ a - succ b ≤ a := by rw [succ_sub_succ]; exact sub_le a b
      have ⟨k, e⟩ := Nat.le.dest le
      have step : Nat.divFuel (succ b) (succ a) (succ a) = succ (Nat.divFuel (succ b) a (succ a - succ b)) := by
        have : ble (succ b) (succ a) = true := ble_eq_true_of_le h₂
        show (match ble (succ b) (succ a) with | true => succ (Nat.divFuel (succ b) a (succ a - succ b)) | false => 0) = _
        rw [this]
      rw [step]
      have := divFuel_add h₁ (Nat.le_refl (succ a - succ b)) k
      rw [e] at this
      exact congrArg succ this
theorem mod_eq_sub_mod {a b : Nat} (h : a ≥ b) : a % b = (a - b) % b := by
  cases b with
  | zero => rfl
  | succ b => cases a with
    | zero => exact (not_succ_le_zero b h).elim
    | succ a =>
      show Nat.modFuel (succ b) (succ a) (succ a) = Nat.modFuel (succ b) (succ a - succ b) (succ a - succ b)
      have le : succ a - succ b ≤ a := by rw [succ_sub_succ]; exact sub_le a b
      have ⟨k, e⟩ := Nat.le.dest le
      have step : Nat.modFuel (succ b) (succ a) (succ a) = Nat.modFuel (succ b) a (succ a - succ b) := by
        have : ble (succ b) (succ a) = true := ble_eq_true_of_le h
        show (match ble (succ b) (succ a) with | true => Nat.modFuel (succ b) a (succ a - succ b) | false => succ a) = _
        rw [this]
      rw [step]
      have := modFuel_add (zero_lt_succ b) (Nat.le_refl (succ a - succ b)) k
      rw [e] at this
      exact this
theorem div_eq (x y : Nat) : x / y = if 0 < y ∧ y ≤ x then (x - y) / y + 1 else 0 := by
  split
  · rename_i h; exact div_eq_sub_div h.1 h.2
  · rename_i h
    cases y with
    | zero => rfl
    | succ y => exact div_eq_of_lt (Nat.gt_of_not_le fun k => h ⟨zero_lt_succ y, k⟩)
theorem mod_eq (x y : Nat) : x % y = if 0 < y ∧ y ≤ x then (x - y) % y else x := by
  split
  · rename_i h; exact mod_eq_sub_mod h.2
  · rename_i h
    cases y with
    | zero => rfl
    | succ y => exact mod_eq_of_lt (Nat.gt_of_not_le fun k => h ⟨zero_lt_succ y, k⟩)
/-- Induction along the steps of a division by repeated subtraction. -/
theorem div.inductionOn' {motive : Nat → Nat → Prop} (x y : Nat) (ind : ∀ x y, 0 < y ∧ y ≤ x → motive (x - y) y → motive x y) (base : ∀ x y, ¬(0 < y ∧ y ≤ x) → motive x y) : motive x y := by
  have aux : ∀ fuel x, x ≤ fuel → motive x y := by
    intro fuel
    induction fuel with
    | zero => intro x h; exact base x y fun k => Nat.not_le_of_gt k.1 (Nat.le_trans k.2 h)
    | succ fuel ih =>
      intro x h
      by_cases k : 0 < y ∧ y ≤ x
      · exact ind x y k (ih _ (le_of_lt_succ (Nat.lt_of_lt_of_le (Nat.sub_lt_self k.1 k.2) h)))
      · exact base x y k
  exact aux x x .refl
theorem mod_lt (x : Nat) {y : Nat} (h : y > 0) : x % y < y := by
  refine div.inductionOn' (motive := fun x y => y > 0 → x % y < y) x y ?_ ?_ h
  · intro x y k ih h; rw [mod_eq_sub_mod k.2]; exact ih h
  · intro x y k h
    have lt : x < y := Nat.gt_of_not_le fun l => k ⟨h, l⟩
    rw [mod_eq_of_lt lt]; exact lt
theorem mod_le (x y : Nat) : x % y ≤ x := by
  cases Nat.eq_zero_or_pos y with
  | inl h => rw [h, Nat.mod_zero]
  | inr h => cases Nat.lt_or_ge x y with
    | inl k => rw [mod_eq_of_lt k]
    | inr k => exact Nat.le_trans (Nat.le_of_lt (mod_lt x h)) k
theorem div_add_mod (m n : Nat) : n * (m / n) + m % n = m := by
  refine div.inductionOn' (motive := fun m n => n * (m / n) + m % n = m) m n ?_ ?_
  · intro m n h ih
    rw [div_eq_sub_div h.1 h.2, mod_eq_sub_mod h.2, Nat.mul_add_one, Nat.add_right_comm, ih, Nat.sub_add_cancel h.2]
  · intro m n h
    cases n with
    | zero => rw [Nat.div_zero, Nat.mul_zero, Nat.mod_zero, Nat.zero_add]
    | succ n =>
      have lt : m < succ n := Nat.gt_of_not_le fun l => h ⟨zero_lt_succ n, l⟩
      rw [div_eq_of_lt lt, mod_eq_of_lt lt, Nat.mul_zero, Nat.zero_add]
theorem mod_add_div (m k : Nat) : m % k + k * (m / k) = m := by rw [Nat.add_comm]; exact div_add_mod m k
theorem div_le_self (n k : Nat) : n / k ≤ n := by
  cases Nat.eq_zero_or_pos k with
  | inl h => rw [h, Nat.div_zero]; exact zero_le n
  | inr h =>
    have := div_add_mod n k
    exact Nat.le_trans (le_mul_of_pos_left _ h) (le.intro this)
theorem div_lt_self {n k : Nat} (hn : 0 < n) (hk : 1 < k) : n / k < n := by
  cases Nat.eq_zero_or_pos (n / k) with
  | inl h => rw [h]; exact hn
  | inr h =>
    have e := div_add_mod n k
    have : n / k < k * (n / k) := by
      have := Nat.mul_lt_mul_of_pos_right hk h
      rwa [Nat.one_mul] at this
    exact Nat.lt_of_lt_of_le this (le.intro e)
@[simp] protected theorem zero_div (b : Nat) : 0 / b = 0 := by
  cases b with
  | zero => rfl
  | succ b => rfl
@[simp] theorem zero_mod (b : Nat) : 0 % b = 0 := by
  cases b with
  | zero => rfl
  | succ b => rfl
@[simp] theorem mod_self (n : Nat) : n % n = 0 := by rw [mod_eq_sub_mod (Nat.le_refl n), Nat.sub_self, zero_mod]
@[simp] theorem mod_one (x : Nat) : x % 1 = 0 := eq_zero_of_le_zero (le_of_lt_succ (mod_lt x Nat.zero_lt_one))
@[simp] protected theorem div_one (n : Nat) : n / 1 = n := by
  have := div_add_mod n 1
  rwa [mod_one, Nat.one_mul, Nat.add_zero] at this
@[simp] theorem add_mod_right (x z : Nat) : (x + z) % z = x % z := by rw [mod_eq_sub_mod (le_add_left z x), Nat.add_sub_cancel]
@[simp] theorem add_mod_left (x z : Nat) : (x + z) % x = z % x := by rw [Nat.add_comm, add_mod_right]
@[simp] theorem add_mul_mod_self_left (x y z : Nat) : (x + y * z) % y = x % y := by
  induction z with
  | zero => rfl
  | succ z ih => rw [Nat.mul_add_one, ← Nat.add_assoc, add_mod_right, ih]
@[simp] theorem mul_mod_right (m n : Nat) : (m * n) % m = 0 := by
  have := add_mul_mod_self_left 0 m n
  rwa [Nat.zero_add, zero_mod] at this
@[simp] theorem mul_mod_left (m n : Nat) : (m * n) % n = 0 := by rw [Nat.mul_comm, mul_mod_right]
@[simp] theorem mod_mod (a n : Nat) : (a % n) % n = a % n := by
  cases Nat.eq_zero_or_pos n with
  | inl h => rw [h, Nat.mod_zero, Nat.mod_zero]
  | inr h => exact mod_eq_of_lt (mod_lt a h)
protected theorem add_div_right (x : Nat) {z : Nat} (h : 0 < z) : (x + z) / z = x / z + 1 := by rw [div_eq_sub_div h (le_add_left z x), Nat.add_sub_cancel]
@[simp] protected theorem mul_div_cancel (m : Nat) {n : Nat} (h : 0 < n) : m * n / n = m := by
  induction m with
  | zero => rw [Nat.zero_mul, Nat.zero_div]
  | succ m ih => rw [Nat.add_one_mul, Nat.add_div_right _ h, ih]
@[simp] protected theorem mul_div_cancel_left (m : Nat) {n : Nat} (h : 0 < n) : n * m / n = m := by rw [Nat.mul_comm, Nat.mul_div_cancel m h]
protected theorem div_self {n : Nat} (h : 0 < n) : n / n = 1 := by
  have := Nat.mul_div_cancel 1 h
  rwa [Nat.one_mul] at this
theorem mod_two_eq_zero_or_one (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by
  have h := mod_lt n Nat.two_pos
  cases Nat.lt_or_eq_of_le (le_of_lt_succ h) with
  | inl k => exact .inl (Nat.lt_one_iff.1 k)
  | inr k => exact .inr k

/-! ### Divisibility and greatest common divisor -/
instance instDvdNat : Dvd Nat := ⟨fun a b => ∃ c, b = a * c⟩
protected theorem dvd_refl (a : Nat) : a ∣ a := ⟨1, (Nat.mul_one a).symm⟩
protected theorem dvd_zero (a : Nat) : a ∣ 0 := ⟨0, rfl⟩
protected theorem dvd_mul_left (a b : Nat) : a ∣ b * a := ⟨b, Nat.mul_comm b a⟩
protected theorem dvd_mul_right (a b : Nat) : a ∣ a * b := ⟨b, rfl⟩
protected theorem dvd_trans {a b c : Nat} : a ∣ b → b ∣ c → a ∣ c := fun ⟨d, e⟩ ⟨f, g⟩ => ⟨d * f, by rw [g, e, Nat.mul_assoc]⟩
protected theorem dvd_add {m n k : Nat} : k ∣ m → k ∣ n → k ∣ m + n := fun ⟨d, e⟩ ⟨f, g⟩ => ⟨d + f, by rw [e, g, Nat.mul_add]⟩
protected theorem one_dvd (n : Nat) : 1 ∣ n := ⟨n, (Nat.one_mul n).symm⟩
protected theorem eq_zero_of_zero_dvd {a : Nat} : 0 ∣ a → a = 0 := fun ⟨_, e⟩ => e.trans (Nat.zero_mul _)
theorem le_of_dvd {m n : Nat} (h : 0 < n) : m ∣ n → m ≤ n := fun ⟨k, e⟩ => by
  cases k with
  | zero => rw [Nat.mul_zero] at e; exact (Nat.ne_of_gt h e).elim
  | succ k => rw [e]; exact le_mul_of_pos_right m (zero_lt_succ k)
theorem mod_eq_zero_of_dvd {m n : Nat} : m ∣ n → n % m = 0 := fun ⟨k, e⟩ => by rw [e, mul_mod_right]
theorem dvd_of_mod_eq_zero {k n : Nat} (h : n % k = 0) : k ∣ n := ⟨n / k, by have := div_add_mod n k; rw [h, Nat.add_zero] at this; exact this.symm⟩
theorem dvd_iff_mod_eq_zero {k n : Nat} : k ∣ n ↔ n % k = 0 := ⟨mod_eq_zero_of_dvd, dvd_of_mod_eq_zero⟩
instance decidable_dvd (k n : Nat) : Decidable (k ∣ n) := decidable_of_decidable_of_iff dvd_iff_mod_eq_zero.symm
@[simp] theorem gcd_zero_left (y : Nat) : gcd 0 y = y := rfl
theorem gcdFuel_add {fuel m : Nat} (n : Nat) (h : m ≤ fuel) (k : Nat) : Nat.gcdFuel (fuel + k) m n = Nat.gcdFuel fuel m n := by
  induction fuel generalizing m n with
  | zero =>
    cases eq_zero_of_le_zero h
    cases k with
    | zero => rfl
    | succ k => rfl
  | succ fuel ih =>
    rw [succ_add]
    cases m with
    | zero => rfl
    | succ m =>
      show Nat.gcdFuel (fuel + k) (n % succ m) (succ m) = Nat.gcdFuel fuel (n % succ m) (succ m)
      exact ih _ (Nat.le_trans (le_of_lt_succ (mod_lt n (zero_lt_succ m))) (le_of_succ_le_succ h))
theorem gcd_succ (x y : Nat) : gcd (succ x) y = gcd (y % succ x) (succ x) := by
  show Nat.gcdFuel x (y % succ x) (succ x) = Nat.gcdFuel (y % succ x) (y % succ x) (succ x)
  have ⟨k, e⟩ := Nat.le.dest (le_of_lt_succ (mod_lt y (zero_lt_succ x)))
  have := gcdFuel_add (succ x) (Nat.le_refl (y % succ x)) k
  rwa [e] at this
theorem gcd_rec (m n : Nat) : gcd m n = gcd (n % m) m := by
  cases m with
  | zero =>
    show n = gcd n 0
    cases n with
    | zero => rfl
    | succ n => rw [gcd_succ, zero_mod, gcd_zero_left]
  | succ m => exact gcd_succ m n
@[simp] theorem gcd_zero_right (n : Nat) : gcd n 0 = n := by
  cases n with
  | zero => rfl
  | succ n => rw [gcd_succ, zero_mod, gcd_zero_left]
@[simp] theorem gcd_self (n : Nat) : gcd n n = n := by
  cases n with
  | zero => rfl
  | succ n => rw [gcd_succ, mod_self, gcd_zero_left]

/-! ### Lemmas of the simplifier's arithmetic procedures -/
namespace Simproc
theorem sub_add_eq_comm (a b c : Nat) : a - (b + c) = a - c - b := by rw [Nat.add_comm b c, Nat.sub_add_eq]
theorem add_eq_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b = c) = False := eq_false fun e => Nat.not_le_of_gt h (e ▸ le_add_left b a)
theorem eq_add_gt (a : Nat) {b c : Nat} (h : c > a) : (a = b + c) = False := eq_false fun e => Nat.not_le_of_gt h (e ▸ le_add_left c b)
theorem add_eq_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b = c + d) = (a = c + (d - b)) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc]
  exact propext Nat.add_right_cancel_iff
theorem add_eq_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b = c + d) = (a + (b - d) = c) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc]
  exact propext Nat.add_right_cancel_iff
theorem add_eq_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b = c) = (a = c - b) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k]
  exact propext Nat.add_right_cancel_iff
theorem eq_add_le {a : Nat} (b : Nat) {c : Nat} (h : c ≤ a) : (a = b + c) = (b = a - c) := by
  rw [show (a = b + c) = (b + c = a) from propext eq_comm, add_eq_le b h]
theorem add_sub_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : a + b - (c + d) = a - (c + (d - b)) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc, Nat.add_sub_add_right]
theorem add_sub_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : a + b - (c + d) = a + (b - d) - c := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc, Nat.add_sub_add_right]
theorem add_sub_le (a : Nat) {b c : Nat} (h : b ≤ c) : a + b - c = a - (c - b) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k, Nat.add_sub_add_right]
theorem add_le_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b ≤ c) = False := eq_false fun k => Nat.not_le_of_gt h (Nat.le_trans (le_add_left b a) k)
theorem le_add_le (a : Nat) {b c : Nat} (h : a ≤ c) : (a ≤ b + c) = True := eq_true (le_add_left_of_le h)
theorem add_le_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b ≤ c) = (a ≤ c - b) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k]
  exact propext Nat.add_le_add_iff_right
theorem le_add_ge (a : Nat) {b c : Nat} (h : a ≥ c) : (a ≤ b + c) = (a - c ≤ b) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm c k]
  exact propext Nat.add_le_add_iff_right
theorem add_le_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b ≤ c + d) = (a ≤ c + (d - b)) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc]
  exact propext Nat.add_le_add_iff_right
theorem add_le_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b ≤ c + d) = (a + (b - d) ≤ c) := by
  have ⟨k, e⟩ := Nat.le.dest h
  rw [← e, Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc]
  exact propext Nat.add_le_add_iff_right
end Simproc
end Nat
