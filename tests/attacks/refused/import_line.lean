-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an import in the middle
--- auxiliary
import Vault.Basic
theorem honest : True := trivial
--- proof
rfl
