-- verdict: accepted
-- target: Vault.double_two
-- trick: a proof with its separator
-- alone: yes
--- proof
:= rfl
