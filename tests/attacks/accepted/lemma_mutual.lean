-- verdict: accepted
-- target: Vault.double_two
-- trick: lemmas that use each other
--- auxiliary
mutual
theorem first : (n : Nat) → double n = double n
  | 0 => rfl
  | n + 1 => (congrArg (fun _ => double (n + 1)) (second n)).trans rfl
theorem second : (n : Nat) → double n = double n
  | 0 => rfl
  | n + 1 => (congrArg (fun _ => double (n + 1)) (first n)).trans rfl
end
--- proof
((first 2).trans rfl)
