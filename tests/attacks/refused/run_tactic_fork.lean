-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a tactic starts processes that outlive it
--- proof
by
  run_tac do
    for _ in [0:3] do
      let _ ← IO.Process.spawn { cmd := "sleep", args := #["60"] }
  rfl
