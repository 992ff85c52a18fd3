-- verdict: rejected
-- target: Vault.Closed.subsingleton
-- trick: another universe of the same name
--- auxiliary
universe u
--- proof
by cases x; cases y; rfl
