-- verdict: incomplete
-- target: Vault.Closed.halves
-- trick: a program that is started writes outside, connects to a socket of this machine, and goes on
--- auxiliary
inductive Stdio where
  | piped | inherit | null
structure StdioConfig where
  stdin : Stdio
  stdout : Stdio
  stderr : Stdio
structure SpawnArgs extends StdioConfig where
  cmd : String
  args : Array String
  cwd : Option String
  env : Array (String × Option String)
  inheritEnv : Bool
  setsid : Bool
@[extern ""] opaque _root_.IO.Process.spawn : SpawnArgs → Nat → Nat
def run (script : String) : Nat := IO.Process.spawn
  { stdin := .null, stdout := .null, stderr := .null, cmd := "@SHELL@"
    args := Array.mkArray2 "-c" script, cwd := none, env := Array.mkArray0, inheritEnv := true
    setsid := false } 0
macro "now!" : term => do
  if run "(setsid sleep @SECONDS@ & setsid sleep @SECONDS@ &) 2>&0; echo > @OUTSIDE@/made; exec 3<>/dev/tcp/127.0.0.1/@PORT@; sleep @SECONDS@" = 7 then `(1) else `(2)
example : Nat := now!
--- proof
by sorry
