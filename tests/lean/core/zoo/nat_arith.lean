theorem b1 (x : Nat) (h : x + 2 = 5) : x = 3 := by simp at h; exact h
theorem b2 (x : Nat) (h : 5 = x + 2) : 3 = x := by simp at h; exact h
theorem b3 (x y : Nat) (h : y + 5 = x + 2) : y + 3 = x := by simp at h; exact h
theorem b4 (x y : Nat) (h : y + 5 ≤ x + 2) : y + 3 ≤ x := by simp at h; exact h
theorem b5 (x y : Nat) (h : y + 2 = 1) : x = y := by simp at h
theorem b6 (x y : Nat) (h : 2 ≤ 1) : x = y := by simp at h
theorem b7 (x : Nat) (h : (x + 2 == 1) = true) : False := by simp at h
theorem b8 (x y : Nat) (h : x + 4 - 3 = y) : x + 1 = y := by simp at h; exact h
theorem b9 (y : Nat) (h : 7 / 2 = y) : 3 = y := by simp at h; exact h
theorem b10 (y : Nat) (h : 2 ^ 4 * 3 - 1 = y) : 47 = y := by simp at h; exact h
theorem b11 (x : Nat) (h : ¬x < 3) : 3 ≤ x := by simp at h; exact h
theorem b12 (x y : Nat) (h : x + 1 = y + 1) : x = y := by simp at h; exact h
theorem b13 (x y : Nat) (h : x + y = 0) : x = 0 := by simp at h; exact h.1
theorem b14 (x y : Nat) (h : x + y = x) : y = 0 := by simp at h; exact h
theorem b15 (x : Nat) (h : x ≤ 0) : x = 0 := by simp at h; exact h
theorem b16 (x y : Nat) (h : x < 0) : x = y := by simp at h
theorem b17 (x : Nat) : max x x = x := by simp
theorem b18 : Nat.gcd 12 18 = 6 := by decide
theorem b19 (x : Nat) : x < x + 1 := by simp
theorem b20 (x y : Nat) : x + y - y = x := by simp
theorem b21 (x y : Nat) (h : x ≤ y) : y - x + x = y := Nat.sub_add_cancel h
theorem b22 (a b c : Nat) (h : a < b) (k : b ≤ c) : a < c := by calc
  a < b := h
  _ ≤ c := k
theorem b23 (a b : Nat) : max a b = max b a := Nat.max_comm a b
theorem b24 : min 2 3 = 2 ∧ max 2 3 = 3 := by decide
theorem b25 : 100000 * 100000 = 10000000000 := rfl
theorem b26 (a b : Nat) : a < b ∨ b ≤ a := Nat.lt_or_ge a b
theorem b27 : 3 ∣ 12 := ⟨4, rfl⟩
theorem b28 : ¬5 ∣ 12 := by decide
theorem b29 (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := Nat.mod_two_eq_zero_or_one n
theorem b30 (m n : Nat) : n * (m / n) + m % n = m := Nat.div_add_mod m n
theorem b31 (n : Nat) (h : n ≠ 0) : ∃ m, n = m + 1 := Nat.exists_eq_succ_of_ne_zero h
theorem b32 (a b c : Nat) : a + b + c = c + b + a := by
  simp only [Nat.add_comm, Nat.add_left_comm]
theorem b34 : 6 &&& 3 = 2 ∧ 6 ||| 3 = 7 ∧ 6 ^^^ 3 = 5 ∧ 1 <<< 4 = 16 ∧ 16 >>> 2 = 4 := by decide
