-- verdict: unsound
-- target: Vault.Closed.empty_weight
-- trick: an instance of a namespace that is opened for the statement
--- auxiliary
namespace Light
scoped instance : Weighed Nat := ⟨fun _ => 0⟩
end Light
open scoped Light
--- proof
(Nat.zero_add _)
