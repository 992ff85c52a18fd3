set_option autoImplicit false
theorem t1 (p q : Prop) : p → q → p := by intros; rename_i hp hq; exact hp
theorem t2 (p q r : Prop) (h : p ∧ q ∧ r) : r ∧ q := by
  obtain ⟨hp, hq, hr⟩ := h
  exact ⟨hr, hq⟩
theorem t3 (p q : Prop) (h : p ∨ q) : q ∨ p := by
  rcases h with hp | hq
  · right; exact hp
  · left; exact hq
theorem t4 (p q r : Prop) : (p ∨ q) ∧ r → r := by rintro ⟨hp | hq, hr⟩ <;> exact hr
theorem t5 (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  case left => exact hp
  case right => exact hq
theorem t6 (p q : Prop) (hp : p) (hq : q) : p ∧ q := by refine ⟨?_, ?_⟩; assumption; assumption
theorem t7 : ∃ n : Nat, n > 3 := by exists 5
theorem t8 (p : Prop) (h : p) (k : ¬p) : False := by contradiction
theorem t9 (p q : Prop) (h : p) (k : ¬p) : q := by exfalso; exact k h
theorem t10 (p q : Prop) (h : p) (k : ¬p) : q := absurd h k
theorem t11 (f : Nat → Nat) (h : ∀ n, f n = 0) : f 3 = 0 := by specialize h 3; exact h
theorem t12 (a b c d : Nat) (h : (a, b) = (c, d)) : a = c ∧ b = d := by
  injection h with h1 h2
  exact ⟨h1, h2⟩
theorem t13 (a b : Nat) (h : a + 1 = b + 1) : a = b := by injections
theorem t14 (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  next => exact hp
  next => exact hq
theorem t15 (a b c : Nat) (h : a = b) (k : b = c) : a = c := h ▸ k ▸ rfl
theorem t16 (a b c : Nat) (h : a = b) (k : b = c) : a = c := calc
  a = b := h
  _ = c := k
theorem t17 : (fun x : Nat => x + 0) = id := by funext x; rfl
theorem t18 (n : Nat) : n = 0 ∨ n ≠ 0 := by
  by_cases h : n = 0
  · exact .inl h
  · exact .inr h
theorem t19 (n : Nat) (h : n = 2) : n + n = 4 := by subst h; rfl
theorem t20 (n : Nat) : (if n = n then 1 else 2) = 1 := by split; rfl; contradiction
theorem t21 (o : Option Nat) : (match o with | some n => n + 0 | none => 0) = o.getD 0 := by
  split <;> rfl
theorem t22 (a b : Nat) (h : ∀ x, x = a → x = b) : a = b := by apply h; rfl
theorem t23 (p q : Prop) : p ∧ q ↔ q ∧ p := by
  constructor <;> (intro ⟨a, b⟩; exact ⟨b, a⟩)
theorem t24 (a b : Nat) : a = b → b = a := by
  intro h
  symm
  exact h
theorem t25 (p : Prop) (h : ¬¬p) : p := Classical.byContradiction h
theorem t26 (p q : Prop) (h : p → q) (hp : p) : q := by
  have hq := h hp
  clear h
  exact hq
theorem t27 (a b : Nat) (h : a = b) : b = a := by
  revert h
  intro k
  exact k.symm
theorem t28 (a b : Nat) (h : a = b) : a + 1 = b + 1 := by
  first
  | rfl
  | rw [h]
theorem t29 : True ∧ True ∧ True := by
  repeat' constructor
theorem t30 (a b c : Nat) (h : a = b) : a + c = b + c := by
  generalize c = d
  rw [h]
theorem t31 (p q r : Prop) (hp : p) (hq : q) (hr : r) : p ∧ q ∧ r := by and_intros <;> assumption
theorem t32 (h : ∃ x : Nat, x = 3 ∧ x < 5) : ∃ y : Nat, y < 5 := by
  let ⟨x, _, hx⟩ := h
  exact ⟨x, hx⟩
theorem t33 (n : Nat) : n + 0 = n := by
  induction n with
  | zero => rfl
  | succ n ih => rfl
theorem t34 (n m : Nat) : n + m = m + n := by
  induction n generalizing m with
  | zero => simp
  | succ n ih => rw [Nat.succ_add, ih, Nat.add_succ]
theorem t35 : 2 + 2 = 4 := by
  iterate 1 skip
  all_goals rfl
theorem t36 (a b : Nat) (h : a = b) : a = b := by
  change a + 0 = b
  show a = b
  exact h
theorem t37 (a b : Nat) (h : a = b) (k : b = 3) : a = 3 := by rwa [h]
theorem t38 (a b : Nat) (h : a = b) (k : a = 3) : b = 3 := by rwa [h] at k
theorem t39 (f : Nat → Nat) (a b : Nat) (h : a = b) : f a = f b := by congr
theorem t40 (a : Nat) (h : 0 = a + 1) : False := nomatch h
theorem t41 (a : Nat) : ¬0 = a + 1 := nofun
theorem t42 (p q : Prop) (h : p) : p ∨ q := by
  apply Or.inl
  any_goals exact h
theorem t43 (p q : Prop) : p → p ∨ q := fun | h => .inl h
theorem t44 (a b : Nat) : (a = b) = (b = a) := by ext; exact eq_comm
theorem t45 (a b : Nat × Nat) (h : a.1 = b.1) (k : a.2 = b.2) : a = b := by ext <;> assumption
theorem t46 (x y : Nat) (h : x = y) : y = x := by
  cases h
  trivial
theorem t47 (p : Nat → Prop) (h : ∃ x, p x) : ∃ y, p y := h.elim fun x hx => ⟨x, hx⟩
theorem t48 (x : Nat) (h : x = 1 ∨ x = 2) : x ≤ 2 := by
  cases h with
  | inl h => subst h; decide
  | inr h => subst h; decide
theorem t49 (x : Nat) : ∃ y, y = x ∧ True := by
  refine ⟨x, ?_⟩
  constructor
  · rfl
  · trivial
