-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a local notation changes what the statement says
--- auxiliary
local notation "double" => id
--- proof
rfl
