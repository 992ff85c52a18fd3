-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: compiled code decides
--- auxiliary
@[simp] theorem honest : True := trivial
--- proof
by native_decide
