-- verdict: accepted
-- target: Vault.double_two
-- trick: a lemma in all universes
--- auxiliary
universe w in
theorem same {α : Type w} (x : α) : x = x := rfl
--- proof
by
  have := @same Nat 1
  rfl
