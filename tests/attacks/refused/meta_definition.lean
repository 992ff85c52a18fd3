-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a definition that a search tactic would run as one of its rules
--- auxiliary
def mine : Lean.Elab.Tactic.TacticM Unit := pure ()
--- proof
by aesop (add safe mine)
