-- verdict: accepted
-- target: Vault.double_two
-- trick: a tab in a comment and in a string
--- auxiliary
def tab : String := "	"
--- proof
rfl -- a	tab
