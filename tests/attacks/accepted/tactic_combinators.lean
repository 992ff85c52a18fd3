-- verdict: accepted
-- target: Vault.double_two
-- trick: combinators and alternatives of tactics
--- proof
by
  first
    | contradiction
    | skip <;> (try rfl)
    | rfl
