-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the option that keeps the kernel from looking
--- auxiliary
set_option debug.skipKernelTC true
--- proof
rfl
