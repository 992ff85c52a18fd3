-- verdict: accepted
-- target: Vault.double_two
-- trick: show … from
--- proof
show double 2 = 4 from rfl
