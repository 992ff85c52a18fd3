-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a token of its own hides what follows
--- auxiliary
local notation "f\"" => f
--- proof
rfl
