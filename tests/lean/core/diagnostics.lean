set_option autoImplicit false

theorem unknown_ident (n : Nat) : n = n := Nat.no_such_lemma n

theorem mismatch (n : Nat) : n + 0 = n := true

theorem unsolved (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  · exact hp

theorem rewrite_fails (a b c : Nat) (h : a = b) : c + c = b := by
  rw [h]

theorem cheated (a b : Nat) : a * b = b + a := by
  sorry

axiom smuggled (a b : Nat) : a = b
theorem uses_axiom (n : Nat) : n = n + 1 := smuggled n (n + 1)
#print axioms uses_axiom

set_option maxHeartbeats 200 in
theorem runaway (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 0 := by
  repeat rw [h]

theorem simp_loop (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 0 := by
  simp [h]

theorem syntax_error (n : Nat) : n = := rfl

theorem kernel_ok (n : Nat) : n = n := by
  rfl
