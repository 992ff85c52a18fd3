-- verdict: accepted
-- target: Vault.double_two
-- trick: many kinds of declarations, with comments and options between them
-- alone: yes
--- auxiliary
/-! # Lemmas -/

set_option pp.all true
set_option autoImplicit true
universe v
/-- One. -/
private theorem two : double 2 = 4 := rfl
example : double 1 = 2 := rfl
theorem same.{w} (α : Type w) (β : Type v) (x : α) (_ : β) : x = x := rfl
class Light (α : Type) where
  light : α
structure Pair where
  left : Nat
  right : Nat
inductive Colour where
  | red | blue
deriving DecidableEq
partial def spin (n : Nat) : Nat := spin (n + 1)

/-! the end -/
--- proof
by
            show double 2 = 4
            exact id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (id (two))))))))))))))))))))))))))))))))))))))))
