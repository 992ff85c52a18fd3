-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a term reads the reference proof from the disk
--- proof
(by_elab do
  let text ← IO.FS.readFile "Vault.lean"
  Lean.Elab.Term.elabTerm (← `(rfl)) none)
