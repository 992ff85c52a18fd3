-- verdict: unsound or rejected
-- target: Vault.Closed.halves
-- trick: the axiom of compiled code by its name
--- proof
Lean.ofReduceBool (double n == n) true rfl ▸ rfl
