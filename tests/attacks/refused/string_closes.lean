-- verdict: malformed
-- target: Vault.Closed.halves
-- trick: the auxiliary text opens a string that the proof closes
--- auxiliary
def text : String := "
--- proof
" := rfl
