-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: documentation comments hold code that is elaborated
--- auxiliary
set_option doc.verso true
/-- {lean}`by run_tac pure ()` -/
theorem first : True := trivial
--- proof
rfl
