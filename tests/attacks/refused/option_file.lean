-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: an option names a file to write
--- proof
by
  set_option auto.smt.savepath "/tmp/vsb-attack" in rfl
