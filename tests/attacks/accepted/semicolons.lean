-- verdict: accepted
-- target: Vault.double_two
-- trick: everything on one line
-- alone: yes
--- proof
by show double 2 = 4; first | exact () | (skip; rfl)
