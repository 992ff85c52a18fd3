-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a comment that two readers end at different places
--- auxiliary
/--/ theorem first : True := trivial -/
end Closed
namespace Closed
--- proof
rfl
