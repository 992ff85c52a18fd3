prelude
import Init.WF
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Booleans, decidable equality, options, pairs, sums, subtypes -/

/-! ### Bool -/
@[simp] theorem cond_true {α : Sort u} {a b : α} : cond true a b = a := rfl
@[simp] theorem cond_false {α : Sort u} {a b : α} : cond false a b = b := rfl
namespace Bool
@[simp] theorem false_eq_true : (false = true) = False := eq_false nofun
@[simp] theorem true_eq_false : (true = false) = False := eq_false nofun
theorem false_ne_true : false ≠ true := nofun
@[simp] theorem not_true : (!true) = false := rfl
@[simp] theorem not_false : (!false) = true := rfl
@[simp] theorem not_not (b : Bool) : (!!b) = b := by cases b <;> rfl
@[simp] theorem and_true (b : Bool) : (b && true) = b := by cases b <;> rfl
@[simp] theorem true_and (b : Bool) : (true && b) = b := rfl
@[simp] theorem and_false (b : Bool) : (b && false) = false := by cases b <;> rfl
@[simp] theorem false_and (b : Bool) : (false && b) = false := rfl
@[simp] theorem and_self (b : Bool) : (b && b) = b := by cases b <;> rfl
@[simp] theorem or_true (b : Bool) : (b || true) = true := by cases b <;> rfl
@[simp] theorem true_or (b : Bool) : (true || b) = true := rfl
@[simp] theorem or_false (b : Bool) : (b || false) = b := by cases b <;> rfl
@[simp] theorem false_or (b : Bool) : (false || b) = b := rfl
@[simp] theorem or_self (b : Bool) : (b || b) = b := by cases b <;> rfl
@[simp] theorem and_not_self (b : Bool) : (b && !b) = false := by cases b <;> rfl
@[simp] theorem not_and_self (b : Bool) : (!b && b) = false := by cases b <;> rfl
@[simp] theorem or_not_self (b : Bool) : (b || !b) = true := by cases b <;> rfl
@[simp] theorem not_or_self (b : Bool) : (!b || b) = true := by cases b <;> rfl
theorem and_eq_true_iff {x y : Bool} : (x && y) = true ↔ x = true ∧ y = true := by cases x <;> cases y <;> decide
theorem or_eq_true_iff {x y : Bool} : (x || y) = true ↔ x = true ∨ y = true := by cases x <;> cases y <;> decide
@[simp] theorem and_eq_true (a b : Bool) : ((a && b) = true) = (a = true ∧ b = true) := propext and_eq_true_iff
@[simp] theorem or_eq_true (a b : Bool) : ((a || b) = true) = (a = true ∨ b = true) := propext or_eq_true_iff
@[simp] theorem and_eq_false_iff {x y : Bool} : (x && y) = false ↔ x = false ∨ y = false := by cases x <;> cases y <;> decide
@[simp] theorem or_eq_false_iff {x y : Bool} : (x || y) = false ↔ x = false ∧ y = false := by cases x <;> cases y <;> decide
@[simp] theorem not_eq_true (b : Bool) : (¬b = true) = (b = false) := propext (by cases b <;> decide)
@[simp] theorem not_eq_false (b : Bool) : (¬b = false) = (b = true) := propext (by cases b <;> decide)
@[simp] theorem not_eq_true' (b : Bool) : ((!b) = true) = (b = false) := propext (by cases b <;> decide)
@[simp] theorem not_eq_false' (b : Bool) : ((!b) = false) = (b = true) := propext (by cases b <;> decide)
theorem of_not_eq_true {b : Bool} (h : ¬b = true) : b = false := (not_eq_true b) ▸ h
theorem of_not_eq_false {b : Bool} (h : ¬b = false) : b = true := (not_eq_false b) ▸ h
theorem eq_false_of_ne_true {b : Bool} (h : ¬b = true) : b = false := (not_eq_true b) ▸ h
theorem eq_true_of_ne_false {b : Bool} (h : ¬b = false) : b = true := (not_eq_false b) ▸ h
theorem ne_true_of_eq_false {b : Bool} (h : b = false) : ¬b = true := fun k => nomatch h.symm.trans k
theorem ne_false_of_eq_true {b : Bool} (h : b = true) : ¬b = false := fun k => nomatch h.symm.trans k
theorem eq_false_or_eq_true (b : Bool) : b = true ∨ b = false := by cases b <;> simp
theorem eq_true_or_eq_false (b : Bool) : b = true ∨ b = false := eq_false_or_eq_true b
theorem eq_iff_iff {a b : Bool} : a = b ↔ (a = true ↔ b = true) := by cases a <;> cases b <;> decide
theorem and_comm (x y : Bool) : (x && y) = (y && x) := by cases x <;> cases y <;> rfl
theorem or_comm (x y : Bool) : (x || y) = (y || x) := by cases x <;> cases y <;> rfl
theorem and_assoc (x y z : Bool) : ((x && y) && z) = (x && (y && z)) := by cases x <;> rfl
theorem or_assoc (x y z : Bool) : ((x || y) || z) = (x || (y || z)) := by cases x <;> rfl
theorem and_left_comm (x y z : Bool) : (x && (y && z)) = (y && (x && z)) := by cases x <;> cases y <;> rfl
theorem or_left_comm (x y z : Bool) : (x || (y || z)) = (y || (x || z)) := by cases x <;> cases y <;> rfl
theorem and_or_distrib_left (x y z : Bool) : (x && (y || z)) = ((x && y) || (x && z)) := by cases x <;> rfl
theorem and_or_distrib_right (x y z : Bool) : ((x || y) && z) = ((x && z) || (y && z)) := by cases x <;> cases y <;> cases z <;> rfl
theorem or_and_distrib_left (x y z : Bool) : (x || (y && z)) = ((x || y) && (x || z)) := by cases x <;> rfl
theorem not_and (x y : Bool) : (!(x && y)) = (!x || !y) := by cases x <;> rfl
theorem not_or (x y : Bool) : (!(x || y)) = (!x && !y) := by cases x <;> rfl
attribute [simp] not_and not_or
theorem not_inj {x y : Bool} (h : (!x) = (!y)) : x = y := by cases x <;> cases y <;> first | rfl | cases h
end Bool
section
variable {p q : Prop}
theorem decide_true (h : Decidable True) : @decide True h = true := decide_eq_true trivial
theorem decide_false (h : Decidable False) : @decide False h = false := decide_eq_false id
attribute [simp] decide_true decide_false
@[simp] theorem decide_not [g : Decidable p] [h : Decidable (¬p)] : decide (¬p) = !decide p := by
  cases g with
  | isTrue k => rw [decide_eq_false (fun n => n k)]; rfl
  | isFalse k => rw [decide_eq_true k]; rfl
