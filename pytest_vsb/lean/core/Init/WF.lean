prelude
import Init.Nat
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Well-founded recursion
What the elaborator names when it compiles `termination_by` and `decreasing_by`. -/

inductive Acc {α : Sort u} (r : α → α → Prop) : α → Prop where
  | intro (x : α) (h : (y : α) → r y x → Acc r y) : Acc r x
theorem Acc.inv {α : Sort u} {r : α → α → Prop} {x y : α} (h : Acc r x) (k : r y x) : Acc r y := h.recOn (fun _ f _ k => f _ k) k
inductive WellFounded {α : Sort u} (r : α → α → Prop) : Prop where
  | intro (h : ∀ a, Acc r a) : WellFounded r
class WellFoundedRelation (α : Sort u) where
  rel : α → α → Prop
  wf : WellFounded rel
namespace WellFounded
theorem apply {α : Sort u} {r : α → α → Prop} (wf : WellFounded r) (a : α) : Acc r a := match wf with | ⟨h⟩ => h a
section
variable {α : Sort u} {r : α → α → Prop} (hwf : WellFounded r)
include hwf in
theorem recursion {C : α → Sort v} (a : α) (h : ∀ x, (∀ y, r y x → C y) → C x) : Nonempty (C a) := by
  induction hwf.apply a with
  | intro x _ ih => exact ⟨h x fun y k => Classical.choice (ih y k)⟩
include hwf in
theorem induction {C : α → Prop} (a : α) (h : ∀ x, (∀ y, r y x → C y) → C x) : C a := by
  induction hwf.apply a with
  | intro x _ ih => exact h x ih
end
section
variable {α : Sort u} {r : α → α → Prop} {C : α → Sort v}
noncomputable def fixF (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) (a : Acc r x) : C x := by
  induction a with
  | intro x _ ih => exact F x ih
theorem fixF_eq (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) (acx : Acc r x) : fixF F x acx = F x fun (y : α) (p : r y x) => fixF F y (Acc.inv acx p) := by
  cases acx with
  | intro x h => rfl
end
section
variable {α : Sort u} {C : α → Sort v} {r : α → α → Prop}
noncomputable def fix (hwf : WellFounded r) (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) : C x := fixF F x (apply hwf x)
theorem fix_eq (hwf : WellFounded r) (F : ∀ x, (∀ y, r y x → C y) → C x) (x : α) : fix hwf F x = F x fun y _ => fix hwf F y := fixF_eq F x (apply hwf x)
end
end WellFounded
@[instance_reducible] def emptyWf {α : Sort u} : WellFoundedRelation α := ⟨fun _ _ => False, ⟨fun a => ⟨a, fun _ h => h.elim⟩⟩⟩
namespace Subrelation
variable {α : Sort u} {r q : α → α → Prop}
theorem accessible {a : α} (h₁ : ∀ {x y : α}, q x y → r x y) (ac : Acc r a) : Acc q a := by
  induction ac with
  | intro x _ ih => exact ⟨x, fun y h => ih y (h₁ h)⟩
theorem wf (h₁ : ∀ {x y : α}, q x y → r x y) (h₂ : WellFounded r) : WellFounded q := ⟨fun a => accessible h₁ (h₂.apply a)⟩
end Subrelation
def InvImage {α : Sort u} {β : Sort v} (r : β → β → Prop) (f : α → β) : α → α → Prop := fun a b => r (f a) (f b)
namespace InvImage
variable {α : Sort u} {β : Sort v} {r : β → β → Prop}
theorem accessible {a : α} (f : α → β) (ac : Acc r (f a)) : Acc (InvImage r f) a := by
  have aux : ∀ b, Acc r b → ∀ x, f x = b → Acc (InvImage r f) x := by
    intro b h
    induction h with
    | intro b _ ih =>
      intro x e
      exact ⟨x, fun y (k : r (f y) (f x)) => ih (f y) (e ▸ k) y rfl⟩
  exact aux _ ac a rfl
theorem wf (f : α → β) (h : WellFounded r) : WellFounded (InvImage r f) := ⟨fun a => accessible f (h.apply (f a))⟩
end InvImage
@[reducible] def invImage {α : Sort u} {β : Sort v} (f : α → β) (h : WellFoundedRelation β) : WellFoundedRelation α := ⟨InvImage h.rel f, InvImage.wf f h.wf⟩
namespace Nat
theorem lt_wf : WellFounded (fun n m : Nat => n < m) := by
  refine ⟨fun n => ?_⟩
  induction n with
  | zero => exact ⟨_, fun y h => (Nat.not_lt_zero y h).elim⟩
  | succ n ih =>
    refine ⟨_, fun y h => ?_⟩
    cases Nat.lt_or_eq_of_le (Nat.le_of_lt_succ h) with
    | inl k => exact ih.inv k
    | inr k => exact k ▸ ih
