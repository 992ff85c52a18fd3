-- verdict: accepted
-- target: Vault.double_two
-- trick: primes, marks and subscripts in names
--- auxiliary
theorem f'' : double 2 = 4 := rfl
theorem is_it? (x' x'' : Nat) (h₁ : x' = x'') : x' = x'' := h₁
def really! (α₁ : Type) (x : α₁) := x
--- proof
f'' 
