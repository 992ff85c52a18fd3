-- verdict: accepted
-- target: Vault.double_two
-- trick: forbidden words in docstrings
--- auxiliary
/-- No `axiom`, no `sorry`, no `run_tac`; @[extern], set_option debug.skipKernelTC true, #eval. -/
theorem first : True := trivial
/-! `macro`, `notation`, import -/
--- proof
rfl
