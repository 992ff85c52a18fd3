prelude
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # What the compiler and the elaborator expect first
No notation exists yet: terms are applications of names. The order of the declarations matters; see
`docs/embedded-lean.md`, "Traps". -/

/-! ### Compiler markers -/
unsafe axiom lcErased : Type
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type
unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcCast {α : Sort u} {β : Sort v} (a : α) : β
unsafe axiom lcUnreachable {α : Sort u} : α

/-! ### Logic -/
@[reducible] def outParam (α : Sort u) : Sort u := α
@[reducible] def semiOutParam (α : Sort u) : Sort u := α
@[reducible] def optParam (α : Sort u) (_ : α) : Sort u := α
def id {α : Sort u} (a : α) : α := a
set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit : Sort u where
  | unit : PUnit
abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit
structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β
structure MProd (α β : Type u) where
  fst : α
  snd : β
inductive True : Prop where
  | intro : True
inductive False : Prop
inductive Empty : Type
def Not (a : Prop) : Prop := a → False
inductive Eq {α : Sort u} (a : α) : α → Prop where
  | refl : Eq a a
init_quot
@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl
inductive HEq {α : Sort u} (a : α) : {β : Sort u} → β → Prop where
  | refl : HEq a a
@[match_pattern] def HEq.rfl {α : Sort u} {a : α} : HEq a a := HEq.refl
structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b
inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b
structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p
@[reducible] def Ne {α : Sort u} (a b : α) : Prop := Not (Eq a b)
class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α
@[macro_inline] def False.elim {C : Sort u} (h : False) : C := h.rec
@[macro_inline] def absurd {a : Prop} {b : Sort v} (h : a) (h' : Not a) : b := (h' h).rec
theorem trivial : True := True.intro
@[macro_inline] abbrev Eq.ndrec.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq a b) : motive b := h.rec m
theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) : motive b := Eq.ndrec h₂ h₁
@[symm] theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := Eq.ndrec (motive := fun x => Eq x a) rfl h
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c := h₂.rec h₁
@[macro_inline] abbrev Eq.ndrec_symm.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq b a) : motive b := Eq.ndrec m h.symm
@[macro_inline] def cast {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a
@[macro_inline] def Eq.mp {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a
@[macro_inline] def Eq.mpr {α β : Sort u} (h : Eq α β) (b : β) : α := h.symm.rec b
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) : Eq (f a₁) (f a₂) := h.rec rfl
theorem congr {α : Sort u} {β : Sort v} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : Eq f₁ f₂) (h₂ : Eq a₁ a₂) : Eq (f₁ a₁) (f₂ a₂) := h₁.rec (h₂.rec rfl)
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) := h.rec rfl
theorem congrFun' {α : Sort u} {β : Sort v} {f g : α → β} (h : Eq f g) (a : α) : Eq (f a) (g a) := h.rec rfl
theorem eq_of_heq {α : Sort u} {a b : α} (h : HEq a b) : Eq a b :=
  have aux : (β : Sort u) → (b' : β) → HEq a b' → (e : Eq α β) → Eq (cast e a) b' :=
    fun _ _ h => h.rec (fun _ => rfl)
  aux α b h rfl
theorem heq_of_eq {α : Sort u} {a b : α} (h : Eq a b) : HEq a b := h.rec HEq.refl
theorem HEq.symm {α β : Sort u} {a : α} {b : β} (h : HEq a b) : HEq b a := h.rec HEq.refl
theorem HEq.trans {α β γ : Sort u} {a : α} {b : β} {c : γ} (h₁ : HEq a b) (h₂ : HEq b c) : HEq a c := h₂.rec h₁
set_option checkBinderAnnotations false in
abbrev inferInstance {α : Sort u} [i : α] : α := i


inductive Bool : Type where
  | false : Bool
  | true : Bool
axiom sorryAx (α : Sort u) (synthetic : Bool) : α
@[macro_inline] def cond {α : Sort u} (c : Bool) (x y : α) : α := c.casesOn y x

/-! ### Data -/
structure Prod (α : Type u) (β : Type v) where
  fst : α
  snd : β
class inductive Decidable (p : Prop) where
  | isFalse (h : Not p) : Decidable p
  | isTrue (h : p) : Decidable p
set_option genCtorIdx false in
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat
class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
@[instance 100] instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩
@[inline_if_reduce] def Decidable.decide (p : Prop) [h : Decidable p] : Bool := h.casesOn (fun _ => .false) (fun _ => .true)

/-! ### Operator classes -/
class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ
class HSMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSMul : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ
class HAnd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAnd : α → β → γ
class HXor (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hXor : α → β → γ
class HOr (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOr : α → β → γ
class HShiftLeft (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftLeft : α → β → γ
class HShiftRight (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hShiftRight : α → β → γ
class HOrElse (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hOrElse : α → (Unit → β) → γ
class HAndThen (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAndThen : α → (Unit → β) → γ
class Zero (α : Type u) where
  zero : α
class One (α : Type u) where
  one : α
class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Neg (α : Type u) where
  neg : α → α
class Div (α : Type u) where
  div : α → α → α
class Mod (α : Type u) where
  mod : α → α → α
class Inv (α : Type u) where
  inv : α → α
class Dvd (α : Type u) where
  dvd : α → α → Prop
class Pow (α : Type u) (β : Type v) where
  pow : α → β → α
class NatPow (α : Type u) where
  protected pow : α → Nat → α
class SMul (M : Type u) (α : Type v) where
  smul : M → α → α
class Append (α : Type u) where
  append : α → α → α
class AndOp (α : Type u) where
  and : α → α → α
class XorOp (α : Type u) where
  xor : α → α → α
class OrOp (α : Type u) where
  or : α → α → α
class ShiftLeft (α : Type u) where
  shiftLeft : α → α → α
class ShiftRight (α : Type u) where
  shiftRight : α → α → α
class Complement (α : Type u) where
  complement : α → α
class Max (α : Type u) where
  max : α → α → α
class Min (α : Type u) where
  min : α → α → α
class BEq (α : Type u) where
  beq : α → α → Bool
class Membership (α : outParam (Type u)) (γ : Type v) where
  mem (γ : γ) (a : α) : Prop
class HasSubset (α : Type u) where
  Subset : α → α → Prop
class HasSSubset (α : Type u) where
  SSubset : α → α → Prop
class Union (α : Type u) where
  union : α → α → α
class Inter (α : Type u) where
  inter : α → α → α
class SDiff (α : Type u) where
  sdiff : α → α → α
class EmptyCollection (α : Type u) where
  emptyCollection : α
class Insert (α : outParam (Type u)) (γ : Type v) where
  insert : α → γ → γ
class Singleton (α : outParam (Type u)) (β : Type v) where
  singleton : α → β
class HasEquiv (α : Sort u) where
  Equiv : α → α → Sort v
@[reducible] def Superset {α : Type u} [HasSubset α] (a b : α) : Prop := HasSubset.Subset b a
@[reducible] def SSuperset {α : Type u} [HasSSubset α] (a b : α) : Prop := HasSSubset.SSubset b a
@[default_instance, reducible] instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨Add.add⟩
@[default_instance, reducible] instance instHSub {α : Type u} [Sub α] : HSub α α α := ⟨Sub.sub⟩
@[default_instance, reducible] instance instHMul {α : Type u} [Mul α] : HMul α α α := ⟨Mul.mul⟩
@[default_instance, reducible] instance instHDiv {α : Type u} [Div α] : HDiv α α α := ⟨Div.div⟩
@[default_instance, reducible] instance instHMod {α : Type u} [Mod α] : HMod α α α := ⟨Mod.mod⟩
@[default_instance, reducible] instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α := ⟨Pow.pow⟩
@[default_instance 10000, reducible] instance instPowNat {α : Type u} [NatPow α] : Pow α Nat := ⟨NatPow.pow⟩
@[default_instance, reducible] instance instHSMul {α : Type u} {β : Type v} [SMul α β] : HSMul α β β := ⟨SMul.smul⟩
@[default_instance, reducible] instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α := ⟨Append.append⟩
@[default_instance, reducible] instance instHAndOfAndOp {α : Type u} [AndOp α] : HAnd α α α := ⟨AndOp.and⟩
@[default_instance, reducible] instance instHXorOfXorOp {α : Type u} [XorOp α] : HXor α α α := ⟨XorOp.xor⟩
@[default_instance, reducible] instance instHOrOfOrOp {α : Type u} [OrOp α] : HOr α α α := ⟨OrOp.or⟩
@[default_instance, reducible] instance instHShiftLeftOfShiftLeft {α : Type u} [ShiftLeft α] : HShiftLeft α α α := ⟨ShiftLeft.shiftLeft⟩
@[default_instance, reducible] instance instHShiftRightOfShiftRight {α : Type u} [ShiftRight α] : HShiftRight α α α := ⟨ShiftRight.shiftRight⟩

namespace Nat
set_option bootstrap.genMatcherCode false
@[extern "lean_nat_add"] protected def add : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => .succ (Nat.add n m)
@[extern "lean_nat_mul"] protected def mul : Nat → Nat → Nat
  | _, .zero => 0
  | n, .succ m => Nat.add (Nat.mul n m) n
@[extern "lean_nat_pow"] protected def pow : Nat → Nat → Nat
  | _, .zero => 1
  | n, .succ m => Nat.mul (Nat.pow n m) n
@[extern "lean_nat_pred"] def pred : Nat → Nat
  | .zero => 0
  | .succ n => n
@[extern "lean_nat_sub"] protected def sub : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => pred (Nat.sub n m)
@[extern "lean_nat_dec_eq"] def beq : Nat → Nat → Bool
  | .zero, .zero => .true
  | .zero, .succ _ => .false
  | .succ _, .zero => .false
  | .succ n, .succ m => beq n m
@[extern "lean_nat_dec_le"] def ble : Nat → Nat → Bool
  | .zero, _ => .true
  | .succ _, .zero => .false
  | .succ n, .succ m => ble n m
protected inductive le (n : Nat) : Nat → Prop where
  | refl : Nat.le n n
  | step {m : Nat} (h : Nat.le n m) : Nat.le n (succ m)
protected def lt (n m : Nat) : Prop := Nat.le (succ n) m
end Nat
@[reducible] instance instLENat : LE Nat := ⟨Nat.le⟩
@[reducible] instance instLTNat : LT Nat := ⟨Nat.lt⟩
@[reducible] instance instAddNat : Add Nat := ⟨Nat.add⟩
@[reducible] instance instSubNat : Sub Nat := ⟨Nat.sub⟩
@[reducible] instance instMulNat : Mul Nat := ⟨Nat.mul⟩
@[reducible] instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩
theorem Nat.beq_refl : (n : Nat) → Eq (beq n n) .true
  | .zero => rfl
  | .succ n => beq_refl n
def Bool.holds (x : Bool) : Prop := x.rec (motive := fun _ => Prop) False True
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) : (Nat.beq (f a) (f b)).rec (motive := fun _ => Prop) False True :=
  @Eq.ndrec α a (fun b => Bool.holds (Nat.beq (f a) (f b)))
    (@Eq.ndrec Bool .true Bool.holds True.intro _ (Nat.beq_refl (f a)).symm) b h
@[reducible] def Bool.ctorIdx (b : Bool) : Nat := b.casesOn 0 1
noncomputable abbrev Nat.ctorIdx (n : Nat) : Nat := n.casesOn 0 fun _ => 1
theorem Nat.succ_le_succ' {n : Nat} : {m : Nat} → Nat.le n m → Nat.le (succ n) (succ m)
  | _, .refl => .refl
  | _, .step h => .step (succ_le_succ' h)
theorem Nat.eq_of_beq_eq_true : (n m : Nat) → Eq (beq n m) .true → Eq n m
  | .zero, .zero, _ => rfl
  | .succ n, .succ m, h => congrArg succ (eq_of_beq_eq_true n m h)
theorem Nat.ne_of_beq_eq_false (n m : Nat) (h : Eq (beq n m) .false) (e : Eq n m) : False :=
  have h2 : Eq Bool.true Bool.false := (Eq.ndrec (motive := fun k => Eq (beq n k) .true) (beq_refl n) e).symm.trans h
  nomatch h2
@[extern "lean_nat_dec_eq"] def Nat.decEq (n m : Nat) : Decidable (Eq n m) :=
  match h : beq n m with
  | .true => .isTrue (eq_of_beq_eq_true n m h)
  | .false => .isFalse (ne_of_beq_eq_false n m h)
@[reducible] instance instDecidableEqNat (n m : Nat) : Decidable (Eq n m) := Nat.decEq n m
theorem Nat.le_of_ble_eq_true : (n m : Nat) → Eq (ble n m) .true → Nat.le n m
  | .zero, .zero, _ => .refl
  | .zero, .succ m, _ => .step (le_of_ble_eq_true .zero m rfl)
  | .succ n, .succ m, h => Nat.succ_le_succ' (le_of_ble_eq_true n m h)
structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  up ::
  down : α
attribute [match_pattern] Nat.add Add.add HAdd.hAdd
attribute [default_instance 100] instOfNatNat
