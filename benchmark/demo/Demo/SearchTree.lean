/-! Binary search trees over any strictly ordered type of keys. -/

set_option autoImplicit false

namespace Demo

/-- A decidable strict total order. -/
class KeyOrder (κ : Type) where
  lt : κ → κ → Prop
  dec : (a b : κ) → Decidable (lt a b)
  irrefl : ∀ a, ¬ lt a a
  trans : ∀ {a b c}, lt a b → lt b c → lt a c
  total : ∀ {a b}, ¬ lt a b → ¬ lt b a → a = b

infix:50 " ≺ " => KeyOrder.lt

instance {κ : Type} [KeyOrder κ] (a b : κ) : Decidable (a ≺ b) := KeyOrder.dec a b

/-- Binary trees with keys at the nodes. -/
inductive SearchTree (κ : Type) where
  | leaf
  | node (l : SearchTree κ) (k : κ) (r : SearchTree κ)

namespace SearchTree

variable {κ : Type}

/-- Every key has the property. -/
def All (p : κ → Prop) : SearchTree κ → Prop
  | leaf => True
  | node l k r => l.All p ∧ p k ∧ r.All p

/-- The keys from left to right. -/
def toList : SearchTree κ → List κ
  | leaf => []
  | node l k r => l.toList ++ k :: r.toList

/-- The number of keys. -/
def size : SearchTree κ → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

/-- Left and right exchanged. -/
def mirror : SearchTree κ → SearchTree κ
  | leaf => leaf
  | node l k r => node r.mirror k l.mirror

theorem All.imp {p q : κ → Prop} (h : ∀ k, p k → q k) : ∀ {t : SearchTree κ}, t.All p → t.All q
  | leaf, _ => trivial
  | node _ k _, ⟨hl, hk, hr⟩ => ⟨hl.imp h, h k hk, hr.imp h⟩

theorem mirror_mirror (t : SearchTree κ) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr => simp only [mirror, ihl, ihr]

theorem length_toList (t : SearchTree κ) : t.toList.length = t.size := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr =>
    rw [toList, size, List.length_append, ihl, Nat.add_assoc, Nat.add_comm 1]
    show l.size + (r.toList.length + 1) = l.size + (r.size + 1)
    rw [ihr]

variable [KeyOrder κ]

/-- Smaller keys left, greater keys right. -/
def Ordered : SearchTree κ → Prop
  | leaf => True
  | node l k r => l.Ordered ∧ l.All (fun x => x ≺ k) ∧ r.All (fun x => k ≺ x) ∧ r.Ordered

/-- Add a key. -/
def insert (x : κ) : SearchTree κ → SearchTree κ
  | leaf => node leaf x leaf
  | node l k r =>
    if x ≺ k then node (insert x l) k r
    else if k ≺ x then node l k (insert x r)
    else node l k r

/-- Look a key up. -/
def member (x : κ) : SearchTree κ → Bool
  | leaf => false
  | node l k r => if x ≺ k then member x l else if k ≺ x then member x r else true

/-- What holds of the new key and of the old keys holds of all keys after `insert`. -/
theorem All.insert {p : κ → Prop} {x : κ} {t : SearchTree κ} (hx : p x) (ht : t.All p) :
    (SearchTree.insert x t).All p := by
  induction t with
  | leaf => exact ⟨trivial, hx, trivial⟩
  | node l k r ihl ihr =>
    have ⟨hl, hk, hr⟩ := ht
    unfold SearchTree.insert
    split
    · exact ⟨ihl hl, hk, hr⟩
    · split
      · exact ⟨hl, hk, ihr hr⟩
      · exact ⟨hl, hk, hr⟩

/-- `insert` keeps the order. -/
theorem Ordered.insert {x : κ} {t : SearchTree κ} (h : t.Ordered) :
    (SearchTree.insert x t).Ordered := by
  induction t with
  | leaf => exact ⟨trivial, trivial, trivial, trivial⟩
  | node l k r ihl ihr =>
    have ⟨hl, hlk, hkr, hr⟩ := h
    unfold SearchTree.insert
    split
    · exact ⟨ihl hl, hlk.insert ‹x ≺ k›, hkr, hr⟩
    · split
      · exact ⟨hl, hlk, hkr.insert ‹k ≺ x›, ihr hr⟩
      · exact ⟨hl, hlk, hkr, hr⟩

/-- A key is found once it was inserted. -/
theorem member_insert (x : κ) (t : SearchTree κ) : member x (insert x t) = true := by
  induction t with
  | leaf =>
    have h : ¬ (x ≺ x) := KeyOrder.irrefl x
    simp only [insert, member, if_neg h]
  | node l k r ihl ihr =>
    by_cases h₁ : x ≺ k
    · simp only [insert, if_pos h₁, member, ihl]
    · by_cases h₂ : k ≺ x
      · simp only [insert, if_neg h₁, if_pos h₂, member, ihr]
      · simp only [insert, if_neg h₁, if_neg h₂, member]

end SearchTree

end Demo
