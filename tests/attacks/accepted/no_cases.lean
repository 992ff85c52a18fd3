-- verdict: accepted
-- target: Vault.double_two
-- trick: there is no case
--- proof
by
  have : ¬ (1 : Nat) = 0 := nofun
  rfl
