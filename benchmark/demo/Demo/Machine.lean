import Demo.Syntax

/-! A stack machine with structured control, in the manner of WebAssembly. -/

set_option autoImplicit false

namespace Demo

/-- Instructions without control. -/
inductive Op where
  | push (n : Nat)
  | load (x : Ident)
  | store (x : Ident)
  | add
  | sub
  | mul
  | eq
  | le
  | not
  | and

/-- Structured code: `branch` and `loop` contain code. -/
inductive Code where
  | nil
  | op (o : Op) (rest : Code)
  | branch (yes no rest : Code)
  | loop (test body rest : Code)

/-- An operand stack, its top first. -/
abbrev Stack := List Nat

/-- A truth value on the stack. -/
def ofBool : Bool → Nat
  | true => 1
  | false => 0

/-- The effect of one instruction; `none` on a stack that is too short. -/
def Op.run : Op → Stack × State → Option (Stack × State)
  | push n, (st, s) => some (n :: st, s)
  | load x, (st, s) => some (s x :: st, s)
  | store x, (v :: st, s) => some (st, s ◁ x ↦ v)
  | add, (w :: v :: st, s) => some ((v + w) :: st, s)
  | sub, (w :: v :: st, s) => some ((v - w) :: st, s)
  | mul, (w :: v :: st, s) => some ((v * w) :: st, s)
  | eq, (w :: v :: st, s) => some (ofBool (decide (v = w)) :: st, s)
  | le, (w :: v :: st, s) => some (ofBool (decide (v ≤ w)) :: st, s)
  | not, (v :: st, s) => some ((1 - v) :: st, s)
  | and, (w :: v :: st, s) => some ((v * w) :: st, s)
  | _, _ => none

namespace Code

/-- One piece of code after another. -/
def append : Code → Code → Code
  | nil, k => k
  | op o c, k => op o (c.append k)
  | branch y n c, k => branch y n (c.append k)
  | loop t b c, k => loop t b (c.append k)

instance : Append Code := ⟨append⟩

@[simp] theorem nil_append (k : Code) : nil ++ k = k := rfl

@[simp] theorem op_append (o : Op) (c k : Code) : op o c ++ k = op o (c ++ k) := rfl

@[simp] theorem branch_append (y n c k : Code) : branch y n c ++ k = branch y n (c ++ k) := rfl

@[simp] theorem loop_append (t b c k : Code) : loop t b c ++ k = loop t b (c ++ k) := rfl

protected theorem append_nil : ∀ c : Code, c ++ nil = c
  | nil => rfl
  | op o c => congrArg (op o) c.append_nil
  | branch y n c => congrArg (branch y n) c.append_nil
  | loop t b c => congrArg (loop t b) c.append_nil

protected theorem append_assoc (c k l : Code) : c ++ k ++ l = c ++ (k ++ l) := by
  induction c with
  | nil => rfl
  | op o c ih => exact congrArg (op o) ih
  | branch y n c _ _ ih => exact congrArg (branch y n) ih
  | loop t b c _ _ ih => exact congrArg (loop t b) ih

end Code

/-- `Exec c p q`: the code `c`, started on stack and state `p`, ends with `q`. -/
inductive Exec : Code → Stack × State → Stack × State → Prop where
  | nil (p : Stack × State) : Exec .nil p p
  | op {o : Op} {c : Code} {p q r : Stack × State} (h : o.run p = some q) (hc : Exec c q r) :
      Exec (.op o c) p r
  | yes {y n c : Code} {v : Nat} {st : Stack} {s : State} {q r : Stack × State}
      (hy : Exec y (st, s) q) (hc : Exec c q r) : Exec (.branch y n c) ((v + 1) :: st, s) r
  | no {y n c : Code} {st : Stack} {s : State} {q r : Stack × State}
      (hn : Exec n (st, s) q) (hc : Exec c q r) : Exec (.branch y n c) (0 :: st, s) r
  | again {t b c : Code} {v : Nat} {st : Stack} {s : State} {p q r : Stack × State}
      (ht : Exec t p ((v + 1) :: st, s)) (hb : Exec b (st, s) q) (hl : Exec (.loop t b c) q r) :
      Exec (.loop t b c) p r
  | exit {t b c : Code} {st : Stack} {s : State} {p r : Stack × State}
      (ht : Exec t p (0 :: st, s)) (hc : Exec c (st, s) r) : Exec (.loop t b c) p r

end Demo
