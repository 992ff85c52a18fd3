-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the auxiliary text closes the namespace, so that names resolve otherwise
--- auxiliary
end Closed
namespace Closed
--- proof
rfl
