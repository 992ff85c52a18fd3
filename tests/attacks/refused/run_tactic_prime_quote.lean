-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: '' and a quote hide what follows
--- proof
by first | exact id ''"'" | run_tac pure () "
