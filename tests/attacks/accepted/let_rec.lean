-- verdict: accepted
-- target: Vault.double_two
-- trick: a local recursion
--- proof
by
  let rec go : (n : Nat) → double n = double n
    | 0 => rfl
    | _ + 1 => rfl
  exact (go 2).trans rfl