@[instance_reducible] def lt_wfRel : WellFoundedRelation Nat := ⟨fun n m => n < m, lt_wf⟩
protected theorem strongRecOn' {motive : Nat → Prop} (n : Nat) (ind : ∀ n, (∀ m, m < n → motive m) → motive n) : motive n := lt_wf.induction n ind
@[elab_as_elim] protected noncomputable def strongRecOn {motive : Nat → Sort u} (n : Nat) (ind : ∀ n, (∀ m, m < n → motive m) → motive n) : motive n := lt_wf.fix ind n
@[elab_as_elim] protected noncomputable def strongRec {motive : Nat → Sort u} (ind : ∀ n, (∀ m, m < n → motive m) → motive n) (t : Nat) : motive t := lt_wf.fix ind t
@[elab_as_elim] protected theorem strong_induction_on {p : Nat → Prop} (n : Nat) (h : ∀ n, (∀ m, m < n → p m) → p n) : p n := lt_wf.induction n h
end Nat
namespace WellFounded.Nat
section
variable {α : Sort u} {motive : α → Sort v} (h : α → _root_.Nat)
  (F : (x : α) → ((y : α) → InvImage (fun a b : _root_.Nat => a < b) h y x → motive y) → motive x)
/-- Recursion on a measure with a fuel argument, so that the kernel can compute with it. -/
protected def fix.go : (fuel : _root_.Nat) → (x : α) → h x < fuel → motive x
  | 0, x, k => (Nat.not_lt_zero _ k).elim
  | .succ fuel, x, k => F x fun y l => fix.go fuel y (Nat.lt_of_lt_of_le l (Nat.le_of_lt_succ k))
def fix (x : α) : motive x := fix.go h F (h x).succ x (Nat.lt_succ_self _)
theorem fix.go_congr (n m : _root_.Nat) (x : α) (hn : h x < n) (hm : h x < m) : fix.go h F n x hn = fix.go h F m x hm := by
  induction n generalizing m x with
  | zero => exact (Nat.not_lt_zero _ hn).elim
  | succ n ih => cases m with
    | zero => exact (Nat.not_lt_zero _ hm).elim
    | succ m =>
      show F x _ = F x _
      exact congrArg (F x) (funext fun y => funext fun l => ih m y _ _)
theorem fix_eq (x : α) : fix h F x = F x fun y _ => fix h F y :=
  congrArg (F x) (funext fun y => funext fun _ => fix.go_congr h F _ _ y _ _)
end
end WellFounded.Nat
/-- Keeps the elaborator from unfolding its argument. -/
opaque Lean.opaqueId {α : Sort u} (x : α) : α := x
@[instance_reducible] def measure {α : Sort u} (f : α → Nat) : WellFoundedRelation α := invImage f Nat.lt_wfRel

class SizeOf (α : Sort u) where
  sizeOf : α → Nat
export SizeOf (sizeOf)
@[instance 0] instance instSizeOfDefault (α : Sort u) : SizeOf α := ⟨fun _ => 0⟩
@[simp] theorem sizeOf_default {α : Sort u} (n : α) : sizeOf n = 0 := rfl
instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩
@[simp] theorem sizeOf_nat (n : Nat) : sizeOf n = n := rfl
instance instSizeOfForallUnit {α : Sort u} [SizeOf α] : SizeOf (Unit → α) := ⟨fun f => sizeOf (f ())⟩
@[simp] theorem sizeOf_thunk {α : Sort u} [SizeOf α] (f : Unit → α) : sizeOf f = sizeOf (f ()) := rfl
abbrev sizeOfWFRel {α : Sort u} [SizeOf α] : WellFoundedRelation α := measure sizeOf
instance (priority := 100) instWellFoundedRelationOfSizeOf {α : Sort u} [SizeOf α] : WellFoundedRelation α := sizeOfWFRel
deriving instance SizeOf for PUnit
deriving instance SizeOf for Bool
deriving instance SizeOf for Prod
deriving instance SizeOf for PProd
deriving instance SizeOf for MProd
deriving instance SizeOf for PSum
deriving instance SizeOf for Sum
deriving instance SizeOf for Sigma
deriving instance SizeOf for PSigma
deriving instance SizeOf for Subtype
deriving instance SizeOf for Fin
deriving instance SizeOf for Option
deriving instance SizeOf for List
deriving instance SizeOf for Array
deriving instance SizeOf for Char
deriving instance SizeOf for String
deriving instance SizeOf for Int
deriving instance SizeOf for PLift
deriving instance SizeOf for ULift
deriving instance SizeOf for PULift
deriving instance SizeOf for Decidable

namespace Prod
section
variable {α : Type u} {β : Type v} (ra : α → α → Prop) (rb : β → β → Prop)
protected inductive Lex : α × β → α × β → Prop where
  | left {a₁ : α} (b₁ : β) {a₂ : α} (b₂ : β) (h : ra a₁ a₂) : Prod.Lex (a₁, b₁) (a₂, b₂)
  | right (a : α) {b₁ b₂ : β} (h : rb b₁ b₂) : Prod.Lex (a, b₁) (a, b₂)
