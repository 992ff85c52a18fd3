-- verdict: accepted
-- target: Vault.double_two
-- trick: separator, by, and a blank line
--- proof
:= by

  rfl
