-- verdict: rejected
-- target: Vault.left_side
-- trick: the other member of the block is used for itself
--- proof
fun n => left_side n
