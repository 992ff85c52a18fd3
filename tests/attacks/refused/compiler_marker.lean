-- verdict: unsound or rejected
-- target: Vault.Closed.halves
-- trick: the compiler's mark for proofs that it left out
--- proof
lcProof
