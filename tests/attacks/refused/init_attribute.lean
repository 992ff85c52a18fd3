-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: the same by the attribute, between «»
--- auxiliary
def go : IO Unit := pure ()
@[«init» go] def went : Nat := 0
--- proof
rfl
