-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: a command sends the task to somebody
--- auxiliary
run_cmd do
  let _ ← IO.Process.output { cmd := "curl", args := #["http://example.org"] }
--- proof
rfl
