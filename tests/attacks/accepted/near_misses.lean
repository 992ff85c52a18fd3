-- verdict: accepted
-- target: Vault.double_two
-- trick: comments, characters and strings close to other tokens; a variable called native
--- auxiliary
def minus : Type := {x : Int //-1 = x}
def closes : Type := {x : Int // x = 1}-- a comment right behind
theorem native_is (native : Nat) : native = native := rfl--rfl
def characters : List Char := ['a','"','\'']
def join (native : Nat) : Nat := 1 + native
def shown : String × String := ("{", "}")
--- proof
rfl
