-- verdict: accepted
-- target: Vault.double_two
-- trick: definitions that use each other
--- auxiliary
mutual
def even : Nat → Bool
  | 0 => true
  | n + 1 => odd n
def odd : Nat → Bool
  | 0 => false
  | n + 1 => even n
end
theorem even_two : even 2 = true := by simp [even, odd]
--- proof
rfl
