prelude
import Init.List
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Characters, strings, finite numbers, integers -/

/-! ### Char and String -/
namespace Char
@[inline] def toNat (c : Char) : Nat := c.val
theorem ext {a b : Char} (h : a.val = b.val) : a = b := match a, b, h with | ⟨_⟩, ⟨_⟩, h => congrArg Char.mk h
instance : DecidableEq Char := fun a b => if h : a.val = b.val then .isTrue (ext h) else .isFalse fun e => h (congrArg _ e)
instance : Inhabited Char := ⟨'A'⟩
instance : LT Char := ⟨fun a b => a.val < b.val⟩
instance : LE Char := ⟨fun a b => a.val ≤ b.val⟩
instance (a b : Char) : Decidable (a < b) := inferInstanceAs (Decidable (a.val < b.val))
instance (a b : Char) : Decidable (a ≤ b) := inferInstanceAs (Decidable (a.val ≤ b.val))
end Char
namespace String
theorem ext' {a b : String} (h : a.toList = b.toList) : a = b := match a, b, h with | ⟨_⟩, ⟨_⟩, h => congrArg String.ofList h
theorem ofList_injective {l₁ l₂ : List Char} (h : String.ofList l₁ = String.ofList l₂) : l₁ = l₂ := congrArg String.toList h
@[ext] theorem ext {a b : String} (h : a.toList = b.toList) : a = b := ext' h
@[simp] theorem toList_ofList {l : List Char} : (String.ofList l).toList = l := rfl
@[simp] theorem ofList_toList {s : String} : String.ofList s.toList = s := rfl
@[extern "lean_string_append"] protected def append (a b : String) : String := ⟨a.toList ++ b.toList⟩
instance : Append String := ⟨String.append⟩
@[extern "lean_string_length"] def length (s : String) : Nat := s.toList.length
@[extern "lean_string_push"] def push (s : String) (c : Char) : String := ⟨s.toList ++ [c]⟩
def isEmpty (s : String) : Bool := s.toList.isEmpty
@[simp] theorem toList_append {s t : String} : (s ++ t).toList = s.toList ++ t.toList := rfl
@[simp] theorem append_assoc {s t u : String} : (s ++ t) ++ u = s ++ (t ++ u) := ext' (List.append_assoc _ _ _)
@[simp] theorem length_append (s t : String) : (s ++ t).length = s.length + t.length := List.length_append
end String
@[extern "lean_string_dec_eq"] instance instDecidableEqString : DecidableEq String := fun a b =>
  if h : a.toList = b.toList then .isTrue (String.ext' h) else .isFalse fun e => h (congrArg _ e)
gen_injective_theorems% Lean.Name
namespace Lean.Name
protected def decEq' : (a b : Name) → Decidable (a = b)
  | .anonymous, .anonymous => .isTrue rfl
  | .anonymous, .str _ _ => .isFalse nofun
  | .anonymous, .num _ _ => .isFalse nofun
  | .str _ _, .anonymous => .isFalse nofun
  | .num _ _, .anonymous => .isFalse nofun
  | .str _ _, .num _ _ => .isFalse nofun
  | .num _ _, .str _ _ => .isFalse nofun
  | .str p s, .str q t => match Name.decEq' p q, (inferInstance : Decidable (s = t)) with
    | .isTrue h, .isTrue k => .isTrue (by rw [h, k])
    | .isFalse h, _ => .isFalse fun e => h (Name.str.inj e).1
    | _, .isFalse k => .isFalse fun e => k (Name.str.inj e).2
  | .num p s, .num q t => match Name.decEq' p q, (inferInstance : Decidable (s = t)) with
    | .isTrue h, .isTrue k => .isTrue (by rw [h, k])
    | .isFalse h, _ => .isFalse fun e => h (Name.num.inj e).1
    | _, .isFalse k => .isFalse fun e => k (Name.num.inj e).2
end Lean.Name

/-! ### Fin -/
class NeZero {R : Type u} [Zero R] (n : R) : Prop where
  out : n ≠ 0
instance Nat.instNeZeroSucc {n : Nat} : NeZero (n + 1) := ⟨nofun⟩
namespace Fin
variable {n : Nat}
theorem eq_of_val_eq : {i j : Fin n} → i.val = j.val → i = j
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
theorem val_eq_of_eq {i j : Fin n} (h : i = j) : i.val = j.val := h ▸ rfl
@[ext] protected theorem ext {a b : Fin n} (h : (a.val) = b.val) : a = b := eq_of_val_eq h
theorem val_inj {a b : Fin n} : a.val = b.val ↔ a = b := ⟨eq_of_val_eq, val_eq_of_eq⟩
@[simp] protected theorem eta (a : Fin n) (h : a.val < n) : (⟨a.val, h⟩ : Fin n) = a := rfl
instance : CoeOut (Fin n) Nat := ⟨Fin.val⟩
instance : DecidableEq (Fin n) := fun a b => if h : a.val = b.val then .isTrue (eq_of_val_eq h) else .isFalse fun e => h (val_eq_of_eq e)
instance : LT (Fin n) := ⟨fun a b => a.val < b.val⟩
instance : LE (Fin n) := ⟨fun a b => a.val ≤ b.val⟩
instance decLt (a b : Fin n) : Decidable (a < b) := inferInstanceAs (Decidable (a.val < b.val))
instance decLe (a b : Fin n) : Decidable (a ≤ b) := inferInstanceAs (Decidable (a.val ≤ b.val))
protected def ofNat (n : Nat) [h : NeZero n] (a : Nat) : Fin n := ⟨a % n, Nat.mod_lt a (Nat.pos_of_ne_zero h.out)⟩
instance instOfNat {n : Nat} [NeZero n] {i : Nat} : OfNat (Fin n) i := ⟨Fin.ofNat n i⟩
def succ (i : Fin n) : Fin (n + 1) := ⟨i.val + 1, Nat.succ_lt_succ i.isLt⟩
def castSucc (i : Fin n) : Fin (n + 1) := ⟨i.val, Nat.lt_succ_of_le (Nat.le_of_lt i.isLt)⟩
def last (n : Nat) : Fin (n + 1) := ⟨n, Nat.lt_succ_self n⟩
def elim0 {α : Sort u} (x : Fin 0) : α := absurd x.isLt (Nat.not_lt_zero _)
@[simp] theorem is_lt (a : Fin n) : a.val < n := a.isLt
end Fin


/-! ### Int -/
gen_injective_theorems% Int
@[coe, reducible, match_pattern] protected def Nat.cast {R : Type u} [NatCast R] : Nat → R := NatCast.natCast
instance {R : Type u} [NatCast R] : CoeTail Nat R := ⟨Nat.cast⟩
instance {R : Type u} [NatCast R] : CoeHTCT Nat R := ⟨Nat.cast⟩
instance : NatCast Int := ⟨Int.ofNat⟩
instance instOfNat {n : Nat} : OfNat Int n := ⟨Int.ofNat n⟩
instance : IntCast Int := ⟨id⟩
namespace Int
instance : Inhabited Int := ⟨ofNat 0⟩
def negOfNat : Nat → Int
  | 0 => 0
  | .succ m => negSucc m
@[extern "lean_int_neg"] protected def neg : Int → Int
  | ofNat n => negOfNat n
  | negSucc n => ofNat n.succ
instance instNegInt : Neg Int := ⟨Int.neg⟩
def subNatNat (m n : Nat) : Int := match (n - m : Nat) with
  | 0 => ofNat (m - n)
  | .succ k => negSucc k
@[extern "lean_int_add"] protected def add : Int → Int → Int
  | ofNat m, ofNat n => ofNat (m + n)
  | ofNat m, negSucc n => subNatNat m n.succ
  | negSucc m, ofNat n => subNatNat n m.succ
  | negSucc m, negSucc n => negSucc (m + n).succ
instance instAddInt : Add Int := ⟨Int.add⟩
@[extern "lean_int_mul"] protected def mul : Int → Int → Int
  | ofNat m, ofNat n => ofNat (m * n)
  | ofNat m, negSucc n => negOfNat (m * n.succ)
  | negSucc m, ofNat n => negOfNat (m.succ * n)
  | negSucc m, negSucc n => ofNat (m.succ * n.succ)
instance instMulInt : Mul Int := ⟨Int.mul⟩
@[extern "lean_int_sub"] protected def sub (m n : Int) : Int := m + -n
instance instSubInt : Sub Int := ⟨Int.sub⟩
inductive NonNeg : Int → Prop where
  | mk (n : Nat) : NonNeg (ofNat n)
protected def le (a b : Int) : Prop := NonNeg (b - a)
instance instLEInt : LE Int := ⟨Int.le⟩
protected def lt (a b : Int) : Prop := a + 1 ≤ b
instance instLTInt : LT Int := ⟨Int.lt⟩
@[extern "lean_int_dec_eq"] protected def decEq (a b : Int) : Decidable (a = b) := match a, b with
  | ofNat a, ofNat b => if h : a = b then .isTrue (by rw [h]) else .isFalse fun e => h (Int.ofNat.inj e)
  | ofNat _, negSucc _ => .isFalse nofun
  | negSucc _, ofNat _ => .isFalse nofun
  | negSucc a, negSucc b => if h : a = b then .isTrue (by rw [h]) else .isFalse fun e => h (Int.negSucc.inj e)
instance instDecidableEq : DecidableEq Int := Int.decEq
@[extern "lean_int_dec_nonneg"] def decNonneg (m : Int) : Decidable (NonNeg m) := match m with
  | ofNat m => .isTrue ⟨m⟩
  | negSucc _ => .isFalse nofun
@[extern "lean_int_dec_le"] instance decLe (a b : Int) : Decidable (a ≤ b) := decNonneg _
@[extern "lean_int_dec_lt"] instance decLt (a b : Int) : Decidable (a < b) := decNonneg _
@[extern "lean_nat_abs"] def natAbs : Int → Nat
  | ofNat m => m
  | negSucc m => m.succ
def toNat : Int → Nat
  | ofNat n => n
  | negSucc _ => 0
protected def pow (m : Int) : Nat → Int
  | 0 => 1
  | .succ n => Int.pow m n * m
instance instNatPow : NatPow Int := ⟨Int.pow⟩
@[extern "lean_int_ediv"] protected def ediv : Int → Int → Int
  | ofNat m, ofNat n => ofNat (m / n)
  | ofNat m, negSucc n => -ofNat (m / n.succ)
  | negSucc _, ofNat 0 => 0
  | negSucc m, ofNat (.succ n) => negSucc (m / n.succ)
  | negSucc m, negSucc n => ofNat (m / n.succ).succ
@[extern "lean_int_emod"] protected def emod : Int → Int → Int
  | ofNat m, n => ofNat (m % natAbs n)
  | negSucc m, n => subNatNat (natAbs n) (m % natAbs n).succ
instance instDivInt : Div Int := ⟨Int.ediv⟩
instance instModInt : Mod Int := ⟨Int.emod⟩
instance : Min Int := ⟨fun a b => if a ≤ b then a else b⟩
instance : Max Int := ⟨fun a b => if a ≤ b then b else a⟩

/-! Every integer is a difference of two natural numbers; the laws follow from those of `Nat`. -/
theorem subNatNat_of_add (n k : Nat) : subNatNat (n + k) n = ofNat k := by
  unfold subNatNat
  rw [Nat.sub_eq_zero_of_le (Nat.le_add_right n k), Nat.add_sub_cancel_left]
theorem subNatNat_of_lt (m k : Nat) : subNatNat m (m + k.succ) = negSucc k := by
  unfold subNatNat
  rw [Nat.add_sub_cancel_left]
theorem subNatNat_cases {motive : Nat → Nat → Prop} (m n : Nat) (h₁ : ∀ n k, motive (n + k) n) (h₂ : ∀ m k, motive m (m + Nat.succ k)) : motive m n := by
  cases Nat.lt_or_ge m n with
  | inl h =>
    have ⟨k, e⟩ := Nat.exists_eq_add_of_lt h
    rw [e]; exact h₂ m k
  | inr h =>
    have ⟨k, e⟩ := Nat.le.dest h
    rw [← e]; exact h₁ n k
theorem subNatNat_add_add (m n k : Nat) : subNatNat (m + k) (n + k) = subNatNat m n := by
  unfold subNatNat
  rw [Nat.add_sub_add_right, Nat.add_sub_add_right]
theorem exists_subNatNat (a : Int) : ∃ m n, a = subNatNat m n := match a with
  | ofNat k => ⟨k, 0, (by have := subNatNat_of_add 0 k; rw [Nat.zero_add] at this; exact this.symm)⟩
  | negSucc k => ⟨0, k.succ, (by have := subNatNat_of_lt 0 k; rw [Nat.zero_add] at this; exact this.symm)⟩
theorem negOfNat_eq (n : Nat) : negOfNat n = subNatNat 0 n := by cases n <;> rfl
theorem subNatNat_eq_iff {m n p q : Nat} : subNatNat m n = subNatNat p q ↔ m + q = p + n := by
  constructor
  · refine subNatNat_cases (motive := fun m n => subNatNat m n = subNatNat p q → m + q = p + n) m n ?_ ?_
    · intro n k
      refine subNatNat_cases (motive := fun p q => subNatNat (n + k) n = subNatNat p q → n + k + q = p + n) p q ?_ ?_
      · intro q l h
        rw [subNatNat_of_add, subNatNat_of_add] at h
        rw [Int.ofNat.inj h]; simp only [Nat.add_comm, Nat.add_left_comm]
      · intro p l h
        rw [subNatNat_of_add, subNatNat_of_lt] at h; cases h
    · intro m k
      refine subNatNat_cases (motive := fun p q => subNatNat m (m + k.succ) = subNatNat p q → m + q = p + (m + k.succ)) p q ?_ ?_
      · intro q l h
        rw [subNatNat_of_lt, subNatNat_of_add] at h; cases h
      · intro p l h
        rw [subNatNat_of_lt, subNatNat_of_lt] at h
        rw [Int.negSucc.inj h]; simp only [Nat.add_comm, Nat.add_left_comm]
  · intro h
    rw [← subNatNat_add_add m n q, h, Nat.add_comm n q, subNatNat_add_add]
theorem subNatNat_add (m n p q : Nat) : subNatNat m n + subNatNat p q = subNatNat (m + p) (n + q) := by
  refine subNatNat_cases (motive := fun m n => subNatNat m n + subNatNat p q = subNatNat (m + p) (n + q)) m n ?_ ?_
  · intro n k
    refine subNatNat_cases (motive := fun p q => subNatNat (n + k) n + subNatNat p q = subNatNat (n + k + p) (n + q)) p q ?_ ?_
    · intro q l
      rw [subNatNat_of_add, subNatNat_of_add]
      show ofNat (k + l) = _
      rw [← subNatNat_of_add (n + q) (k + l)]
      simp only [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
    · intro p l
      rw [subNatNat_of_add, subNatNat_of_lt]
      show subNatNat k l.succ = _
      rw [← subNatNat_add_add k l.succ (n + p)]
      simp only [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
  · intro m k
    refine subNatNat_cases (motive := fun p q => subNatNat m (m + k.succ) + subNatNat p q = subNatNat (m + p) (m + k.succ + q)) p q ?_ ?_
    · intro q l
      rw [subNatNat_of_lt, subNatNat_of_add]
      show subNatNat l k.succ = _
      rw [← subNatNat_add_add l k.succ (m + q)]
      simp only [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
    · intro p l
      rw [subNatNat_of_lt, subNatNat_of_lt]
      show negSucc (k + l).succ = _
      rw [← subNatNat_of_lt (m + p) (k + l).succ]
      simp only [Nat.succ_eq_add_one, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
theorem neg_subNatNat (m n : Nat) : -subNatNat m n = subNatNat n m := by
  refine subNatNat_cases (motive := fun m n => -subNatNat m n = subNatNat n m) m n ?_ ?_
  · intro n k
    rw [subNatNat_of_add]
    show negOfNat k = _
    rw [negOfNat_eq, ← subNatNat_add_add 0 k n, Nat.zero_add, Nat.add_comm k n]
  · intro m k
    rw [subNatNat_of_lt, subNatNat_of_add]; rfl
theorem subNatNat_mul (m n p q : Nat) : subNatNat m n * subNatNat p q = subNatNat (m * p + n * q) (m * q + n * p) := by
  refine subNatNat_cases (motive := fun m n => subNatNat m n * subNatNat p q = subNatNat (m * p + n * q) (m * q + n * p)) m n ?_ ?_
  · intro n k
    refine subNatNat_cases (motive := fun p q => subNatNat (n + k) n * subNatNat p q = subNatNat ((n + k) * p + n * q) ((n + k) * q + n * p)) p q ?_ ?_
    · intro q l
      rw [subNatNat_of_add, subNatNat_of_add]
      show ofNat (k * l) = _
      rw [← subNatNat_of_add (n * q + k * q + (n * q + n * l)) (k * l)]
      simp only [Nat.mul_add, Nat.add_mul, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
    · intro p l
      rw [subNatNat_of_add, subNatNat_of_lt]
      show negOfNat (k * l.succ) = _
      rw [negOfNat_eq, ← subNatNat_add_add 0 (k * l.succ) (n * p + k * p + (n * p + n * l.succ))]
      simp only [Nat.zero_add, Nat.add_zero, Nat.mul_add, Nat.add_mul, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
  · intro m k
    refine subNatNat_cases (motive := fun p q => subNatNat m (m + k.succ) * subNatNat p q = subNatNat (m * p + (m + k.succ) * q) (m * q + (m + k.succ) * p)) p q ?_ ?_
    · intro q l
      rw [subNatNat_of_lt, subNatNat_of_add]
      show negOfNat (k.succ * l) = _
      rw [negOfNat_eq, ← subNatNat_add_add 0 (k.succ * l) (m * q + m * l + (m * q + k.succ * q))]
      simp only [Nat.zero_add, Nat.add_zero, Nat.mul_add, Nat.add_mul, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
    · intro p l
      rw [subNatNat_of_lt, subNatNat_of_lt]
      show ofNat (k.succ * l.succ) = _
      rw [← subNatNat_of_add (m * p + m * l.succ + (m * p + k.succ * p)) (k.succ * l.succ)]
      simp only [Nat.mul_add, Nat.add_mul, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
theorem nonNeg_subNatNat {m n : Nat} : NonNeg (subNatNat m n) ↔ n ≤ m := by
  refine subNatNat_cases (motive := fun m n => NonNeg (subNatNat m n) ↔ n ≤ m) m n ?_ ?_
  · intro n k
    rw [subNatNat_of_add]; exact iff_of_true ⟨k⟩ (Nat.le_add_right n k)
  · intro m k
    rw [subNatNat_of_lt]; exact iff_of_false nofun (Nat.not_le_of_gt (Nat.lt_add_of_pos_right (Nat.zero_lt_succ k)))
theorem subNatNat_le_iff {m n p q : Nat} : subNatNat m n ≤ subNatNat p q ↔ m + q ≤ p + n := by
  show NonNeg (subNatNat p q + -subNatNat m n) ↔ _
  rw [neg_subNatNat, subNatNat_add, nonNeg_subNatNat, Nat.add_comm q m]

/-! ### Ring laws -/
section
variable (a b c : Int)
protected theorem add_comm : a + b = b + a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_add, subNatNat_add, Nat.add_comm m, Nat.add_comm n]
protected theorem add_assoc : a + b + c = a + (b + c) := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  have ⟨r, s, g⟩ := exists_subNatNat c
  rw [e, f, g, subNatNat_add, subNatNat_add, subNatNat_add, subNatNat_add, Nat.add_assoc, Nat.add_assoc]
protected theorem add_left_comm : a + (b + c) = b + (a + c) := by rw [← Int.add_assoc, Int.add_comm a b, Int.add_assoc]
@[simp] protected theorem add_zero : a + 0 = a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, show (0 : Int) = subNatNat 0 0 from rfl, subNatNat_add]; rfl
@[simp] protected theorem zero_add : 0 + a = a := by rw [Int.add_comm, Int.add_zero]
@[simp] protected theorem neg_neg : -(-a) = a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, neg_subNatNat, neg_subNatNat]
protected theorem add_left_neg : -a + a = 0 := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, neg_subNatNat, subNatNat_add, Nat.add_comm n m]; exact subNatNat_of_add (m + n) 0
protected theorem add_right_neg : a + -a = 0 := by rw [Int.add_comm, Int.add_left_neg]
protected theorem sub_eq_add_neg {a b : Int} : a - b = a + -b := rfl
@[simp] protected theorem sub_self : a - a = 0 := Int.add_right_neg a
@[simp] protected theorem sub_zero : a - 0 = a := Int.add_zero a
@[simp] protected theorem zero_sub : 0 - a = -a := Int.zero_add (-a)
@[simp] protected theorem neg_zero : -(0 : Int) = 0 := rfl
protected theorem neg_add {a b : Int} : -(a + b) = -a + -b := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_add, neg_subNatNat, neg_subNatNat, neg_subNatNat, subNatNat_add]
@[simp] protected theorem add_sub_cancel : a + b - b = a := by rw [Int.sub_eq_add_neg, Int.add_assoc, Int.add_right_neg, Int.add_zero]
@[simp] protected theorem sub_add_cancel : a - b + b = a := by rw [Int.sub_eq_add_neg, Int.add_assoc, Int.add_left_neg, Int.add_zero]
protected theorem mul_comm : a * b = b * a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_mul, subNatNat_mul, Nat.mul_comm m p, Nat.mul_comm n q, Nat.mul_comm m q, Nat.mul_comm n p, Nat.add_comm (q * m)]
protected theorem mul_assoc : a * b * c = a * (b * c) := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  have ⟨r, s, g⟩ := exists_subNatNat c
  rw [e, f, g, subNatNat_mul, subNatNat_mul, subNatNat_mul, subNatNat_mul]
  simp only [Nat.mul_add, Nat.add_mul, Nat.mul_assoc, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
protected theorem mul_add : a * (b + c) = a * b + a * c := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  have ⟨r, s, g⟩ := exists_subNatNat c
  rw [e, f, g, subNatNat_add, subNatNat_mul, subNatNat_mul, subNatNat_mul, subNatNat_add]
  simp only [Nat.mul_add, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
protected theorem add_mul : (a + b) * c = a * c + b * c := by rw [Int.mul_comm, Int.mul_add, Int.mul_comm c, Int.mul_comm c]
@[simp] protected theorem mul_zero : a * 0 = 0 := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, show (0 : Int) = subNatNat 0 0 from rfl, subNatNat_mul]; rfl
@[simp] protected theorem zero_mul : 0 * a = 0 := by rw [Int.mul_comm, Int.mul_zero]
@[simp] protected theorem mul_one : a * 1 = a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, show (1 : Int) = subNatNat 1 0 from rfl, subNatNat_mul, Nat.mul_one, Nat.mul_one, Nat.mul_zero, Nat.mul_zero, Nat.add_zero, Nat.zero_add]
@[simp] protected theorem one_mul : 1 * a = a := by rw [Int.mul_comm, Int.mul_one]
protected theorem add_left_cancel {a b c : Int} (h : a + b = a + c) : b = c := by
  have := congrArg (fun x => -a + x) h
  simpa only [← Int.add_assoc, Int.add_left_neg, Int.zero_add] using this
protected theorem add_right_cancel {a b c : Int} (h : a + b = c + b) : a = c := by
  rw [Int.add_comm a, Int.add_comm c] at h; exact Int.add_left_cancel h
@[simp] protected theorem add_left_inj {i j : Int} (k : Int) : i + k = j + k ↔ i = j := ⟨Int.add_right_cancel, fun h => h ▸ rfl⟩
@[simp] protected theorem add_right_inj {i j : Int} (k : Int) : k + i = k + j ↔ i = j := ⟨Int.add_left_cancel, fun h => h ▸ rfl⟩
end

/-! ### Order -/
@[simp, refl] protected theorem le_refl (a : Int) : a ≤ a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  rw [e, subNatNat_le_iff]
protected theorem le_trans {a b c : Int} (h : a ≤ b) (k : b ≤ c) : a ≤ c := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  have ⟨r, s, g⟩ := exists_subNatNat c
  rw [e, f, subNatNat_le_iff] at h
  rw [f, g, subNatNat_le_iff] at k
  rw [e, g, subNatNat_le_iff]
  apply Nat.le_of_add_le_add_right (b := p + q)
  have := Nat.add_le_add h k
  simpa only [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm] using this
protected theorem le_antisymm {a b : Int} (h : a ≤ b) (k : b ≤ a) : a = b := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_le_iff] at h
  rw [e, f, subNatNat_le_iff] at k
  rw [e, f, subNatNat_eq_iff]
  exact Nat.le_antisymm h k
protected theorem le_total (a b : Int) : a ≤ b ∨ b ≤ a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_le_iff, subNatNat_le_iff]
  exact Nat.le_total _ _
protected theorem le_of_eq {a b : Int} (h : a = b) : a ≤ b := h ▸ Int.le_refl a
theorem lt_iff_add_one_le {a b : Int} : a < b ↔ a + 1 ≤ b := .rfl
theorem subNatNat_lt_iff {m n p q : Nat} : subNatNat m n < subNatNat p q ↔ m + q < p + n := by
  show subNatNat m n + 1 ≤ subNatNat p q ↔ _
  rw [show (1 : Int) = subNatNat 1 0 from rfl, subNatNat_add, subNatNat_le_iff, Nat.add_zero, Nat.add_right_comm]; exact .rfl
@[simp] protected theorem not_le {a b : Int} : ¬a ≤ b ↔ b < a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_le_iff, subNatNat_lt_iff]; exact Nat.not_le
@[simp] protected theorem not_lt {a b : Int} : ¬a < b ↔ b ≤ a := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  rw [e, f, subNatNat_le_iff, subNatNat_lt_iff]; exact Nat.not_lt
@[simp] protected theorem lt_irrefl (a : Int) : ¬a < a := Int.not_lt.2 (Int.le_refl a)
protected theorem le_of_lt {a b : Int} (h : a < b) : a ≤ b := by
  cases Int.le_total a b with
  | inl k => exact k
  | inr k => exact (Int.not_lt.2 k h).elim
