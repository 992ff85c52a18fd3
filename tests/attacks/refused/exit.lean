-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: #exit ends the file before the statement
--- auxiliary
theorem honest : True := trivial
#exit
--- proof
sorry
