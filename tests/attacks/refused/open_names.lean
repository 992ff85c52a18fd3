-- verdict: forbidden
-- target: Vault.Closed.halves
-- trick: refused names by their last parts only
--- auxiliary
open IO FS in
def out := writeFile "a" "b"
--- proof
rfl
