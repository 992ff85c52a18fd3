-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: a hypothesis is put into the statement by variable and include
--- auxiliary
variable (impossible : False)
include impossible
--- proof
impossible.elim
