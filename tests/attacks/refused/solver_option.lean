-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an option names the program that a tactic starts
--- auxiliary
set_option sat.solver "/bin/true"
--- proof
rfl
