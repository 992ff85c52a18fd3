set_option autoImplicit false

inductive Tree (α : Type) where
  | leaf : Tree α
  | node (l : Tree α) (v : α) (r : Tree α) : Tree α
deriving DecidableEq, Inhabited, BEq

namespace Tree
variable {α : Type}

def mirror : Tree α → Tree α
  | leaf => leaf
  | node l v r => node r.mirror v l.mirror

def size : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

@[simp] theorem mirror_mirror (t : Tree α) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l v r ihl ihr => simp [mirror, ihl, ihr]

theorem size_mirror : ∀ t : Tree α, t.mirror.size = t.size
  | leaf => rfl
  | node l v r => by
    simp only [mirror, size, size_mirror l, size_mirror r, Nat.add_assoc, Nat.add_comm, Nat.add_left_comm]
termination_by structural t => t
end Tree

mutual
def even : Nat → Bool
  | 0 => true
  | n + 1 => odd n
def odd : Nat → Bool
  | 0 => false
  | n + 1 => even n
end

mutual
theorem even_double (n : Nat) : even (n + n) = true := by
  cases n with
  | zero => rfl
  | succ n => rw [Nat.add_succ, Nat.succ_add]; exact even_double n
theorem odd_double (n : Nat) : odd (n + n + 1) = true := by
  rw [odd]; exact even_double n
end

mutual
inductive Stm where
  | skip
  | block (ss : Stms)
inductive Stms where
  | nil
  | cons (s : Stm) (ss : Stms)
end

mutual
def Stm.count : Stm → Nat
  | .skip => 1
  | .block ss => ss.count
def Stms.count : Stms → Nat
  | .nil => 0
  | .cons s ss => s.count + ss.count
end

inductive Rose where
  | node : List Rose → Rose

def Rose.size : Rose → Nat
  | .node ts => 1 + sizes ts
where
  sizes : List Rose → Nat
    | [] => 0
    | t :: ts => t.size + sizes ts

inductive Vec (α : Type) : Nat → Type where
  | nil : Vec α 0
  | cons {n : Nat} (a : α) (v : Vec α n) : Vec α (n + 1)

def Vec.head {α : Type} {n : Nat} : Vec α (n + 1) → α
  | .cons a _ => a
def Vec.map {α β : Type} (f : α → β) : {n : Nat} → Vec α n → Vec β n
  | _, .nil => .nil
  | _, .cons a v => .cons (f a) (v.map f)
theorem Vec.head_map {α β : Type} {n : Nat} (f : α → β) (v : Vec α (n + 1)) : (v.map f).head = f v.head := by
  cases v; rfl

mutual
def down (n : Nat) : Nat := if h : n = 0 then 0 else down' (n - 1)
termination_by n
def down' (n : Nat) : Nat := if h : n = 0 then 1 else down (n - 1)
termination_by n
end
