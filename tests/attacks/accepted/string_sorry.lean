-- verdict: accepted
-- target: Vault.double_two
-- trick: forbidden words in a string
-- alone: yes
--- auxiliary
def text : String := "sorry, axiom, run_tac and #eval are words"
--- proof
rfl
