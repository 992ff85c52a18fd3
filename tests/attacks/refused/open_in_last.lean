-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: open … in at the end, for the target
--- auxiliary
namespace Mine
def double (n : Nat) : Nat := n
end Mine
open Mine in
--- proof
rfl
