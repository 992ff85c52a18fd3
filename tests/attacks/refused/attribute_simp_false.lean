-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: a false rewrite rule is assumed
--- auxiliary
theorem this_one : True := trivial
attribute [simp] this_one
--- proof
by simp [this]
