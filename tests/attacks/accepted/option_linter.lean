-- verdict: accepted
-- target: Vault.double_two
-- trick: options that only make more noise
--- auxiliary
set_option linter.unusedVariables true
set_option trace.Meta.synthInstance true in
theorem first (x : Nat) : True := trivial
--- proof
by
  set_option linter.all true in
  rfl