end
theorem lex_def {α : Type u} {β : Type v} {r : α → α → Prop} {s : β → β → Prop} {p q : α × β} : Prod.Lex r s p q ↔ r p.1 q.1 ∨ p.1 = q.1 ∧ s p.2 q.2 := by
  constructor
  · intro h
    cases h with
    | left _ _ h => exact .inl h
    | right _ h => exact .inr ⟨rfl, h⟩
  · intro h
    cases p with
    | mk a b => cases q with
      | mk c d => cases h with
        | inl h => exact .left _ _ h
        | inr h =>
          have e : a = c := h.1
          subst e
          exact .right _ h.2
theorem Lex.right' {β : Type v} {rb : β → β → Prop} {a₁ a₂ : Nat} {b₁ b₂ : β} (h₁ : a₁ ≤ a₂) (h₂ : rb b₁ b₂) : Prod.Lex Nat.lt rb (a₁, b₁) (a₂, b₂) :=
  match Nat.eq_or_lt_of_le h₁ with
  | .inl h => h ▸ .right _ h₂
  | .inr h => .left _ _ h
theorem lexAccessible {α : Type u} {β : Type v} {ra : α → α → Prop} {rb : β → β → Prop} {a : α} (aca : Acc ra a) (acb : ∀ b, Acc rb b) (b : β) : Acc (Prod.Lex ra rb) (a, b) := by
  induction aca generalizing b with
  | intro xa _ iha =>
    induction acb b with
    | intro xb _ ihb =>
      refine ⟨_, fun p lt => ?_⟩
      cases lt with
      | left _ _ h => exact iha _ h _
      | right _ h => exact ihb _ h
@[reducible] def lex {α : Type u} {β : Type v} (ha : WellFoundedRelation α) (hb : WellFoundedRelation β) : WellFoundedRelation (α × β) :=
  ⟨Prod.Lex ha.rel hb.rel, ⟨fun p => lexAccessible (ha.wf.apply p.1) hb.wf.apply p.2⟩⟩
instance instWellFoundedRelation {α : Type u} {β : Type v} [ha : WellFoundedRelation α] [hb : WellFoundedRelation β] : WellFoundedRelation (α × β) := lex ha hb
end Prod
namespace PSigma
section
variable {α : Sort u} {β : α → Sort v} (r : α → α → Prop) (s : ∀ a, β a → β a → Prop)
protected inductive Lex : PSigma β → PSigma β → Prop where
  | left {a₁ : α} (b₁ : β a₁) {a₂ : α} (b₂ : β a₂) : r a₁ a₂ → PSigma.Lex ⟨a₁, b₁⟩ ⟨a₂, b₂⟩
  | right (a : α) {b₁ b₂ : β a} : s a b₁ b₂ → PSigma.Lex ⟨a, b₁⟩ ⟨a, b₂⟩
end
theorem lexAccessible {α : Sort u} {β : α → Sort v} {r : α → α → Prop} {s : ∀ a, β a → β a → Prop} {a : α} (aca : Acc r a) (acb : ∀ a, WellFounded (s a)) (b : β a) : Acc (PSigma.Lex r s) ⟨a, b⟩ := by
  induction aca with
  | intro xa _ iha =>
    induction (acb xa).apply b with
    | intro xb _ ihb =>
      refine ⟨_, fun p lt => ?_⟩
      cases lt with
      | left _ _ h => exact iha _ h _
      | right _ h => exact ihb _ h
theorem Lex.right' {α : Sort u} {s : Nat → α → α → Prop} {a₁ a₂ : Nat} {b₁ b₂ : α} (h₁ : a₁ ≤ a₂) (h₂ : ∀ a, s a b₁ b₂) : PSigma.Lex Nat.lt s (⟨a₁, b₁⟩ : PSigma fun _ : Nat => α) ⟨a₂, b₂⟩ :=
  match Nat.eq_or_lt_of_le h₁ with
  | .inl h => h ▸ .right _ (h₂ _)
  | .inr h => .left _ _ h
@[reducible] def lex {α : Sort u} {β : α → Sort v} (ha : WellFoundedRelation α) (hb : ∀ a, WellFoundedRelation (β a)) : WellFoundedRelation (PSigma β) :=
  ⟨PSigma.Lex ha.rel fun a => (hb a).rel, ⟨fun p => lexAccessible (ha.wf.apply p.1) (fun a => (hb a).wf) p.2⟩⟩
instance instWellFoundedRelation {α : Sort u} {β : α → Sort v} [ha : WellFoundedRelation α] [hb : ∀ a, WellFoundedRelation (β a)] : WellFoundedRelation (PSigma β) := lex ha hb
end PSigma
def wfParam {α : Sort u} (a : α) : α := a
