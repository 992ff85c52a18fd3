-- verdict: accepted
-- target: Vault.double_two
-- trick: open … in inside of the proof
-- alone: yes
--- proof
by
  open Vault in
  exact rfl
