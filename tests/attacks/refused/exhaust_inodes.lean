-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: files without end
--- auxiliary
run_cmd do
  for i in [0:1000000] do
    IO.FS.writeFile s!"{i}" ""
--- proof
rfl
