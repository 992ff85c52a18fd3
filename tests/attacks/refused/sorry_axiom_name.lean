-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: sorryAx called by its name
--- proof
sorryAx _ false
