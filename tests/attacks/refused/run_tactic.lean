-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a tactic that runs code
--- proof
by run_tac pure ()
