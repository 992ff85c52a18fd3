-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a section left open with a hypothesis in it
--- auxiliary
section
variable (h : False)
include h
--- proof
h.elim
