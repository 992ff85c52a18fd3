-- verdict: accepted
-- target: Vault.double_two
-- trick: odd indentation
-- alone: yes
--- proof
          by
              rfl
