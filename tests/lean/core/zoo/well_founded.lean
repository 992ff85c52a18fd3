set_option autoImplicit false

def ack : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ack m 1
  | m + 1, n + 1 => ack m (ack (m + 1) n)
termination_by m n => (m, n)

theorem ack_zero (n : Nat) : ack 0 n = n + 1 := by rw [ack]

theorem ack_pos (m n : Nat) : 0 < ack m n := by
  induction m, n using ack.induct with
  | case1 n => simp [ack]
  | case2 m ih => rw [ack]; exact ih
  | case3 m n _ ih => rw [ack]; exact ih

theorem ack_pos' (m n : Nat) : 0 < ack m n := by
  fun_induction ack with
  | case1 n => simp
  | case2 m ih => exact ih
  | case3 m n _ ih => exact ih

def halvings (n : Nat) : Nat := if h : n ≤ 1 then 0 else 1 + halvings (n / 2)
termination_by n
decreasing_by
  have : 0 < n := Nat.lt_of_lt_of_le Nat.zero_lt_one (Nat.le_of_lt (Nat.lt_of_not_le h))
  exact Nat.div_lt_self this (by decide)

def bits (n : Nat) : Nat := if h : n = 0 then 0 else 1 + bits (n / 2)

def count (n : Nat) : Nat := if h : n = 0 then 0 else 1 + count (n - 1)

theorem count_eq (n : Nat) : count n = n := by
  induction n with
  | zero => rw [count]; simp
  | succ n ih => rw [count]; simp [ih, Nat.add_comm]

def euclid (a b : Nat) : Nat := if h : b = 0 then a else euclid b (a % b)
termination_by b
decreasing_by exact Nat.mod_lt a (Nat.pos_of_ne_zero h)

def merge : List Nat → List Nat → List Nat
  | [], ys => ys
  | xs, [] => xs
  | x :: xs, y :: ys => if x ≤ y then x :: merge xs (y :: ys) else y :: merge (x :: xs) ys

def merge' : List Nat → List Nat → List Nat
  | [], ys => ys
  | xs, [] => xs
  | x :: xs, y :: ys => if x ≤ y then x :: merge' xs (y :: ys) else y :: merge' (x :: xs) ys
termination_by xs ys => xs.length + ys.length

theorem merge_nil (xs : List Nat) : merge xs [] = xs := by
  cases xs <;> simp [merge]

theorem below : ∀ n : Nat, n < n + 1
  | 0 => by decide
  | n + 1 => by have := below n; exact Nat.succ_lt_succ this
termination_by n => n

theorem strong (P : Nat → Prop) (h : ∀ n, (∀ m, m < n → P m) → P n) (n : Nat) : P n := by
  induction n using Nat.strongRecOn with
  | ind n ih => exact h n ih

theorem measure_induction {α : Type} (f : α → Nat) (P : α → Prop)
    (h : ∀ x, (∀ y, f y < f x → P y) → P x) (x : α) : P x :=
  (measure f).wf.induction x h
