-- verdict: accepted
-- target: Vault.double_two
-- trick: separator, by, and a blank line
-- alone: yes
--- proof
:= by

  rfl
