import Vault.Basic

/-! The targets. Those in `Vault.Closed` are false: no candidate for them may ever be accepted. -/

open Vault

namespace Vault

infixl:65 " ⊞ " => fun (m n : Nat) => double m + n

axiom oracle : ∀ p : Prop, p

theorem unproved (n : Nat) : double n = 7 := sorry

macro "finish_later" : tactic => `(tactic| exact sorry)

section Open

variable {α : Type} [Weighed α] (xs : List α)

theorem total_nil : total ([] : List α) = 0 := rfl

theorem total_cons (x : α) : total (x :: xs) = Weighed.weight x + total xs := rfl

end Open

theorem double_two : double 2 = 4 := rfl

theorem sum_two : total [2] = 2 := rfl

theorem branch (n : Nat) : (match n with | 0 => True | k + 1 => double k = double k) := by
  cases n <;> trivial

theorem ascription (n : Nat) : (double n : Nat) = double n ∧ n ⊞ 0 = double n := ⟨rfl, rfl⟩

@[simp] private theorem hidden (n : Nat) : double (n + 1) = double n + 2 := rfl

mutual
theorem left_side : (n : Nat) → double n = double n
  | 0 => rfl
  | n + 1 => (congrArg (fun _ => double (n + 1)) (right_side n)).trans rfl

theorem right_side : (n : Nat) → double n = double n
  | 0 => rfl
  | n + 1 => (congrArg (fun _ => double (n + 1)) (left_side n)).trans rfl
end

namespace Closed

theorem halves (n : Nat) : double n = n := by
  sorry

theorem empty_weight (x : Nat) (xs : List Nat) : total (x :: xs) = total xs := by
  sorry

section
variable {p q : Prop}

theorem either (h : p ∨ q) : p := by
  sorry

universe u
theorem subsingleton (α : Type u) (x y : α) : x = y := by
  sorry
end

private theorem secret (n : Nat) : double n = 0 := by
  sorry

end Closed

end Vault
