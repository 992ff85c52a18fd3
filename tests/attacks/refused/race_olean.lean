-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the compiled file is written by the candidate itself
--- auxiliary
run_cmd do
  IO.FS.writeFile "VsbSubmission.olean" "mine"
--- proof
rfl
