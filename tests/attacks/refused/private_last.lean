-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: a modifier at the end makes the target private
--- auxiliary
private
--- proof
sorry
