-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same option behind a comment
--- auxiliary
set_option /- pp.all -/ debug.skipKernelTC
  true
--- proof
rfl
