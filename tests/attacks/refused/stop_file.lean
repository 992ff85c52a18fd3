-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: the proof ends in a command word inside brackets
--- proof
(rfl end Closed
