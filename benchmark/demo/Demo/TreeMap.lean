import Demo.SearchTree

/-! A function applied to every key of a search tree; the order may be lost. -/

set_option autoImplicit false

namespace Demo.SearchTree

variable {κ μ ν : Type}

/-- Apply a function to every key. -/
def map (f : κ → μ) : SearchTree κ → SearchTree μ
  | leaf => leaf
  | node l k r => node (l.map f) (f k) (r.map f)

theorem map_map (f : κ → μ) (g : μ → ν) (t : SearchTree κ) :
    (t.map f).map g = t.map (fun k => g (f k)) := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr => rw [map, map, map, ihl, ihr]

theorem map_id' (t : SearchTree κ) : t.map (fun k => k) = t := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr => rw [map, ihl, ihr]

theorem mirror_map (f : κ → μ) (t : SearchTree κ) : (t.map f).mirror = t.mirror.map f := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr => rw [map, mirror, mirror, map, ihl, ihr]

theorem size_map (f : κ → μ) : ∀ t : SearchTree κ, (t.map f).size = t.size
  | leaf => rfl
  | node l k r => by rw [map, size, size, size_map f l, size_map f r]

theorem All.map {f : κ → μ} {p : μ → Prop} {t : SearchTree κ} (h : t.All fun k => p (f k)) :
    (SearchTree.map f t).All p := by
  induction t with
  | leaf => trivial
  | node l k r ihl ihr => exact ⟨ihl h.1, h.2.1, ihr h.2.2⟩

variable [KeyOrder κ] [KeyOrder μ]

/-- A function that keeps the order of keys keeps the order of trees. -/
theorem Ordered.map {f : κ → μ} (hf : ∀ {a b : κ}, a ≺ b → f a ≺ f b) {t : SearchTree κ}
    (h : t.Ordered) : (SearchTree.map f t).Ordered := by
  induction t with
  | leaf => trivial
  | node l k r ihl ihr =>
    have ⟨hl, hlk, hkr, hr⟩ := h
    exact ⟨ihl hl, .map (hlk.imp fun _ => hf), .map (hkr.imp fun _ => hf), ihr hr⟩

end Demo.SearchTree
