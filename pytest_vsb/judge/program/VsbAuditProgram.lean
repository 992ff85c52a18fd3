import Lean
import Lean.Replay
/-! # The audit's program
Reads two compiled files: the original one with `sorry` for the target's proof, and the submission. Says whether the
target states the same in both and whether what stood before it is unchanged, checks every declaration of the
submission again with the kernel on top of its imports alone, and lists the axioms that the target rests on.

Nothing of the submission is elaborated or run; none of its parsers, instances or simp sets is loaded. The program
keeps to what Leans of all ages have in common. -/
namespace VsbAudit
open Lean

/-! ### Terms made anew
A compiled term carries facts about itself, such as which variables are free in it, and the kernel believes them.
So every term of the submission is made anew from its leaves. -/

def freshName : Name → Name
  | .anonymous => .anonymous
  | .str p s => Name.mkStr (freshName p) s
  | .num p i => Name.mkNum (freshName p) i

def freshLevel : Level → Level
  | .zero => levelZero
  | .succ l => mkLevelSucc (freshLevel l)
  | .max a b => mkLevelMax (freshLevel a) (freshLevel b)
  | .imax a b => mkLevelIMax (freshLevel a) (freshLevel b)
  | .param n => mkLevelParam (freshName n)
  | .mvar id => mkLevelMVar id

def freshLeaf : Expr → Option Expr
  | .bvar i => some (mkBVar i)
  | .fvar id => some (mkFVar id)
  | .mvar id => some (mkMVar id)
  | .sort l => some (mkSort (freshLevel l))
  | .const n ls => some (mkConst (freshName n) (ls.map freshLevel))
  | .lit l => some (mkLit l)
  | _ => none

def fresh (e : Expr) : Expr := e.replace freshLeaf

def freshVal (v : ConstantVal) : ConstantVal :=
  { name := freshName v.name, levelParams := v.levelParams.map freshName, type := fresh v.type }

/-- The declaration with fresh terms. Recursors and quotients stay: the kernel makes its own and compares. -/
def freshInfo : ConstantInfo → ConstantInfo
  | .axiomInfo v => .axiomInfo { v with toConstantVal := freshVal v.toConstantVal }
  | .defnInfo v => .defnInfo { v with toConstantVal := freshVal v.toConstantVal, value := fresh v.value }
  | .thmInfo v => .thmInfo { v with toConstantVal := freshVal v.toConstantVal, value := fresh v.value }
  | .opaqueInfo v => .opaqueInfo { v with toConstantVal := freshVal v.toConstantVal, value := fresh v.value }
  | .inductInfo v => .inductInfo { v with toConstantVal := freshVal v.toConstantVal, ctors := v.ctors.map freshName }
  | .ctorInfo v => .ctorInfo { v with toConstantVal := freshVal v.toConstantVal, induct := freshName v.induct }
  | c => c

/-! ### Compiled files -/

structure File where
  constants : List ConstantInfo
  byName : NameMap ConstantInfo

def constantsOf (data : ModuleData) : List ConstantInfo := data.constants.foldl (fun l c => freshInfo c :: l) []

def mapOf : List ConstantInfo → NameMap ConstantInfo → NameMap ConstantInfo
  | [], m => m
  | c :: rest, m => mapOf rest (m.insert c.name c)

def fileOf (data : ModuleData) : File :=
  let constants := constantsOf data
  ⟨constants, mapOf constants (mkNameMap ConstantInfo)⟩

def File.find? (file : File) (n : Name) : Option ConstantInfo := file.byName.find? n

/-- A name that is declared twice: Lean writes no such file. -/
def firstDuplicate (seen : NameSet) : List ConstantInfo → Option Name
  | [] => none
  | c :: rest => if seen.contains c.name then some c.name else firstDuplicate (seen.insert c.name) rest

def importsOf (data : ModuleData) : List Name := data.imports.foldl (fun l i => i.module :: l) []

def sameNames : List Name → List Name → Bool
  | [], [] => true
  | a :: as, b :: bs => a == b && sameNames as bs
  | _, _ => false

