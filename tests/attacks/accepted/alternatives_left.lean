-- verdict: accepted
-- target: Vault.right_side
-- trick: alternatives at column 0
-- alone: yes
--- proof
| 0 => rfl
| n + 1 => (congrArg (fun _ => double (n + 1)) (left_side n)).trans rfl
