-- verdict: unsound
-- target: Vault.branch
-- trick: a constant with the name that Lean gives to the statement's match, and another True
--- auxiliary
def branch.match_1 (n : Nat) : Nat := n
abbrev True : Prop := False → False
--- proof
by
  cases n
  · exact fun h => h
  · rfl
