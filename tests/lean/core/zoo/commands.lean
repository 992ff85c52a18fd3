set_option autoImplicit false
namespace Demo
section
variable {α : Type} (p : α → Prop)
variable (hp : ∀ x, p x)
include hp in
theorem all (x : α) : p x := hp x
omit hp in
theorem none (x : α) (h : p x) : p x := h
end
private theorem hidden (n : Nat) : n = n := rfl
protected theorem succ_eq (n : Nat) : n.succ = n + 1 := rfl
theorem uses_hidden (n : Nat) : n = n := hidden n
end Demo

open Demo in
theorem opened (n : Nat) : n.succ = n + 1 := Demo.succ_eq n
set_option maxRecDepth 1000 in
theorem with_option (n : Nat) : n = n := rfl

local notation "⟦" n "⟧" => Nat.succ n
theorem bracket (n : Nat) : ⟦n⟧ = n + 1 := rfl
infixl:65 " ⊹ " => Nat.add
theorem plus (n m : Nat) : n ⊹ m = n + m := rfl
notation:50 a " ⊢ₜ " b:51 => a = b
theorem turnstile (n : Nat) : n ⊢ₜ n := rfl
macro "close" : tactic => `(tactic| first | rfl | assumption | trivial)
theorem closed (n : Nat) (h : n = 3) : n = 3 := by close
macro "twice " t:tactic : tactic => `(tactic| (skip; $t))
theorem twiced : 2 = 2 := by twice rfl
syntax "finish" : tactic
macro_rules | `(tactic| finish) => `(tactic| trivial)
theorem finished : True := by finish
macro_rules | `(tactic| finish) => `(tactic| rfl)
theorem finished' (n : Nat) : n + 0 = n := by finish
postfix:max "!" => Nat.succ
theorem bang (n : Nat) : n ! = n + 1 := rfl
prefix:max "√" => Nat.pred
theorem root (n : Nat) : √(n + 1) = n := rfl

class Monoid (M : Type) where
  one : M
  op : M → M → M
  one_op : ∀ a, op one a = a
  assoc : ∀ a b c, op (op a b) c = op a (op b c)
instance : Monoid Nat where
  one := 0
  op := (· + ·)
  one_op := Nat.zero_add
  assoc := Nat.add_assoc
theorem Monoid.twice {M : Type} [Monoid M] (a : M) : op one (op one a) = a := by
  rw [one_op, one_op]
theorem nat_twice (n : Nat) : Monoid.op 0 n = n := Monoid.one_op n

structure Point where
  x : Nat
  y : Nat := 0
deriving DecidableEq, BEq, Inhabited
theorem update (p : Point) : { p with x := 3 }.y = p.y := rfl
theorem default_y : ({ x := 1 } : Point).y = 0 := rfl
structure Point3 extends Point where
  z : Nat
theorem extend (p : Point3) : p.toPoint.x = p.x := rfl
def first (p : Point) : Nat := let { x, .. } := p; x
def opt (o : Option Nat) : Nat := if let some n := o then n else 0
theorem opt_some : opt (some 3) = 3 := rfl
def lookup (k : Nat) : List (Nat × Nat) → Option Nat
  | [] => none
  | (k', v) :: rest => if k = k' then some v else lookup k rest
theorem lookup_head (k v : Nat) (r : List (Nat × Nat)) : lookup k ((k, v) :: r) = some v := by
  simp [lookup]
def sumTo (n : Nat) : Nat := go n
where
  go : Nat → Nat
    | 0 => 0
    | n + 1 => (n + 1) + go n
theorem sumTo_zero : sumTo 0 = 0 := rfl
noncomputable def pick {α : Type} (h : Nonempty α) : α := Classical.choice h
nonrec theorem Demo.id {α : Type} (a : α) : id a = a := rfl
abbrev Env := Nat → Nat
def Env.set (ρ : Env) (k v : Nat) : Env := fun k' => if k' = k then v else ρ k'
theorem Env.set_same (ρ : Env) (k v : Nat) : ρ.set k v k = v := by simp [Env.set]
theorem Env.set_other (ρ : Env) (k v k' : Nat) (h : k' ≠ k) : ρ.set k v k' = ρ k' := by
  simp [Env.set, h]
theorem pairs : ∀ p : Nat × Nat, (p.1, p.2) = p := fun (_, _) => rfl
theorem «odd name!» : True := trivial
@[inline, reducible] def five : Nat := 5
attribute [simp] five
theorem five_eq : five = 5 := by simp
instance : Coe Point Nat := ⟨Point.x⟩
theorem coerced (p : Point) : (p : Nat) = p.x := rfl
def compose {α β γ : Type} (g : β → γ) (f : α → β) : α → γ := g ∘ f
theorem compose_apply (f g : Nat → Nat) (x : Nat) : compose g f x = g (f x) := rfl
example : (1, 2).fst = 1 := rfl
theorem subtype (n : { m : Nat // m > 2 }) : n.val > 2 := n.property
theorem sigma (s : (n : Nat) × Fin n) : s.2.val < s.1 := s.2.isLt
theorem anonymous (p q : Prop) (_ : p) (_ : q) : p ∧ q := ⟨‹p›, ‹q›⟩
