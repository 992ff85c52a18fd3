-- verdict: accepted
-- target: Vault.double_two
-- trick: open … in inside of the proof
--- proof
by
  open Vault in
  exact rfl
