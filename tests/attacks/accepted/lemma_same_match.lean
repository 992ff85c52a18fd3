-- verdict: accepted
-- target: Vault.branch
-- trick: a lemma with the same match as the statement, whose matcher Lean then shares
--- auxiliary
theorem helper (n : Nat) : (match n with | 0 => True | k + 1 => double k = double k) := by
  cases n <;> trivial
--- proof
helper n
