-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: the warning of sorry is switched off
--- auxiliary
set_option warn.sorry false
--- proof
by sorry
