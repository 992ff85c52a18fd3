-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: processes without end
--- auxiliary
initialize do
  while true do
    let _ ← IO.Process.spawn { cmd := "sleep", args := #["60"] }
--- proof
rfl
