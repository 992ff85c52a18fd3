-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: reading a file while elaborating
--- auxiliary
def secrets : String := include_str "/etc/passwd"
--- proof
rfl
