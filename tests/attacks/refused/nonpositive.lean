-- verdict: rejected
-- target: Vault.Closed.halves
-- trick: an inductive type that contains its own negation
--- auxiliary
inductive Bad : Type where
  | mk : (Bad → False) → Bad

theorem Bad.elim : Bad → False
  | .mk f => f (.mk f)

def Bad.bad : Bad := .mk Bad.elim
--- proof
(Bad.elim Bad.bad).elim
