-- verdict: accepted
-- target: Vault.double_two
-- trick: local instances for its own type
--- auxiliary
structure Coin where
  value : Nat
local instance : Weighed Coin := ⟨Coin.value⟩
theorem one : total [Coin.mk 3] = 3 := rfl
--- proof
rfl
