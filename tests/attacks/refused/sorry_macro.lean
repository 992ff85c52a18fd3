-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: the repository's own macro expands to sorry
--- proof
by finish_later
