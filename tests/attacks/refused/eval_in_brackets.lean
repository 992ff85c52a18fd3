-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: #eval after an error inside of brackets
--- proof
by exact (#eval IO.println "")
