prelude
import Init.Prelude
set_option autoImplicit false
set_option linter.all false
universe u v w

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α
structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val
inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β
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
class Inhabited (α : Sort u) where
  default : α
abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)
@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α := h.casesOn (fun _ => e) (fun _ => t)
@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α := h.casesOn e t

class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeTC (α : Sort u) (β : Sort v) where
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
attribute [coe_decl] Coe.coe CoeTC.coe CoeHTCT.coe CoeDep.coe CoeT.coe CoeFun.coe CoeSort.coe
instance {α : Sort u} {β : Sort v} [Coe α β] : CoeTC α β := ⟨Coe.coe⟩
instance {α : Sort u} {β : Sort v} (a : α) [CoeTC α β] : CoeT α a β := ⟨CoeTC.coe a⟩
instance {α : Sort u} {β : Sort v} (a : α) [CoeDep α a β] : CoeT α a β := ⟨CoeDep.coe a⟩
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
