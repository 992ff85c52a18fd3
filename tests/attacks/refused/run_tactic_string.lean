-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same inside of an interpolated string
--- proof
by exact absurd s!"{by run_tac pure ()}" rfl
