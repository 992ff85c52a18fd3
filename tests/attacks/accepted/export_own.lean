-- verdict: accepted
-- target: Vault.double_two
-- trick: export of its own names
-- alone: yes
--- auxiliary
namespace Own
theorem two : double 2 = 4 := rfl
end Own
export Vault.Own (two)
--- proof
two