@[simp] theorem Bool.decide_and [dpq : Decidable (p ∧ q)] [dp : Decidable p] [dq : Decidable q] : decide (p ∧ q) = (decide p && decide q) := by
  cases dp with
  | isTrue k => cases dq with
    | isTrue l => exact decide_eq_true ⟨k, l⟩
    | isFalse l => exact decide_eq_false fun x => l x.2
  | isFalse k => exact decide_eq_false fun x => k x.1
@[simp] theorem Bool.decide_or [dpq : Decidable (p ∨ q)] [dp : Decidable p] [dq : Decidable q] : decide (p ∨ q) = (decide p || decide q) := by
  cases dp with
  | isTrue k => exact decide_eq_true (.inl k)
  | isFalse k => cases dq with
    | isTrue l => exact decide_eq_true (.inr l)
    | isFalse l => exact decide_eq_false fun x => x.elim k l
@[simp] theorem Bool.decide_eq_true {b : Bool} [Decidable (b = true)] : decide (b = true) = b := by
  cases b with
  | false => exact _root_.decide_eq_false nofun
  | true => exact _root_.decide_eq_true rfl
theorem decide_eq_decide {_ : Decidable p} {_ : Decidable q} : decide p = decide q ↔ (p ↔ q) := by
  constructor
  · intro h
    exact ⟨fun k => of_decide_eq_true (h ▸ decide_eq_true k), fun k => of_decide_eq_true (h.symm ▸ decide_eq_true k)⟩
  · intro h
    by_cases k : p
    · rw [decide_eq_true k, decide_eq_true (h.1 k)]
    · rw [decide_eq_false k, decide_eq_false fun x => k (h.2 x)]
