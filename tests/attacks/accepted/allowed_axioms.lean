-- verdict: accepted
-- target: Vault.double_two
-- trick: a proof by the allowed axioms
--- proof
by
  have h : (double 2 = 4) = True := propext ⟨fun _ => trivial, fun _ => rfl⟩
  exact h ▸ trivial
