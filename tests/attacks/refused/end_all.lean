-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: closing everything and declaring a false target
--- auxiliary
theorem halves (n : Nat) : double n = n := rfl
end Closed
end Vault
namespace Other.Closed
--- proof
rfl
