/-! Trees with any number of children, by mutual recursion. -/

set_option autoImplicit false

namespace Demo

mutual

/-- A label and a forest of children. -/
inductive RoseTree (α : Type) where
  | node (a : α) (children : Forest α)

/-- A sequence of trees. -/
inductive Forest (α : Type) where
  | nil
  | cons (t : RoseTree α) (ts : Forest α)

end

variable {α β : Type}

mutual

/-- The number of labels. -/
def RoseTree.size : RoseTree α → Nat
  | .node _ ts => ts.size + 1

@[inherit_doc RoseTree.size] def Forest.size : Forest α → Nat
  | .nil => 0
  | .cons t ts => t.size + ts.size

end

mutual

/-- The labels, parents first. -/
def RoseTree.flatten : RoseTree α → List α
  | .node a ts => a :: ts.flatten

@[inherit_doc RoseTree.flatten] def Forest.flatten : Forest α → List α
  | .nil => []
  | .cons t ts => t.flatten ++ ts.flatten

end

mutual

/-- Apply a function to every label. -/
def RoseTree.map (f : α → β) : RoseTree α → RoseTree β
  | .node a ts => .node (f a) (ts.map f)

@[inherit_doc RoseTree.map] def Forest.map (f : α → β) : Forest α → Forest β
  | .nil => .nil
  | .cons t ts => .cons (t.map f) (ts.map f)

end

mutual

/-- `flatten` keeps every label. -/
@[simp]
theorem RoseTree.length_flatten : ∀ t : RoseTree α, t.flatten.length = t.size
  | .node a ts => by
    rw [RoseTree.flatten, RoseTree.size, List.length_cons, Forest.length_flatten ts]

@[simp, inherit_doc RoseTree.length_flatten]
theorem Forest.length_flatten : ∀ ts : Forest α, ts.flatten.length = ts.size
  | .nil => by rw [Forest.flatten, Forest.size, List.length_nil]
  | .cons t ts => by
    rw [Forest.flatten, Forest.size, List.length_append, RoseTree.length_flatten t, Forest.length_flatten ts]

end

mutual

/-- `map` does not change the shape, /- not even here, -/ so it keeps the size. -/
@[simp] theorem RoseTree.size_map (f : α → β) : ∀ t : RoseTree α, (t.map f).size = t.size
  | .node _ ts => by rw [RoseTree.map, RoseTree.size, RoseTree.size, Forest.size_map f ts]

@[simp] theorem Forest.size_map (f : α → β) : ∀ ts : Forest α, (ts.map f).size = ts.size
  | .nil => by rw [Forest.map, Forest.size, Forest.size]
  | .cons t ts => by
    rw [Forest.map, Forest.size, Forest.size, RoseTree.size_map f t, Forest.size_map f ts]

end

/-- One forest after another. -/
def Forest.append : Forest α → Forest α → Forest α
  | .nil, us => us
  | .cons t ts, us => .cons t (ts.append us)

namespace Forest

theorem flatten_append (ts us : Forest α) :
    (ts.append us).flatten = ts.flatten ++ us.flatten :=
  match ts with
  | .nil => by rw [append, flatten, List.nil_append]
  | .cons t ts => by
    rw [append, flatten, flatten, flatten_append ts us, List.append_assoc]

/-- `map` keeps the number of labels. -/
theorem length_flatten_map (f : α → β) (ts : Forest α) :
    (ts.map f).flatten.length = ts.flatten.length := by
  rw [Forest.length_flatten, Forest.length_flatten, Forest.size_map]

open List in
/-- The lemma of the same name for lists, for forests. -/
@[simp] nonrec theorem length_append (ts us : Forest α) :
    (ts.append us).flatten.length = ts.flatten.length + us.flatten.length := by
  rw [flatten_append, length_append]

end Forest

mutual

theorem RoseTree.map_comp {γ : Type} (g : β → γ) (f : α → β) (t : RoseTree α) :
    (t.map f).map g = t.map (fun a => g (f a)) := by
  match t with
  | .node a ts => rw [RoseTree.map, RoseTree.map, RoseTree.map, Forest.map_comp g f ts]

theorem Forest.map_comp {γ : Type} (g : β → γ) (f : α → β) (ts : Forest α) :
    (ts.map f).map g = ts.map (fun a => g (f a)) := by
  match ts with
  | .nil => rw [Forest.map, Forest.map, Forest.map]
  | .cons t ts => rw [Forest.map, Forest.map, Forest.map, RoseTree.map_comp g f t, Forest.map_comp g f ts]

end

end Demo
