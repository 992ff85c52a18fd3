theorem c1 (x : Nat) : x + 2 = 2 + x := by
  conv => lhs; rw [Nat.add_comm]
theorem c2 (x y : Nat) (h : x = y) : x + x = y + x := by
  conv => lhs; arg 1; rw [h]
theorem c3 (x y : Nat) : (fun z => z + (x + y)) = (fun z => z + (y + x)) := by
  conv => lhs; ext z; rhs; rw [Nat.add_comm]
theorem c4 (x y : Nat) : x + 0 + y = x + y := by
  conv in x + 0 => simp
theorem c5 (x y : Nat) : y + x = x + y := by
  conv =>
    rhs
    rw [Nat.add_comm]
theorem c6 (f : Nat → Nat) (h : ∀ n, f n = n) : f (f 3) = 3 := by
  conv =>
    lhs
    enter [1]
    rw [h]
  exact h 3
theorem c7 (x y : Nat) (h : x + y = 3) : y + x = 3 := by
  conv at h => lhs; rw [Nat.add_comm]
  exact h
