-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: a separator and nothing
--- proof
:=
