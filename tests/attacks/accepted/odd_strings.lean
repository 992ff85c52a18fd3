-- verdict: accepted
-- target: Vault.double_two
-- trick: strings with braces, raw strings, characters that are quotes
--- auxiliary
def raw : String := r#"a "b" /- "#
def braces : String := "{ \"a\": [1, 2}"
def quotes : List Char := ['"', '{', '\'', '-']
def primed' (x' : Nat) : Nat := x'
--- proof
rfl   -- done

-- that was it
   
