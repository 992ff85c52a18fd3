-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a namespace left open renames the target
--- auxiliary
def double (n : Nat) : Nat := n
namespace Inner
--- proof
rfl
