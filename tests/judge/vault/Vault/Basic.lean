/-! What the vault's theorems are about. -/

namespace Vault

/-- Doubles by counting. -/
def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2

/-- A thing that can be weighed. -/
class Weighed (α : Type) where
  weight : α → Nat

instance instWeighedNat : Weighed Nat := ⟨fun n => n⟩

/-- The whole weight of a list. -/
def total {α : Type} [Weighed α] : List α → Nat
  | [] => 0
  | x :: xs => Weighed.weight x + total xs

structure Door where
  prefix_ : Nat
  init : Nat

/-- Opens nothing. -/
def locked (d : Door) : Prop := d.init < d.prefix_

theorem double_zero : double 0 = 0 := rfl

theorem double_succ (n : Nat) : double (n + 1) = double n + 2 := rfl

end Vault
