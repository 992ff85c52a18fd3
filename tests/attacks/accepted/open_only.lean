-- verdict: accepted
-- target: Vault.double_two
-- trick: open with a list, hiding and renaming
-- alone: yes
--- auxiliary
namespace Mine
def one : Nat := 1
def two : Nat := 2
end Mine
open Vault.Mine (one)
open Vault.Mine hiding one
open Vault.Mine renaming one → eins
theorem eins_one : eins = 1 := rfl
--- proof
rfl
