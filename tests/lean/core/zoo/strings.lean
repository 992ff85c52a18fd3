theorem s1 : "a" ≠ "b" := by decide
theorem s2 : "ab" = "ab" := rfl
theorem s3 : "a" ++ "b" = "ab" := rfl
theorem s4 : "abc".length = 3 := rfl
theorem s5 : 'a' ≠ 'b' := by decide
theorem s6 : ("a" == "b") = false := by decide
theorem s7 (h : "a" = "b") : False := by simp at h
theorem s8 (s t : String) (h : s = t) : t = s := h.symm
inductive Expr where
  | var (x : String)
  | app (f a : Expr)
deriving DecidableEq, BEq, Inhabited
def Expr.occurs (x : String) : Expr → Bool
  | var y => x == y
  | app f a => f.occurs x || a.occurs x
theorem occurs_var (x : String) : (Expr.var x).occurs x = true := by simp [Expr.occurs]
def State := String → Nat
def State.update (s : State) (x : String) (v : Nat) : State := fun y => if y = x then v else s y
theorem update_same (s : State) (x : String) (v : Nat) : s.update x v x = v := by
  simp [State.update]
theorem update_ab (s : State) : (s.update "a" 1) "b" = s "b" := by simp [State.update]
theorem update_ab' (s : State) : (s.update "a" 1) "b" = s "b" := rfl