/-! ### Declarations -/

def kindOf : ConstantInfo → String
  | .axiomInfo _ => "axiom"
  | .defnInfo _ => "definition"
  | .thmInfo _ => "theorem"
  | .opaqueInfo _ => "opaque"
  | .quotInfo _ => "quotient"
  | .inductInfo _ => "inductive"
  | .ctorInfo _ => "constructor"
  | .recInfo _ => "recursor"

def isTheorem : ConstantInfo → Bool
  | .thmInfo _ => true
  | _ => false

def isAxiom : ConstantInfo → Bool
  | .axiomInfo _ => true
  | _ => false

/-- The term that a declaration is defined by, if there is one. -/
def valueOf : ConstantInfo → Option Expr
  | .defnInfo v => some v.value
  | .thmInfo v => some v.value
  | .opaqueInfo v => some v.value
  | _ => none

def constantsIn (e : Expr) (before : List Name) : List Name :=
  e.getUsedConstants.foldl (fun l n => n :: l) before

/-- The constants that a declaration mentions, before others. -/
def mentions (c : ConstantInfo) (before : List Name) : List Name :=
  let names := constantsIn c.type before
  let names := match valueOf c with
    | some value => constantsIn value names
    | none => names
  match c with
  | .inductInfo v => v.ctors ++ names
  | _ => names

def sameValue : Option Expr → Option Expr → Bool
  | some a, some b => a == b
  | none, none => true
  | _, _ => false

/-- Whether what an inductive type is made of is the same; the types of its constructors are for another look. -/
def sameParts : ConstantInfo → ConstantInfo → Bool
  | .inductInfo a, .inductInfo b =>
    sameNames a.ctors b.ctors && a.numParams == b.numParams && a.numIndices == b.numIndices
  | _, _ => true

/-- Whether two declarations say the same; of theorems the proofs do not count. -/
def same (a b : ConstantInfo) : Bool :=
  kindOf a == kindOf b && sameNames a.levelParams b.levelParams && a.type == b.type
    && (isTheorem a || sameValue (valueOf a) (valueOf b)) && sameParts a b

/-! ### Statements -/

/-- Whether Lean made this name, for a `match`. -/
def isMatcher : Name → Bool
  | .str _ s => "match_".isPrefixOf s
  | _ => false

def below (n : Name) : List Name → Bool
  | [] => false
  | m :: rest => m.isPrefixOf n || below n rest

/-- Whether Lean made this declaration for one of `targets`, or for a `match`. -/
def isAuxiliary (targets : List Name) (n : Name) : Bool :=
  isMatcher n || below n targets || below (privateToUserName n) targets

/-- A term without what does not count for its meaning: which proofs are in it (all of one statement are equal),
and under which names Lean keeps parts of it. -/
def plainOnce (file : File) (targets : List Name) (e : Expr) : Expr :=
  e.replace fun e =>
    if e.isConst then
      match file.find? e.constName! with
      | none => none
      | some c =>
        if isTheorem c then
          let type := c.type.instantiateLevelParams c.levelParams e.constLevels!
          some (mkApp (mkConst (Name.mkStr .anonymous "a proof of") []) type)
        else if isAuxiliary targets c.name then
          match valueOf c with
          | none => none
          | some value => some (value.instantiateLevelParams c.levelParams e.constLevels!)
        else none
    else none

def plain (file : File) (targets : List Name) : Nat → Expr → Expr
  | 0, e => e
  | rounds + 1, e =>
    let once := plainOnce file targets e
    if once == e then e else plain file targets rounds once

/-- The first declaration among `todo`, and what these rest on, that is not the same in both files. -/
partial def changed (original submission : File) (seen : NameSet) : List Name → Option Name
  | [] => none
  | n :: todo =>
    if seen.contains n then changed original submission seen todo
    else
      match original.find? n, submission.find? n with
      | none, none => changed original submission (seen.insert n) todo
      | some a, some b =>
        if same a b then
          -- The proofs of theorems do not count, so what they mention does not either.
          let more := if isTheorem a then constantsIn a.type todo else mentions a todo
          changed original submission (seen.insert n) more
        else some n
      | _, _ => some n