protected theorem lt_of_le_of_lt {a b c : Int} (h : a ≤ b) (k : b < c) : a < c := Int.not_le.1 fun l => Int.not_lt.2 (Int.le_trans l h) k
protected theorem lt_of_lt_of_le {a b c : Int} (h : a < b) (k : b ≤ c) : a < c := Int.not_le.1 fun l => Int.not_lt.2 (Int.le_trans k l) h
protected theorem lt_trans {a b c : Int} (h : a < b) (k : b < c) : a < c := Int.lt_of_lt_of_le h (Int.le_of_lt k)
protected theorem ne_of_lt {a b : Int} (h : a < b) : a ≠ b := fun e => Int.lt_irrefl b (e ▸ h)
protected theorem lt_or_ge (a b : Int) : a < b ∨ a ≥ b := (Decidable.em (b ≤ a)).elim .inr fun h => .inl (Int.not_le.1 h)
protected theorem add_le_add_left {a b : Int} (h : a ≤ b) (c : Int) : c + a ≤ c + b := by
  have ⟨m, n, e⟩ := exists_subNatNat a
  have ⟨p, q, f⟩ := exists_subNatNat b
  have ⟨r, s, g⟩ := exists_subNatNat c
  rw [e, f, subNatNat_le_iff] at h
  rw [e, f, g, subNatNat_add, subNatNat_add, subNatNat_le_iff]
  have := Nat.add_le_add_left h (r + s)
  simpa only [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm] using this
