-- verdict: accepted
-- target: Vault.double_two
-- trick: set_option … in before a lemma and in the proof
--- auxiliary
set_option maxHeartbeats 400000 in
theorem two : double 2 = 4 := rfl
--- proof
by
  set_option maxRecDepth 1000 in
  exact two
