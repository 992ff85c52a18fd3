import Demo.SearchTree

/-! The keys of an ordered tree, from left to right, are sorted. -/

set_option autoImplicit false

namespace Demo

variable {κ : Type}

/-- Every element has the property. -/
def ListAll (p : κ → Prop) : List κ → Prop
  | [] => True
  | x :: xs => p x ∧ ListAll p xs

theorem ListAll.append {p : κ → Prop} {xs ys : List κ} (hx : ListAll p xs) (hy : ListAll p ys) :
    ListAll p (xs ++ ys) := by
  induction xs with
  | nil => exact hy
  | cons x xs ih => exact ⟨hx.1, ih hx.2⟩

theorem ListAll.imp {p q : κ → Prop} (h : ∀ k, p k → q k) :
    ∀ {xs : List κ}, ListAll p xs → ListAll q xs
  | [], _ => trivial
  | x :: _, ⟨hx, hxs⟩ => ⟨h x hx, ListAll.imp h hxs⟩

/-- What holds of all keys of a tree holds of all elements of its list. -/
theorem SearchTree.All.toList {p : κ → Prop} {t : SearchTree κ} (h : t.All p) :
    ListAll p t.toList := by
  induction t with
  | leaf => trivial
  | node l k r ihl ihr => exact (ihl h.1).append ⟨h.2.1, ihr h.2.2⟩

variable [KeyOrder κ]

/-- Every element is smaller than all that follow. -/
def Sorted : List κ → Prop
  | [] => True
  | x :: xs => ListAll (fun y => x ≺ y) xs ∧ Sorted xs

/-- Two sorted lists around a key make a sorted list. -/
theorem Sorted.join {k : κ} {xs ys : List κ} (hx : Sorted xs) (hxk : ListAll (· ≺ k) xs)
    (hky : ListAll (k ≺ ·) ys) (hy : Sorted ys) : Sorted (xs ++ k :: ys) := by
  induction xs with
  | nil => exact ⟨hky, hy⟩
  | cons x xs ih =>
    have below : ListAll (x ≺ ·) ys := hky.imp fun _ h => KeyOrder.trans hxk.1 h
    exact ⟨hx.1.append ⟨hxk.1, below⟩, ih hx.2 hxk.2⟩

/-- The list of an ordered tree is sorted. -/
theorem SearchTree.sorted_toList {t : SearchTree κ} (h : t.Ordered) : Sorted t.toList :=
  go t h
where
  /-- The same with the tree first, for the recursion. -/
  go : ∀ t : SearchTree κ, t.Ordered → Sorted t.toList
    | leaf, _ => trivial
    | node l _ r, ⟨hl, hlk, hkr, hr⟩ => (go l hl).join hlk.toList hkr.toList (go r hr)

/-- Insertion keeps the list sorted. -/
theorem SearchTree.sorted_insert {t : SearchTree κ} (x : κ) (h : t.Ordered) :
    Sorted (SearchTree.insert x t).toList :=
  sorted_toList h.insert

end Demo
