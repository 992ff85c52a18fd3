-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same option in the proof
--- proof
by
  set_option debug.skipKernelTC true in
  exact rfl
