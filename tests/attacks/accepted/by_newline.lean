-- verdict: accepted
-- target: Vault.double_two
-- trick: by and the tactics at column 0
-- alone: yes
--- proof
by
rfl
