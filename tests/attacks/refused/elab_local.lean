-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a local elaborator
--- auxiliary
local elab "mine" : term => return Lean.mkConst `True.intro
--- proof
mine