/-- Why a declaration's statement is another in the submission; `none` if it is the same. -/
def difference (original submission : File) (targets : List Name) (n : Name) : Option String :=
  match original.find? n, submission.find? n with
  | some a, some b =>
    let x := plain original targets 32 a.type
    let y := plain submission targets 32 b.type
    if kindOf a != kindOf b then some (toString n ++ " is a " ++ kindOf b ++ ", not a " ++ kindOf a)
    else if !sameNames a.levelParams b.levelParams then some (toString n ++ " has other universe parameters")
    else if !(x == y) then some (toString n ++ " has another type")
    else
      match changed original submission NameSet.empty (constantsIn x []) with
      | some other => some (toString n ++ " rests on another " ++ toString other)
      | none => none
  | _, _ => some (toString n ++ " is missing")

def firstDifference (original submission : File) (targets : List Name) : List Name → Option String
  | [] => none
  | n :: rest =>
    match difference original submission targets n with
    | some why => some why
    | none => firstDifference original submission targets rest

/-! ### The rest of the original file -/

/-- The first declaration of the original file that is another one in the submission. What Lean made by itself is
left out, since its names count on, and so are the targets. -/
def firstChanged (original submission : File) (targets : List Name) : List ConstantInfo → Option Name
  | [] => none
  | a :: rest =>
    let shown := privateToUserName a.name
    if shown.isInternal || isAuxiliary targets a.name then firstChanged original submission targets rest
    else
      match submission.find? a.name with
      | some b => if same a b then firstChanged original submission targets rest else some a.name
      | none => firstChanged original submission targets rest

/-! ### Axioms -/

partial def axiomsBelow (env : Environment) (seen : NameSet) (found : List Name) : List Name → List Name
  | [] => found
  | n :: todo =>
    if seen.contains n then axiomsBelow env seen found todo
    else
      match env.find? n with
      | none => axiomsBelow env (seen.insert n) (n :: found) todo
      | some c =>
        axiomsBelow env (seen.insert n) (if isAxiom c then n :: found else found) (mentions c todo)

def newAxioms (original : File) : List ConstantInfo → List Name
  | [] => []
  | c :: rest =>
    match isAxiom c, original.find? c.name with
    | true, none => c.name :: newAxioms original rest
    | _, _ => newAxioms original rest

/-! ### What is said -/

def sayNames (word : String) : List Name → IO Unit
  | [] => pure ()
  | n :: rest => do
    IO.println (word ++ " " ++ toString n)
    sayNames word rest

def sayDifference (word : String) : Option String → IO Unit
  | none => IO.println (word ++ " same")
  | some why => IO.println (word ++ " other " ++ why)

/-- Compare the files, replay the submission and list the axioms of the first of `targets`; the others are the other
members of its `mutual` block. `others` are left alone. -/
def run (originalFile submissionFile : String) (targets others : List Name) : IO Unit := do
  let (originalData, _) ← readModuleData ⟨originalFile⟩
  let (data, _) ← readModuleData ⟨submissionFile⟩
  let original := fileOf originalData
  let submission := fileOf data
  if !sameNames (importsOf originalData) (importsOf data) then
    IO.println "imports other"
  else do
    IO.println "imports same"
    sayDifference "statement" (firstDifference original submission targets targets)
    let changed := match firstDuplicate NameSet.empty submission.constants with
      | some n => some n
      | none => firstChanged original submission (targets ++ others) original.constants
    sayDifference "file" (changed.map fun n => toString n)
    sayNames "new-axiom" (newAxioms original submission.constants)
    let env ← importModules data.imports {}
    IO.println "imported"
    let env ← env.replay (.ofList (submission.constants.map fun c => (c.name, c)))
    IO.println "replayed"
    sayNames "axiom" (axiomsBelow env NameSet.empty [] (targets.take 1))
    IO.println "end"

end VsbAudit
