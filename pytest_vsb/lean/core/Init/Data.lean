prelude
import Init.Prelude
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Data types, coercions, indexing, and the arithmetic that the kernel computes -/

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α
structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst
structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val
inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β
inductive PSum (α : Sort u) (β : Sort v) where
  | inl (val : α) : PSum α β
  | inr (val : β) : PSum α β
structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst
structure PLift (α : Sort u) : Type u where
  up ::
  down : α
structure ULift.{r, s} (α : Type s) : Type (max s r) where
  up ::
  down : α
structure Array (α : Type u) where
  mk ::
  toList : List α
structure Char where
  val : Nat
abbrev Char.ofNat (n : Nat) : Char := ⟨n⟩
/-- Only the kernel looks inside a literal: it unfolds to `String.ofList [Char.ofNat ..]`. -/
structure String where
  ofList ::
  toList : List Char
attribute [extern "lean_string_data"] String.toList
attribute [extern "lean_string_mk"] String.ofList
class Inhabited (α : Sort u) where
  default : α
abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)
@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α := h.casesOn (fun _ => e) (fun _ => t)
@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α := h.casesOn e t

/-! ### Coercions
`CoeT` is what the elaborator asks for: at most one `CoeHead`, any number of `CoeOut`, any number of
`Coe`, at most one `CoeTail`. The order of the chain decides which problems wait for more information. -/
class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeOTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeHTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeDep (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β
attribute [coe_decl] Coe.coe CoeTC.coe CoeOut.coe CoeOTC.coe CoeHead.coe CoeHTC.coe CoeTail.coe CoeHTCT.coe CoeDep.coe CoeT.coe CoeFun.coe CoeSort.coe
section
variable {α : Sort u} {β : Sort v} {γ : Sort w}
instance [Coe β γ] [CoeTC α β] : CoeTC α γ := ⟨fun a => Coe.coe (CoeTC.coe a : β)⟩
instance [Coe α β] : CoeTC α β := ⟨fun a => Coe.coe a⟩
instance : CoeTC α α := ⟨fun a => a⟩
instance [CoeOut α β] [CoeOTC β γ] : CoeOTC α γ := ⟨fun a => CoeOTC.coe (CoeOut.coe a : β)⟩
instance [CoeTC α β] : CoeOTC α β := ⟨fun a => CoeTC.coe a⟩
instance : CoeOTC α α := ⟨fun a => a⟩
instance [CoeHead α β] [CoeOTC β γ] : CoeHTC α γ := ⟨fun a => CoeOTC.coe (CoeHead.coe a : β)⟩
instance [CoeOTC α β] : CoeHTC α β := ⟨fun a => CoeOTC.coe a⟩
instance : CoeHTC α α := ⟨fun a => a⟩
instance [CoeTail β γ] [CoeHTC α β] : CoeHTCT α γ := ⟨fun a => CoeTail.coe (CoeHTC.coe a : β)⟩
instance [CoeHTC α β] : CoeHTCT α β := ⟨fun a => CoeHTC.coe a⟩
instance : CoeHTCT α α := ⟨fun a => a⟩
instance (a : α) [CoeHTCT α β] : CoeT α a β := ⟨CoeHTCT.coe a⟩
instance (a : α) [CoeDep α a β] : CoeT α a β := ⟨CoeDep.coe a⟩
instance (a : α) : CoeT α a α := ⟨a⟩
end
instance {α : Sort u} {p : α → Prop} : CoeOut (Subtype p) α := ⟨fun v => v.val⟩
instance boolToProp : Coe Bool Prop := ⟨fun b => Eq b .true⟩
instance boolToSort : CoeSort Bool Prop := ⟨fun b => Eq b .true⟩

@[inline] def Function.const {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a
@[inline] def Function.comp {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : α → δ := fun x => f (g x)
@[macro_inline] def Bool.and (x y : Bool) : Bool := match x with | .true => y | .false => .false
@[macro_inline] def Bool.or (x y : Bool) : Bool := match x with | .true => .true | .false => y
@[inline] def Bool.not (x : Bool) : Bool := match x with | .true => .false | .false => .true
export Bool (true false)
export Option (some none)
@[inline] def bne {α : Type u} [BEq α] (a b : α) : Bool := Bool.not (BEq.beq a b)
@[inline] def Bool.xor : Bool → Bool → Bool
  | .true, b => Bool.not b
  | .false, b => b
structure Fin (n : Nat) where
  mk ::
  val : Nat
  isLt : LT.lt val n
set_option genCtorIdx false in
inductive Int : Type where
  | ofNat : Nat → Int
  | negSucc : Nat → Int
attribute [extern "lean_nat_to_int"] Int.ofNat
attribute [extern "lean_int_neg_succ_of_nat"] Int.negSucc
noncomputable abbrev Int.ctorIdx (i : Int) : Nat := i.casesOn (fun _ => 0) fun _ => 1
class NatCast (R : Type u) where
  protected natCast : Nat → R
class IntCast (R : Type u) where
  protected intCast : Int → R
instance : Inhabited Nat := ⟨0⟩
instance : Inhabited Bool := ⟨.false⟩
instance {α : Sort u} {β : Sort v} [i : Inhabited β] : Inhabited (α → β) := ⟨fun _ => i.default⟩
instance (priority := 100) {α : Sort u} {β : α → Sort v} [i : (a : α) → Inhabited (β a)] : Inhabited ((a : α) → β a) := ⟨fun a => (i a).default⟩
/-- What an out-of-bounds `xs[i]!` is. It has no other property, as in Lean. -/
@[never_extract] def outOfBounds {α : Type u} [Inhabited α] : α := Inhabited.default
class GetElem (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) where
  getElem (xs : coll) (i : idx) (h : valid xs i) : elem
export GetElem (getElem)
class GetElem? (coll : Type u) (idx : Type v) (elem : outParam (Type w)) (valid : outParam (coll → idx → Prop)) extends GetElem coll idx elem valid where
  getElem? : coll → idx → Option elem
  getElem! [Inhabited elem] (xs : coll) (i : idx) : elem :=
    match getElem? xs i with
    | .some e => e
    | .none => outOfBounds
export GetElem? (getElem? getElem!)

/-! ### Nat functions that the kernel computes on literals
The kernel takes over `Nat.div` and the others below by name, so each has a definition with exactly
the meaning of the kernel's arithmetic: nobody may define one of these names again, and what is
proved from the definitions agrees with what the kernel computes. Recursion is on a fuel argument
that is always large enough. -/
namespace Nat
set_option bootstrap.genMatcherCode false
protected def divFuel (y : Nat) : (fuel x : Nat) → Nat
  | .zero, _ => 0
  | .succ fuel, x => match ble y x with
    | true => .succ (Nat.divFuel y fuel (Nat.sub x y))
    | false => 0
@[extern "lean_nat_div"] protected def div (x y : Nat) : Nat :=
  match y with
  | .zero => 0
  | .succ k => Nat.divFuel (.succ k) x x
protected def modFuel (y : Nat) : (fuel x : Nat) → Nat
  | .zero, x => x
  | .succ fuel, x => match ble y x with
    | true => Nat.modFuel y fuel (Nat.sub x y)
    | false => x
@[extern "lean_nat_mod"] protected def mod (x y : Nat) : Nat :=
  match y with
  | .zero => x
  | .succ k => Nat.modFuel (.succ k) x x
protected def gcdFuel : (fuel m n : Nat) → Nat
  | .zero, _, n => n
  | .succ fuel, m, n => match m with
    | .zero => n
    | .succ k => Nat.gcdFuel fuel (Nat.mod n (.succ k)) (.succ k)
@[extern "lean_nat_gcd"] def gcd (m n : Nat) : Nat := Nat.gcdFuel m m n
protected def bitwiseFuel (f : Bool → Bool → Bool) : (fuel n m : Nat) → Nat
  | .zero, _, m => cond (f false true) m 0
  | .succ fuel, n, m => match n, m with
    | .zero, m => cond (f false true) m 0
    | n, .zero => cond (f true false) n 0
    | n, m => Nat.add (Nat.mul 2 (Nat.bitwiseFuel f fuel (Nat.div n 2) (Nat.div m 2)))
        (cond (f (beq (Nat.mod n 2) 1) (beq (Nat.mod m 2) 1)) 1 0)
def bitwise (f : Bool → Bool → Bool) (n m : Nat) : Nat := Nat.bitwiseFuel f n n m
@[extern "lean_nat_land"] def land : Nat → Nat → Nat := bitwise Bool.and
@[extern "lean_nat_lor"] def lor : Nat → Nat → Nat := bitwise Bool.or
@[extern "lean_nat_lxor"] def xor : Nat → Nat → Nat := bitwise Bool.xor
@[extern "lean_nat_shiftl"] def shiftLeft : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => shiftLeft (Nat.mul 2 n) m
@[extern "lean_nat_shiftr"] def shiftRight : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => Nat.div (shiftRight n m) 2
protected def log2Fuel : (fuel n : Nat) → Nat
  | .zero, _ => 0
  | .succ fuel, n => match ble 2 n with
    | true => .succ (Nat.log2Fuel fuel (Nat.div n 2))
    | false => 0
@[extern "lean_nat_log2"] def log2 (n : Nat) : Nat := Nat.log2Fuel n n
end Nat
@[reducible] instance Nat.instDivNat : Div Nat := ⟨Nat.div⟩
@[reducible] instance Nat.instModNat : Mod Nat := ⟨Nat.mod⟩
@[reducible] instance Nat.instAndOp : AndOp Nat := ⟨Nat.land⟩
@[reducible] instance Nat.instOrOp : OrOp Nat := ⟨Nat.lor⟩
@[reducible] instance Nat.instXorOp : XorOp Nat := ⟨Nat.xor⟩
@[reducible] instance Nat.instShiftLeft : ShiftLeft Nat := ⟨Nat.shiftLeft⟩
@[reducible] instance Nat.instShiftRight : ShiftRight Nat := ⟨Nat.shiftRight⟩
/-- Tells the kernel to reduce `a` at once; only a hint. -/
def eagerReduce {α : Sort u} (a : α) : α := a

/-! ### List relations -/
inductive List.Mem {α : Type u} (a : α) : List α → Prop where
  | head (as : List α) : Mem a (.cons a as)
  | tail (b : α) {as : List α} : Mem a as → Mem a (.cons b as)
inductive List.Sublist {α : Type u} : List α → List α → Prop where
  | slnil : Sublist .nil .nil
  | cons {l₁ l₂ : List α} (a : α) : Sublist l₁ l₂ → Sublist l₁ (.cons a l₂)
  | cons₂ {l₁ l₂ : List α} (a : α) : Sublist l₁ l₂ → Sublist (.cons a l₁) (.cons a l₂)
inductive List.Perm {α : Type u} : List α → List α → Prop where
  | nil : Perm .nil .nil
  | cons (x : α) {l₁ l₂ : List α} : Perm l₁ l₂ → Perm (.cons x l₁) (.cons x l₂)
  | swap (x y : α) (l : List α) : Perm (.cons y (.cons x l)) (.cons x (.cons y l))
  | trans {l₁ l₂ l₃ : List α} : Perm l₁ l₂ → Perm l₂ l₃ → Perm l₁ l₃
protected def List.append {α : Type u} : List α → List α → List α
  | .nil, ys => ys
  | .cons x xs, ys => .cons x (List.append xs ys)
instance {α : Type u} : Append (List α) := ⟨List.append⟩
def List.IsPrefix {α : Type u} (l₁ l₂ : List α) : Prop := Exists fun t => Eq (HAppend.hAppend l₁ t) l₂
def List.IsSuffix {α : Type u} (l₁ l₂ : List α) : Prop := Exists fun t => Eq (HAppend.hAppend t l₁) l₂
def List.IsInfix {α : Type u} (l₁ l₂ : List α) : Prop := Exists fun s => Exists fun t => Eq (HAppend.hAppend (HAppend.hAppend s l₁) t) l₂
