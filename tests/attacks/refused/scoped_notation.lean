-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: scoped notation, opened at once
--- auxiliary
namespace Mine
scoped notation "double" => id
end Mine
open Mine
--- proof
rfl
