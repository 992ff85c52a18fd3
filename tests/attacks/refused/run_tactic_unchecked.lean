-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a tactic adds a declaration that no kernel has seen
--- proof
by
  run_tac do
    let env ← Lean.getEnv
    Lean.setEnv (← Lean.ofExceptKernelException (env.addDeclWithoutChecking (.axiomDecl default)))
  rfl
