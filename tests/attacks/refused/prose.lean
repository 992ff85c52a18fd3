-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: prose where declarations should be
--- auxiliary
Here is the lemma that we need.
--- proof
rfl
