-- verdict: accepted
-- target: Vault.double_two
-- trick: fields with the names of attributes
--- auxiliary
theorem fields (d : Door) (h : d.init < (d).prefix_) : locked d := h
--- proof
rfl
