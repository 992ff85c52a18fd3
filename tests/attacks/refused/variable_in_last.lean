-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: variable … in at the end, for the target
--- auxiliary
variable (h : False) in
--- proof
h.elim
