-- verdict: accepted
-- target: Vault.double_two
-- trick: raw strings
--- auxiliary
def raw : String := r#"a "b" /- "#
--- proof
rfl
