-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a program among the settings of a tactic
--- proof
by linarith (config := { preprocessors := [⟨"x", fun hs => do IO.FS.writeFile "x" ""; pure hs⟩] })
