-- verdict: accepted
-- target: Vault.double_two
-- trick: nested comments and odd dashes
-- alone: yes
--- auxiliary
theorem two : double 2 = 4 := rfl /- /- -/ -/ -- -/
--- proof
by /- a /- b -/ -- c -/ rfl -- /-
