-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: a macro reads a file, and the text compiles if it can
--- auxiliary
inductive Out where
  | ok (text : String)
  | error (number : Nat)
instance : Inhabited Out := ⟨.error 0⟩
@[extern ""] opaque _root_.IO.FS.readFile : String → Nat → Out
def found : Bool := match IO.FS.readFile "@OUTSIDE@/secret" 0 with
  | .ok _ => true
  | .error _ => false
macro "now!" : term => do
  if found then `(1) else `(true)
example : Nat := now!
--- proof
by sorry