protected theorem add_le_add_right {a b : Int} (h : a ≤ b) (c : Int) : a + c ≤ b + c := by
  rw [Int.add_comm a, Int.add_comm b]; exact Int.add_le_add_left h c
protected theorem add_le_add {a b c d : Int} (h : a ≤ b) (k : c ≤ d) : a + c ≤ b + d := Int.le_trans (Int.add_le_add_right h c) (Int.add_le_add_left k b)
protected theorem add_lt_add_left {a b : Int} (h : a < b) (c : Int) : c + a < c + b := by
  show c + a + 1 ≤ c + b
  rw [Int.add_assoc]; exact Int.add_le_add_left h c
instance : Trans (α := Int) (β := Int) (γ := Int) LT.lt LT.lt LT.lt := ⟨Int.lt_trans⟩
instance : Trans (α := Int) (β := Int) (γ := Int) LE.le LE.le LE.le := ⟨Int.le_trans⟩
instance : Trans (α := Int) (β := Int) (γ := Int) LT.lt LE.le LT.lt := ⟨Int.lt_of_lt_of_le⟩
instance : Trans (α := Int) (β := Int) (γ := Int) LE.le LT.lt LT.lt := ⟨Int.lt_of_le_of_lt⟩

/-! ### Natural numbers as integers -/
@[simp] theorem ofNat_eq_natCast (n : Nat) : Int.ofNat n = n := rfl
theorem natCast_add (n m : Nat) : ((n + m : Nat) : Int) = n + m := rfl
theorem natCast_mul (n m : Nat) : ((n * m : Nat) : Int) = n * m := rfl
theorem natCast_succ (n : Nat) : ((n.succ : Nat) : Int) = n + 1 := rfl
theorem natCast_inj {m n : Nat} : (m : Int) = n ↔ m = n := ⟨Int.ofNat.inj, fun h => h ▸ rfl⟩
theorem ofNat_inj {m n : Nat} : ((m : Nat) : Int) = n ↔ m = n := natCast_inj
theorem ofNat_le {m n : Nat} : (m : Int) ≤ n ↔ m ≤ n := by
  have f (k : Nat) : (k : Int) = subNatNat k 0 := by have := subNatNat_of_add 0 k; rw [Nat.zero_add] at this; exact this.symm
  rw [f m, f n, subNatNat_le_iff]; exact .rfl
theorem ofNat_lt {m n : Nat} : (m : Int) < n ↔ m < n := by
  rw [← Int.not_le, ofNat_le]; exact Nat.not_le
theorem natCast_nonneg (n : Nat) : (0 : Int) ≤ n := ofNat_le.2 (Nat.zero_le n)
theorem eq_ofNat_of_zero_le {a : Int} (h : 0 ≤ a) : ∃ n : Nat, a = n := match a, h with
  | ofNat n, _ => ⟨n, rfl⟩
  | negSucc _, h => nomatch h
theorem toNat_of_nonneg {a : Int} (h : 0 ≤ a) : (toNat a : Int) = a := match a, h with
  | ofNat _, _ => rfl
  | negSucc _, h => nomatch h
@[simp] theorem toNat_natCast (n : Nat) : toNat (n : Int) = n := rfl
@[simp] theorem natAbs_natCast (n : Nat) : natAbs (n : Int) = n := rfl
attribute [simp] natCast_inj ofNat_le ofNat_lt natCast_nonneg
end Int
