theorem s1 : 3 < 5 := by simp
theorem s2 (p : Prop) (h : p) : p := by simp (config := { decide := true }) [h]
theorem s3 (p : Prop) (h : p) : p := by simp +decide [h]
theorem s4 (x : Nat) (h : x = 3) : x = 3 ∨ False := by simp (config := { contextual := true }) [h]
theorem s5 (x y : Nat) : x = y → y + 0 = x := by simp +contextual
theorem s6 (x : Nat) : (fun y => y + 0) x = x := by simp -failIfUnchanged
theorem s7 (a b : Nat) (h : a = b) : a + a = b + a := by rw (occs := .pos [1]) [h]
theorem s8 : 10 = 10 := by decide +kernel
theorem s9 (x : Nat) (h : x + 0 = 5) : x = 5 := by dsimp (config := { zeta := true }) at h; exact h
theorem s10 (x : Nat) (h : x = 2) : x + 1 = 3 := by simp [*]
theorem s11 (x : Nat) : x * 1 + 0 = x := by simp only [Nat.mul_one, Nat.add_zero]
theorem s12 (xs : List Nat) (h : xs = []) : xs.length = 0 := by simp_all
theorem s13 (p q : Prop) (hp : p) (hq : q) : p ∧ q := by simp_all only [and_self]
theorem s14 (xs ys : List Nat) : (xs ++ ys).length = ys.length + xs.length := by
  fail_if_success simp only [-List.length_append]
  rw [List.length_append, Nat.add_comm]
theorem s15 (x : Nat) : x + 0 = x := by simp?
@[simp high] theorem s16 (f : Nat → Nat) (h : ∀ n, f n = n) : f 1 = 1 := h 1
theorem s18 (p : Nat → Prop) (h : ∀ x, p x → x = 1) (k : p 1) : ∃ x, p x := by simpa using ⟨1, k⟩
