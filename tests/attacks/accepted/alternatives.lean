-- verdict: accepted
-- target: Vault.left_side
-- trick: a proof by alternatives
-- alone: yes
--- proof
| 0 => rfl
  | n + 1 => (congrArg (fun _ => double (n + 1)) (right_side n)).trans rfl
