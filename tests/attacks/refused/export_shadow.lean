-- verdict: rejected or unsound
-- target: Vault.Closed.halves
-- trick: another constant is exported under the statement's name
--- auxiliary
namespace Mine
def double (n : Nat) : Nat := n
end Mine
export Mine (double)
--- proof
rfl
