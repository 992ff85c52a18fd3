-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same option with a part between «»
--- auxiliary
set_option «debug».skipKernelTC true
--- proof
rfl
