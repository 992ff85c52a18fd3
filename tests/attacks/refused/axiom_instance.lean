-- verdict: unsound
-- target: Vault.Closed.halves
-- trick: the same by an instance that is found
--- auxiliary
class Believed : Prop where
  proof : ∀ n, double n = n
instance : Believed := ⟨oracle _⟩
--- proof
Believed.proof n
