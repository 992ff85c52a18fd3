-- verdict: accepted
-- target: Vault.double_two
-- trick: pipelines and projections
--- proof
Eq.symm <| Eq.symm (rfl : double 2 = 4) |>.symm |>.symm
