set_option autoImplicit false
theorem t1 : (3 : Int) + -5 = -2 := by decide
theorem t2 : (3 : Int) * -5 = -15 := rfl
theorem t3 : (-7 : Int) / 2 = -4 := by decide
theorem t4 : (-7 : Int) % 2 = 1 := by decide
theorem t5 : (-3 : Int) < 2 ∧ ¬ (2 : Int) ≤ -3 := by decide
theorem t6 (a b : Int) : a + b = b + a := Int.add_comm a b
theorem t7 (a b c : Int) : a * (b + c) = a * b + a * c := by rw [Int.mul_add]
theorem t8 (a : Int) : a - a = 0 := by simp
theorem t9 (a b : Int) (h : a ≤ b) (k : b ≤ a) : a = b := Int.le_antisymm h k
theorem t10 (n : Nat) : (0 : Int) ≤ n := by simp
theorem t11 (m n : Nat) (h : m ≤ n) : (m : Int) ≤ n := Int.ofNat_le.2 h
theorem t12 (a b : Nat) (h : Int.ofNat a = Int.negSucc b) : False := by cases h
theorem t13 (a b : Nat) (h : Int.ofNat a = Int.ofNat b) : a = b := by injection h
theorem t14 (a b c : Int) (h : a < b) (k : b ≤ c) : a < c := calc
  a < b := h
  _ ≤ c := k
def sign : Int → Int
  | .ofNat 0 => 0
  | .ofNat _ => 1
  | .negSucc _ => -1
theorem sign_neg : sign (-4) = -1 := rfl
inductive Expr where
  | lit (i : Int)
  | neg (e : Expr)
  | add (e f : Expr)
deriving DecidableEq
def Expr.eval : Expr → Int
  | lit i => i
  | neg e => -e.eval
  | add e f => e.eval + f.eval
theorem eval_neg_neg (e : Expr) : (Expr.neg (.neg e)).eval = e.eval := by simp [Expr.eval]
theorem t15 (a : Int) : -(-a) = a := by rw [Int.neg_neg]
