-- verdict: accepted
-- target: Vault.hidden
-- trick: a private target by a private lemma
--- auxiliary
private theorem aux (n : Nat) : double (n + 1) = double n + 2 := rfl
--- proof
aux n
