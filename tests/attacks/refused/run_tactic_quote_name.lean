-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a quote between «» over two lines hides what follows
--- proof
by first | exact «
"» | run_tac pure () | exact «
"»
