-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: private declarations of others
--- auxiliary
open private helper in double
--- proof
rfl
