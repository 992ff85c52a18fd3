set_option autoImplicit false
variable {α β : Type}
theorem l1 : 3 ∈ [1, 2, 3] := by decide
theorem l2 (x : α) (xs ys : List α) (h : x ∈ xs) : x ∈ xs ++ ys := by simp [h]
theorem l3 (x : α) (xs ys : List α) (h : x ∈ xs ++ ys) : x ∈ xs ∨ x ∈ ys := by simpa using h
theorem l4 (f : α → β) (xs ys : List α) : (xs ++ ys).map f = xs.map f ++ ys.map f := by simp
theorem l5 (xs : List α) : xs.reverse.reverse = xs := by simp
theorem l6 (xs ys : List α) : (xs ++ ys).reverse = ys.reverse ++ xs.reverse := by simp
theorem l7 (p : α → Bool) (xs : List α) : (xs.filter p).length ≤ xs.length := List.length_filter_le p xs
theorem l8 (p : α → Bool) (x : α) (xs : List α) (h : x ∈ xs.filter p) : p x = true := by simp at h; exact h.2
theorem l9 (xs : List Nat) : xs.foldr (· :: ·) [] = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [ih]
theorem l10 (as : List α) (i : Nat) (h : i < as.length) : as[i]? = some as[i] := by simp [h]
theorem l11 (as : List α) (i : Nat) (h : i < as.length) : as[i]'h ∈ as := by simp
theorem l12 : [1, 2, 3].map (· + 1) = [2, 3, 4] := rfl
theorem l13 : ([1, 2, 3].all fun n => n < 5) = true := by decide
theorem l14 (p : α → Bool) (xs : List α) : xs.all p = true ↔ ∀ x ∈ xs, p x = true := by simp
theorem l15 (p : α → Bool) (xs : List α) : xs.any p = true ↔ ∃ x ∈ xs, p x = true := by simp
theorem l16 (xs : List α) (n : Nat) : xs.take n ++ xs.drop n = xs := by simp
theorem l17 (xs : List α) : xs = [] ∨ ∃ y ys, xs = y :: ys := by
  cases xs with
  | nil => exact .inl rfl
  | cons y ys => exact .inr ⟨y, ys, rfl⟩
theorem l18 (a : α) (xs : List α) : xs ⊆ a :: xs := List.subset_cons_self a xs
theorem l19 (xs ys : List α) : xs <+: xs ++ ys := List.prefix_append xs ys
theorem l20 (xs ys zs : List α) (h : xs ++ ys = xs ++ zs) : ys = zs := List.append_cancel_left h
theorem l21 (a b : α) (h : some a = some b) : a = b := by injection h
theorem l22 (o : Option α) (f : α → β) (h : o.map f = none) : o = none := by simpa using h
theorem l23 (o : Option Nat) : (do let x ← o; let y ← some 2; pure (x + y)) = o.map (· + 2) := by
  cases o <;> rfl
theorem l24 (xs : List Nat) : xs.length = 0 ↔ xs = [] := by simp
theorem l25 : [1, 2, 3] ≠ [1, 2] := by decide
theorem l26 : ([] : List Nat) = [] := rfl
open List in
theorem l27 (xs ys : List α) (h : xs ~ ys) : xs.length = ys.length := h.length_eq
theorem l28 (x : α) (xs : List α) (h : x ∈ xs) : ∃ s t, xs = s ++ x :: t := List.append_of_mem h
theorem l29 (a b : Nat) (env : List (Nat × Nat)) : ((a, b) :: env).lookup a = some b := by
  simp [List.lookup]
theorem l30 (xs ys : List α) (f : List α → Nat) (h : xs = ys) : f xs = f ys := by congr