end

/-! ### Boolean equality -/
instance (priority := 500) instBEqOfDecidableEq {α : Type u} [DecidableEq α] : BEq α := ⟨fun a b => decide (a = b)⟩
class ReflBEq (α : Type u) [BEq α] : Prop where
  protected rfl {a : α} : (a == a) = true
class LawfulBEq (α : Type u) [BEq α] : Prop extends ReflBEq α where
  eq_of_beq : {a b : α} → (a == b) = true → a = b
export LawfulBEq (eq_of_beq)
instance {α : Type u} [DecidableEq α] : LawfulBEq α where
  rfl := decide_eq_true rfl
  eq_of_beq := of_decide_eq_true
instance : LawfulBEq Bool where
  rfl {a} := by cases a <;> rfl
  eq_of_beq {a b} h := by cases a <;> cases b <;> first | rfl | cases h
section
variable {α : Type u} [BEq α]
@[simp] theorem beq_self_eq_true [ReflBEq α] (a : α) : (a == a) = true := ReflBEq.rfl
theorem beq_of_eq [ReflBEq α] {a b : α} (h : a = b) : (a == b) = true := h ▸ ReflBEq.rfl
@[simp] theorem beq_iff_eq [LawfulBEq α] {a b : α} : a == b ↔ a = b := ⟨eq_of_beq, beq_of_eq⟩
theorem not_eq_of_beq_eq_false [ReflBEq α] {a b : α} (h : (a == b) = false) : ¬a = b := fun e => nomatch h.symm.trans (beq_of_eq e)
theorem beq_false_of_ne [LawfulBEq α] {a b : α} (h : a ≠ b) : (a == b) = false := Bool.eq_false_of_ne_true fun k => h (eq_of_beq k)
@[simp] theorem beq_eq_false_iff_ne [LawfulBEq α] {a b : α} : (a == b) = false ↔ a ≠ b := ⟨not_eq_of_beq_eq_false, beq_false_of_ne⟩
@[simp] theorem bne_self_eq_false [ReflBEq α] (a : α) : (a != a) = false := by rw [bne, beq_self_eq_true]; rfl
@[simp] theorem bne_iff_ne [LawfulBEq α] {a b : α} : a != b ↔ a ≠ b := by
  show (!(a == b)) = true ↔ a ≠ b
  rw [Bool.not_eq_true']; exact beq_eq_false_iff_ne
theorem bne_of_ne [LawfulBEq α] {a b : α} (h : a ≠ b) : (a != b) = true := bne_iff_ne.2 h
theorem beq_eq_decide' [LawfulBEq α] [DecidableEq α] (a b : α) : (a == b) = decide (a = b) := by
  by_cases h : a = b
  · rw [decide_eq_true h]; exact beq_of_eq h
  · rw [decide_eq_false h]; exact beq_false_of_ne h
end
theorem Nat.beq_eq_true_eq {a b : Nat} : ((a == b) = true) = (a = b) := propext beq_iff_eq
theorem Nat.not_beq_eq_true_eq {a b : Nat} : ((!(a == b)) = true) = ¬(a = b) := propext (by
  rw [Bool.not_eq_true']; exact beq_eq_false_iff_ne)

namespace Nat.Simproc
theorem beqEqOfEqEq {a b c d : Nat} (h : (a = b) = (c = d)) : (a == b) = (c == d) := Bool.eq_iff_iff.2 (by rw [Nat.beq_eq_true_eq, Nat.beq_eq_true_eq, h])
theorem beqFalseOfEqFalse {a b : Nat} (h : (a = b) = False) : (a == b) = false := beq_false_of_ne (of_eq_false h)
theorem bneEqOfEqEq {a b c d : Nat} (h : (a = b) = (c = d)) : (a != b) = (c != d) := congrArg Bool.not (beqEqOfEqEq h)
theorem bneTrueOfEqFalse {a b : Nat} (h : (a = b) = False) : (a != b) = true := congrArg Bool.not (beqFalseOfEqFalse h)
end Nat.Simproc

/-! ### Unit, pairs, sums, subtypes, lifts -/
instance instInhabitedPUnit : Inhabited PUnit := ⟨.unit⟩
instance : Inhabited True := ⟨trivial⟩
instance : Inhabited Prop := ⟨True⟩
export Inhabited (default)
instance instDecidableEqPUnit : DecidableEq PUnit := fun _ _ => .isTrue rfl
instance instDecidableEqEmpty : DecidableEq Empty := fun a => nomatch a
gen_injective_theorems% Prod
gen_injective_theorems% PSigma
gen_injective_theorems% Sigma
gen_injective_theorems% Sum
gen_injective_theorems% PSum
gen_injective_theorems% Option
gen_injective_theorems% List
gen_injective_theorems% Fin
gen_injective_theorems% Char
gen_injective_theorems% String
gen_injective_theorems% Array
gen_injective_theorems% PLift
gen_injective_theorems% ULift
namespace Prod
variable {α : Type u} {β : Type v}
instance [Inhabited α] [Inhabited β] : Inhabited (α × β) := ⟨(default, default)⟩
@[simp] protected theorem eta (p : α × β) : (p.1, p.2) = p := rfl
theorem mk.eta {p : α × β} : (p.1, p.2) = p := rfl
@[ext] protected theorem ext : {p q : α × β} → p.1 = q.1 → p.2 = q.2 → p = q
  | (_, _), (_, _), rfl, rfl => rfl
@[simp] protected theorem «forall» {p : α × β → Prop} : (∀ x, p x) ↔ ∀ a b, p (a, b) := ⟨fun h a b => h (a, b), fun h x => h x.1 x.2⟩
@[simp] protected theorem «exists» {p : α × β → Prop} : (∃ x, p x) ↔ ∃ a b, p (a, b) := ⟨fun ⟨x, h⟩ => ⟨x.1, x.2, h⟩, fun ⟨a, b, h⟩ => ⟨(a, b), h⟩⟩
def map {γ : Type w} {δ : Type w} (f : α → γ) (g : β → δ) (p : α × β) : γ × δ := (f p.1, g p.2)
def swap (p : α × β) : β × α := (p.2, p.1)
@[simp] theorem swap_prod_mk {a : α} {b : β} : swap (a, b) = (b, a) := rfl
@[simp] theorem fst_swap {p : α × β} : (swap p).1 = p.2 := rfl
@[simp] theorem snd_swap {p : α × β} : (swap p).2 = p.1 := rfl
instance [DecidableEq α] [DecidableEq β] : DecidableEq (α × β) := fun (a, b) (c, d) =>
  if h : a = c then
    if k : b = d then .isTrue (by rw [h, k]) else .isFalse fun e => k (congrArg Prod.snd e)
  else .isFalse fun e => h (congrArg Prod.fst e)
end Prod
namespace Sum
variable {α : Type u} {β : Type v}
instance instInhabitedLeft [Inhabited α] : Inhabited (α ⊕ β) := ⟨.inl default⟩
instance [DecidableEq α] [DecidableEq β] : DecidableEq (α ⊕ β) := fun
  | .inl a, .inl b => if h : a = b then .isTrue (by rw [h]) else .isFalse fun e => h (Sum.inl.inj e)
  | .inr a, .inr b => if h : a = b then .isTrue (by rw [h]) else .isFalse fun e => h (Sum.inr.inj e)
  | .inl _, .inr _ => .isFalse nofun
  | .inr _, .inl _ => .isFalse nofun
@[simp] protected theorem «forall» {p : α ⊕ β → Prop} : (∀ x, p x) ↔ (∀ a, p (.inl a)) ∧ ∀ b, p (.inr b) :=
  ⟨fun h => ⟨fun a => h _, fun b => h _⟩, fun h x => match x with | .inl a => h.1 a | .inr b => h.2 b⟩
protected def elim {γ : Sort w} (f : α → γ) (g : β → γ) : α ⊕ β → γ
  | .inl a => f a
  | .inr b => g b
@[simp] theorem elim_inl {γ : Sort w} (f : α → γ) (g : β → γ) (x : α) : Sum.elim f g (inl x) = f x := rfl
@[simp] theorem elim_inr {γ : Sort w} (f : α → γ) (g : β → γ) (x : β) : Sum.elim f g (inr x) = g x := rfl
end Sum
namespace Subtype
variable {α : Sort u} {p : α → Prop}
@[ext] protected theorem ext : {a1 a2 : Subtype p} → a1.val = a2.val → a1 = a2
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
protected theorem eq : {a1 a2 : Subtype p} → a1.val = a2.val → a1 = a2 := Subtype.ext
@[simp] protected theorem eta (a : Subtype p) (h : p a.val) : Subtype.mk a.val h = a := rfl
@[simp] protected theorem «forall» {q : Subtype p → Prop} : (∀ x, q x) ↔ ∀ a b, q ⟨a, b⟩ := ⟨fun h a b => h ⟨a, b⟩, fun h x => h x.1 x.2⟩
@[simp] protected theorem «exists» {q : Subtype p → Prop} : (∃ x, q x) ↔ ∃ a b, q ⟨a, b⟩ := ⟨fun ⟨x, h⟩ => ⟨x.1, x.2, h⟩, fun ⟨a, b, h⟩ => ⟨⟨a, b⟩, h⟩⟩
instance [d : DecidableEq α] : DecidableEq (Subtype p) := fun a b =>
  if h : a.val = b.val then .isTrue (Subtype.ext h) else .isFalse fun e => h (congrArg _ e)
end Subtype
theorem PLift.up_down {α : Sort u} (b : PLift α) : PLift.up (PLift.down b) = b := rfl
theorem PLift.down_up {α : Sort u} (a : α) : PLift.down (PLift.up a) = a := rfl
theorem ULift.up_down {α : Type u} (b : ULift.{v} α) : ULift.up (ULift.down b) = b := rfl
theorem ULift.down_up {α : Type u} (a : α) : ULift.down (ULift.up.{v} a) = a := rfl

/-! ### Option -/
namespace Option
variable {α : Type u} {β : Type v}
instance : Inhabited (Option α) := ⟨none⟩
instance : Coe α (Option α) := ⟨some⟩
instance [DecidableEq α] : DecidableEq (Option α) := fun
  | none, none => .isTrue rfl
  | some a, some b => if h : a = b then .isTrue (by rw [h]) else .isFalse fun e => h (Option.some.inj e)
  | none, some _ => .isFalse nofun
  | some _, none => .isFalse nofun
@[inline] protected def map (f : α → β) : Option α → Option β
  | some x => some (f x)
  | none => none
@[inline] protected def bind : Option α → (α → Option β) → Option β
  | none, _ => none
  | some a, f => f a
@[inline] def isSome : Option α → Bool
  | some _ => true
  | none => false
@[inline] def isNone : Option α → Bool
  | some _ => false
  | none => true
@[inline] def getD (opt : Option α) (dflt : α) : α := match opt with
  | some x => x
  | none => dflt
@[inline] def get : (o : Option α) → o.isSome = true → α
  | some x, _ => x
@[inline] protected def elim {γ : Sort w} : Option α → γ → (α → γ) → γ
  | some x, _, f => f x
  | none, y, _ => y
@[inline] protected def filter (p : α → Bool) : Option α → Option α
  | some a => if p a then some a else none
  | none => none
protected def orElse : Option α → (Unit → Option α) → Option α
  | some a, _ => some a
  | none, b => b ()
instance : OrElse (Option α) := ⟨Option.orElse⟩
theorem some_ne_none (a : α) : some a ≠ none := nofun
@[simp] theorem some_inj {a b : α} : some a = some b ↔ a = b := ⟨Option.some.inj, congrArg some⟩
@[simp] theorem map_none (f : α → β) : none.map f = none := rfl
@[simp] theorem map_some (f : α → β) (a : α) : (some a).map f = some (f a) := rfl
@[simp] theorem bind_none (f : α → Option β) : none.bind f = none := rfl
@[simp] theorem bind_some (a : α) (f : α → Option β) : (some a).bind f = f a := rfl
@[simp] theorem isSome_none : (none : Option α).isSome = false := rfl
@[simp] theorem isSome_some (a : α) : (some a).isSome = true := rfl
@[simp] theorem isNone_none : (none : Option α).isNone = true := rfl
@[simp] theorem isNone_some (a : α) : (some a).isNone = false := rfl
@[simp] theorem getD_none (a : α) : none.getD a = a := rfl
@[simp] theorem getD_some (a b : α) : (some a).getD b = a := rfl
@[simp] theorem get_some (a : α) (h : (some a).isSome = true) : (some a).get h = a := rfl
@[simp] theorem some_get : {x : Option α} → (h : x.isSome = true) → some (x.get h) = x
  | some _, _ => rfl
@[simp] theorem elim_none {γ : Sort w} (x : γ) (f : α → γ) : Option.elim none x f = x := rfl
@[simp] theorem elim_some {γ : Sort w} (x : γ) (f : α → γ) (a : α) : Option.elim (some a) x f = f a := rfl
@[ext] theorem ext : {o₁ o₂ : Option α} → (∀ a, o₁ = some a ↔ o₂ = some a) → o₁ = o₂
  | none, none, _ => rfl
  | some a, _, h => ((h a).1 rfl).symm
  | none, some b, h => (h b).2 rfl
theorem isSome_iff_exists {x : Option α} : x.isSome ↔ ∃ a, x = some a := by
  cases x with
  | none => exact ⟨nofun, fun ⟨_, h⟩ => nomatch h⟩
  | some a => exact ⟨fun _ => ⟨a, rfl⟩, fun _ => rfl⟩
@[simp] theorem isNone_iff_eq_none {o : Option α} : o.isNone ↔ o = none := by
  cases o with
  | none => exact ⟨fun _ => rfl, fun _ => rfl⟩
  | some a => exact ⟨nofun, nofun⟩
theorem ne_none_iff_exists' {o : Option α} : o ≠ none ↔ ∃ x, o = some x := by
  cases o with
  | none => exact ⟨fun h => (h rfl).elim, fun ⟨_, h⟩ => nomatch h⟩
  | some a => exact ⟨fun _ => ⟨a, rfl⟩, fun _ => nofun⟩
theorem eq_none_iff_forall_ne_some {o : Option α} : o = none ↔ ∀ a, o ≠ some a := by
  cases o with
  | none => exact ⟨fun _ _ => nofun, fun _ => rfl⟩
  | some a => exact ⟨nofun, fun h => (h a rfl).elim⟩
@[simp] theorem map_eq_some_iff {x : Option α} {f : α → β} {b : β} : x.map f = some b ↔ ∃ a, x = some a ∧ f a = b := by
  cases x with
  | none => exact ⟨nofun, fun ⟨_, h, _⟩ => nomatch h⟩
  | some a => exact ⟨fun h => ⟨a, rfl, Option.some.inj h⟩, fun ⟨_, h, k⟩ => by cases h; exact congrArg some k⟩
@[simp] theorem map_eq_none_iff {x : Option α} {f : α → β} : x.map f = none ↔ x = none := by
  cases x with
  | none => exact ⟨fun _ => rfl, fun _ => rfl⟩
  | some a => exact ⟨nofun, nofun⟩
theorem bind_eq_some_iff {x : Option α} {f : α → Option β} {b : β} : x.bind f = some b ↔ ∃ a, x = some a ∧ f a = some b := by
  cases x with
  | none => exact ⟨nofun, fun ⟨_, h, _⟩ => nomatch h⟩
  | some a => exact ⟨fun h => ⟨a, rfl, h⟩, fun ⟨_, h, k⟩ => by cases h; exact k⟩
@[simp] theorem bind_eq_none_iff {o : Option α} {f : α → Option β} : o.bind f = none ↔ ∀ a, o = some a → f a = none := by
  cases o with
  | none => exact ⟨fun _ _ => nofun, fun _ => rfl⟩
  | some a => exact ⟨fun h b e => Option.some.inj e ▸ h, fun h => h a rfl⟩
theorem bind_assoc {γ : Type w} (x : Option α) (f : α → Option β) (g : β → Option γ) : (x.bind f).bind g = x.bind fun y => (f y).bind g := by cases x <;> rfl
@[simp] theorem bind_fun_some (x : Option α) : x.bind some = x := by cases x <;> rfl
@[simp] theorem map_id_apply' (x : Option α) : x.map (fun a => a) = x := by cases x <;> rfl
@[simp] theorem map_map {γ : Type w} (h : β → γ) (g : α → β) (x : Option α) : (x.map g).map h = x.map (h ∘ g) := by cases x <;> rfl
end Option
instance instMonadOption : Monad Option where
  pure := some
  bind := Option.bind
  map f x := Option.map f x
@[simp] theorem Option.pure_def {α : Type u} : (pure : α → Option α) = some := rfl
@[simp] theorem Option.bind_eq_bind {α β : Type u} (x : Option α) (f : α → Option β) : x >>= f = x.bind f := rfl
@[simp] theorem Option.map_eq_map {α β : Type u} (f : α → β) (x : Option α) : f <$> x = x.map f := rfl
inductive Except (ε : Type u) (α : Type v) where
  | error : ε → Except ε α
  | ok : α → Except ε α
instance instMonadExceptState {ε : Type u} : Monad (Except ε) where
  pure := .ok
  bind x f := match x with | .ok a => f a | .error e => .error e
  map f x := match x with | .ok a => .ok (f a) | .error e => .error e

/-! ### Quotients -/
class Setoid (α : Sort u) where
  r : α → α → Prop
  iseqv : (∀ x, r x x) ∧ (∀ {x y}, r x y → r y x) ∧ (∀ {x y z}, r x y → r y z → r x z)
instance {α : Sort u} [Setoid α] : HasEquiv α := ⟨Setoid.r⟩

/-! ### Automatic termination proofs
`omega` is not available here, so sums and constructor sizes are compared by the lemmas below. -/
theorem Nat.lt_one_add_of_le {a b : Nat} (h : a ≤ b) : a < 1 + b := Nat.add_comm 1 b ▸ Nat.lt_succ_of_le h
syntax "decreasing_sum" : tactic
macro_rules
  | `(tactic| decreasing_sum) => `(tactic| first
    | assumption
    | exact Nat.le_refl _
    | exact Nat.zero_le _
    | exact Nat.zero_lt_succ _
    | exact Nat.lt_succ_self _
    | (with_reducible apply Nat.lt_one_add_of_le; decreasing_sum)
    | (with_reducible apply Nat.lt_add_one_of_le; decreasing_sum)
    | (with_reducible apply Nat.le_add_left_of_le; decreasing_sum)
    | (with_reducible apply Nat.le_add_right_of_le; decreasing_sum)
    | (with_reducible apply Nat.lt_add_of_pos_left; decreasing_sum)
    | (with_reducible apply Nat.lt_add_of_pos_right; decreasing_sum)
    | (with_reducible apply Nat.add_pos_left; decreasing_sum)
    | (with_reducible apply Nat.add_pos_right; decreasing_sum)
    | (with_reducible apply Nat.lt_add_left; decreasing_sum)
    | (with_reducible apply Nat.lt_add_right; decreasing_sum)
    | (with_reducible apply Nat.sub_lt_self <;> decreasing_sum)
    | (with_reducible apply Nat.sub_lt <;> decreasing_sum)
    | (with_reducible apply Nat.div_lt_self <;> first | assumption | decide | (with_reducible apply Nat.pos_of_ne_zero; assumption))
    | (with_reducible apply Nat.pos_of_ne_zero; assumption)
    | (with_reducible apply Nat.mod_lt; decreasing_sum)
    | decide)
macro_rules
  | `(tactic| decreasing_trivial) => `(tactic| first | decreasing_sum | (simp; decreasing_sum) | (simp; done))
