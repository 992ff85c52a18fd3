-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a tactic writes a file
--- proof
by
  run_tac do
    IO.FS.writeFile "/tmp/vsb-attack" "written"
  rfl
