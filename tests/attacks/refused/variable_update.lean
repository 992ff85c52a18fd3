-- verdict: unsound or incomplete
-- target: Vault.Closed.either
-- trick: a variable of the section is made explicit
--- auxiliary
variable (p)
--- proof
sorry
