-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same behind a dot, which is a bullet
--- proof
by
  .run_tac pure ()
