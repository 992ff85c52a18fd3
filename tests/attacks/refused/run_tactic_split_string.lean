-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a string that Lean ends elsewhere than a simple reading does
--- proof
by first | exact absurd (s! "{ "" ++ (by run_tac pure ()) ++ "" }") rfl | rfl
