-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same by the long form of the option
--- proof
by revert n; decide (config := { native := true })
