prelude
import Init.Core
set_option autoImplicit false
set_option linter.all false
universe u v w

/-! ### Nat -/
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
theorem succ_ne_zero (n : Nat) : succ n ≠ 0 := nofun
theorem succ.inj {n m : Nat} (h : succ n = succ m) : n = m := congrArg pred h
theorem le_refl (n : Nat) : n ≤ n := .refl
theorem le_succ_of_le {n m : Nat} (h : n ≤ m) : n ≤ succ m := .step h
theorem zero_le (n : Nat) : 0 ≤ n := by
  induction n with
  | zero => exact .refl
  | succ n ih => exact .step ih
protected theorem le_trans {a b c : Nat} (h : a ≤ b) (k : b ≤ c) : a ≤ c := by
  induction k with
  | refl => exact h
  | step _ ih => exact .step ih
theorem succ_le_succ {n m : Nat} (h : n ≤ m) : succ n ≤ succ m := succ_le_succ' h
theorem le_add_right (n k : Nat) : n ≤ n + k := by
  induction k with
  | zero => exact .refl
  | succ k ih => exact .step ih
theorem ble_of_le {n m : Nat} (h : Nat.le n m) : ble n m = true := by
  have self (n : Nat) : ble n n = true := by
    induction n with
    | zero => rfl
    | succ n ih => exact ih
  have up (n : Nat) : ∀ m, ble n m = true → ble n (succ m) = true := by
    induction n with
    | zero => intros; rfl
    | succ n ih =>
      intro m h
      cases m with
      | zero => cases h
      | succ m => exact ih m h
  induction h with
  | refl => exact self n
  | step _ ih => exact up n _ ih
@[extern "lean_nat_dec_le"] instance decLe (n m : Nat) : Decidable (n ≤ m) :=
  match h : ble n m with
  | true => .isTrue (le_of_ble_eq_true n m h)
  | false => .isFalse fun k => nomatch (h.symm.trans (ble_of_le k))
instance decLt (n m : Nat) : Decidable (n < m) := decLe (succ n) m
end Nat

@[induction_eliminator, elab_as_elim] theorem Nat.rec' {motive : Nat → Prop} (zero : motive 0) (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t := Nat.rec zero succ t
@[cases_eliminator, elab_as_elim] theorem Nat.cases' {motive : Nat → Prop} (zero : motive 0) (succ : ∀ n, motive (n + 1)) (t : Nat) : motive t := Nat.casesOn t zero succ

/-! ### Bool, Option, List -/
instance {α : Type u} [DecidableEq α] : BEq α := ⟨fun a b => decide (a = b)⟩
theorem Bool.and_true (b : Bool) : (b && true) = b := by cases b <;> rfl
theorem Bool.true_and (b : Bool) : (true && b) = b := rfl
theorem Bool.and_false (b : Bool) : (b && false) = false := by cases b <;> rfl
theorem Bool.false_and (b : Bool) : (false && b) = false := rfl
theorem Bool.not_not (b : Bool) : (!!b) = b := by cases b <;> rfl
attribute [simp] Bool.and_true Bool.true_and Bool.and_false Bool.false_and Bool.not_not
@[simp] theorem beq_iff_eq {α : Type u} [DecidableEq α] {a b : α} : ((a == b) = true) = (a = b) := propext ⟨of_decide_eq_true, decide_eq_true⟩
gen_injective_theorems% Option
gen_injective_theorems% List
gen_injective_theorems% Prod
theorem Nat.succ.injEq (n m : Nat) : (Nat.succ n = Nat.succ m) = (n = m) := propext ⟨Nat.succ.inj, congrArg Nat.succ⟩
attribute [simp] Nat.succ.injEq
namespace List
variable {α : Type u} {β : Type v}
def length : List α → Nat
  | [] => 0
  | _ :: xs => xs.length + 1
def map (f : α → β) : List α → List β
  | [] => []
  | x :: xs => f x :: map f xs
@[simp] theorem nil_append (xs : List α) : [] ++ xs = xs := rfl
@[simp] theorem cons_append (x : α) (xs ys : List α) : (x :: xs) ++ ys = x :: (xs ++ ys) := rfl
@[simp] theorem append_nil (xs : List α) : xs ++ [] = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => rw [cons_append, ih]
@[simp] theorem append_assoc (xs ys zs : List α) : xs ++ ys ++ zs = xs ++ (ys ++ zs) := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp only [cons_append, ih]
@[simp] theorem length_nil : length ([] : List α) = 0 := rfl
@[simp] theorem length_cons (x : α) (xs : List α) : length (x :: xs) = length xs + 1 := rfl
@[simp] theorem length_append (xs ys : List α) : length (xs ++ ys) = length xs + length ys := by
  induction xs with
  | nil => simp
  | cons x xs ih => simp [ih, Nat.add_assoc, Nat.add_comm 1]
end List
