-- verdict: accepted
-- target: Vault.double_two
-- trick: a very long line
--- proof
by exact ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((rfl))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
