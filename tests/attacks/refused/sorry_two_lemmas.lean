-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: the sorry is two lemmas away and in a namespace
--- auxiliary
namespace Far
theorem first (n : Nat) : double n = n := sorry
theorem second (n : Nat) : double n = n := first n
end Far
--- proof
Far.second n
