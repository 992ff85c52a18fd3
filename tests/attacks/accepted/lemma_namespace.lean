-- verdict: accepted
-- target: Vault.double_two
-- trick: lemmas in a namespace of their own
--- auxiliary
namespace Own
theorem one : double 1 = 2 := rfl
theorem two : double 2 = 4 := by
  rw [double_succ, one]
end Own
--- proof
Own.two
