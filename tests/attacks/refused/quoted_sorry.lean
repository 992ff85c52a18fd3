-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: sorryAx between «»
--- proof
«sorryAx» _ false
