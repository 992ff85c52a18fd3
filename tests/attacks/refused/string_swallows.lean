-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: a string left open swallows the statement
--- auxiliary
def text : String := "from here on
--- proof
rfl
