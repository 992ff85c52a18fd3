theorem l1 (x : Nat) : let y := x; y = x := by
  intro y
  rfl
theorem l2 (x : Nat) : let y := x + 0; y = x := by simp
theorem l3 (x : Nat) : x + 0 = x := by
  let y := x
  have h : y = x := rfl
  show y + 0 = x
  exact h
theorem l4 (x : Nat) : (let y := x; y + y) = x + x := by
  simp only []
theorem l5 (x : Nat) : (have y := x; y) = x := by rfl
theorem l6 (x : Nat) (h : let y := x + 1; y = 3) : x + 1 = 3 := h
theorem l7 (x : Nat) : ∃ y, y = x := by
  let y := x
  exact ⟨y, show y = x from rfl⟩
theorem l8 (x : Nat) : x = x := by
  set_option pp.all true in
  rfl
theorem l9 (p q : Prop) (hp : p) (hq : q) : p ∧ q :=
  have a : p := hp
  let b : q := hq
  ⟨a, b⟩
theorem l10 (a b : Nat) (h : a = b) : b = a := by
  suffices k : a = b from k.symm
  exact h
theorem l11 : let f := fun n : Nat => n + 1; f 2 = 3 := by
  intro f
  simp [f]
theorem l12 : let f := fun n : Nat => n + 1; f 2 = 3 := by
  simp +zetaDelta
