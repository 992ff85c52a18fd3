-- verdict: accepted
-- target: Vault.double_two
-- trick: a rewriting triangle
--- proof
(rfl : 4 = double 2) ▸ rfl
