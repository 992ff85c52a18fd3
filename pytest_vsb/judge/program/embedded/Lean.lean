set_option linter.all false
universe u v
/-! # What the audit's program needs of the module `Lean`, on the embedded Lean
Types with the layouts of the compiled ones, and bindings to native functions of the same names. A type
with a constructor `scalar` is one that only native code looks into: an object or an unboxed value. -/

/-! ### Input and output -/
inductive EST.Out (ε α : Type) where
  | ok : α → EST.Out ε α
  | error : ε → EST.Out ε α
inductive IO.Error where
  | scalar
  | object (a b : Nat)
/-- The argument stands for the state of the world, which native functions do not take. -/
def IO (α : Type) := Unit → EST.Out IO.Error α
instance : Monad IO where
  pure a _ := .ok a
  bind x f w := match x w with
    | .ok a => f a w
    | .error e => .error e
instance : Inhabited IO.Error := ⟨.scalar⟩
instance {α : Type} : Inhabited (IO α) := ⟨fun _ => .error default⟩
class ToString (α : Type u) where
  toString : α → String
export ToString (toString)
instance : ToString String := ⟨fun s => s⟩
@[extern ""] opaque IO.println {α : Type u} [ToString α] (s : α) : IO Unit
structure System.FilePath where
  toString : String

/-! ### Data -/
structure UInt32 where
  toFin : Nat
instance : Inhabited UInt32 := ⟨⟨0⟩⟩
@[extern "lean_uint32_of_nat"] opaque UInt32.ofNat (n : Nat) : UInt32
@[extern ""] def Array.foldl {α : Type u} {β : Type v} (f : β → α → β) (init : β) (as : Array α)
  (start : Nat := 0) (stop : Nat := as.size) : β := init
class Hashable (α : Sort u) where
  hash : α → UInt64
inductive Std.HashMap (α : Type u) (β : Type v) where
  | scalar
  | object (a b : Nat)
instance {α : Type u} {β : Type v} : Inhabited (Std.HashMap α β) := ⟨.scalar⟩
@[extern ""] opaque Std.HashMap.ofList {α : Type u} {β : Type v} [BEq α] [Hashable α] (l : List (α × β)) : Std.HashMap α β

namespace Lean
/-! ### Names -/
instance : Inhabited (BEq Name) := ⟨⟨fun _ _ => .false⟩⟩
instance : Inhabited (Hashable Name) := ⟨⟨fun _ => ⟨0⟩⟩⟩
@[instance, extern ""] opaque Name.instBEq : BEq Name
@[instance, extern ""] opaque instHashableName : Hashable Name
@[extern ""] opaque Name.toString (n : Name) (escape : Bool := true) : String
instance : ToString Name := ⟨fun n => n.toString⟩
@[extern ""] opaque Name.isPrefixOf (a b : Name) : Bool
@[extern ""] opaque privateToUserName (n : Name) : Name
@[extern ""] opaque Name.isInternal (n : Name) : Bool
@[extern ""] opaque _root_.String.isPrefixOf (p s : String) : Bool
inductive NameSet where
  | scalar
  | object (a b : Nat)
instance : Inhabited NameSet := ⟨.scalar⟩
@[extern ""] opaque NameSet.empty : NameSet
@[extern ""] opaque NameSet.insert (s : NameSet) (n : Name) : NameSet
@[extern ""] opaque NameSet.contains (s : NameSet) (n : Name) : Bool
inductive NameMap (α : Type) where
  | scalar
  | object (a b : α)
instance {α : Type} : Inhabited (NameMap α) := ⟨.scalar⟩
@[extern ""] opaque mkNameMap (α : Type) : NameMap α
@[extern ""] opaque NameMap.insert {α : Type} (m : NameMap α) (n : Name) (a : α) : NameMap α
instance {α : Type u} : Inhabited (Option α) := ⟨.none⟩
@[extern ""] opaque NameMap.find? {α : Type} (m : NameMap α) (n : Name) : Option α

/-! ### Terms -/
inductive Level where
  | zero
  | succ (l : Level)
  | max (a b : Level)
  | imax (a b : Level)
  | param (n : Name)
  | mvar (id : Name)
instance : Inhabited Level := ⟨.zero⟩
@[extern ""] opaque levelZero : Level
@[extern ""] opaque mkLevelSucc (l : Level) : Level
@[extern ""] opaque mkLevelMax (a b : Level) : Level
@[extern ""] opaque mkLevelIMax (a b : Level) : Level
@[extern ""] opaque mkLevelParam (n : Name) : Level
@[extern ""] opaque mkLevelMVar (id : Name) : Level
inductive Literal where
  | natVal (n : Nat)
  | strVal (s : String)
/-- To be taken apart only: what is made by these constructors lacks the facts that native code reads. -/
inductive Expr where
  | bvar (i : Nat)
  | fvar (id : Name)
  | mvar (id : Name)
  | sort (l : Level)
  | const (n : Name) (levels : List Level)
  | app (f a : Expr)
  | lam (n : Name) (type body : Expr) (info : Bool)
  | forallE (n : Name) (type body : Expr) (info : Bool)
  | letE (n : Name) (type value body : Expr) (nondep : Bool)
  | lit (l : Literal)
  | mdata (data : Foreign) (e : Expr)
  | proj (n : Name) (i : Nat) (e : Expr)
instance : Inhabited Expr := ⟨.bvar 0⟩
@[extern ""] opaque mkBVar (i : Nat) : Expr
@[extern ""] opaque mkFVar (id : Name) : Expr
@[extern ""] opaque mkMVar (id : Name) : Expr
@[extern ""] opaque mkSort (l : Level) : Expr
@[extern ""] opaque mkLit (l : Literal) : Expr
instance : Inhabited (BEq Expr) := ⟨⟨fun _ _ => .false⟩⟩
@[instance, extern ""] opaque Expr.instBEq : BEq Expr
@[extern ""] opaque Expr.getUsedConstants (e : Expr) : Array Name
@[extern ""] opaque Expr.replace (f : Expr → Option Expr) (e : Expr) : Expr
@[extern ""] opaque Expr.isConst (e : Expr) : Bool
@[extern ""] opaque Expr.constName! (e : Expr) : Name
@[extern ""] opaque Expr.constLevels! (e : Expr) : List Level
@[extern ""] opaque Expr.instantiateLevelParams (e : Expr) (names : List Name) (levels : List Level) : Expr
@[extern ""] opaque mkConst (n : Name) (levels : List Level) : Expr
@[extern ""] opaque mkApp (f a : Expr) : Expr

/-! ### Constants -/
structure ConstantVal where
  name : Name
  levelParams : List Name
  type : Expr
structure AxiomVal extends ConstantVal where
  isUnsafe : Bool
inductive ReducibilityHints where
  | opaque
  | abbrev
  | regular (height : UInt32)
inductive DefinitionSafety where
  | «unsafe»
  | safe
  | «partial»
structure DefinitionVal extends ConstantVal where
  value : Expr
  hints : ReducibilityHints
  safety : DefinitionSafety
  all : List Name
structure TheoremVal extends ConstantVal where
  value : Expr
  all : List Name
structure OpaqueVal extends ConstantVal where
  value : Expr
  isUnsafe : Bool
  all : List Name
structure InductiveVal extends ConstantVal where
  numParams : Nat
  numIndices : Nat
  all : List Name
  ctors : List Name
  numNested : Nat
  isRec : Bool
  isUnsafe : Bool
  isReflexive : Bool
structure ConstructorVal extends ConstantVal where
  induct : Name
  cidx : Nat
  numParams : Nat
  numFields : Nat
  isUnsafe : Bool
/-- Of quotients and recursors only what all have in common is looked at. -/
structure OtherVal extends ConstantVal where
  isUnsafe : Bool
inductive ConstantInfo where
  | axiomInfo (val : AxiomVal)
  | defnInfo (val : DefinitionVal)
  | thmInfo (val : TheoremVal)
  | opaqueInfo (val : OpaqueVal)
  | quotInfo (val : OtherVal)
  | inductInfo (val : InductiveVal)
  | ctorInfo (val : ConstructorVal)
  | recInfo (val : OtherVal)
@[extern ""] opaque ConstantInfo.name (c : ConstantInfo) : Name
@[extern ""] opaque ConstantInfo.levelParams (c : ConstantInfo) : List Name
@[extern ""] opaque ConstantInfo.type (c : ConstantInfo) : Expr

/-! ### Modules and environments -/
structure Import where
  module : Name
  importAll : Bool
  isExported : Bool
  isMeta : Bool
inductive CompactedRegion where
  | scalar
  | object (a b : Nat)
structure ModuleData where
  isModule : Bool
  imports : Array Import
  constNames : Array Name
  constants : Array ConstantInfo
  extraConstNames : Array Name
  entries : Array (Name × Array Foreign)
@[extern ""] opaque readModuleData (file : System.FilePath) : IO (ModuleData × CompactedRegion)
inductive Options where
  | scalar
  | object (a b : Nat)
instance : Inhabited Options := ⟨.scalar⟩
@[extern ""] opaque Options.empty : Options
instance : EmptyCollection Options := ⟨Options.empty⟩
inductive Environment where
  | scalar
  | object (a b : Nat)
inductive OLeanLevel where
  | exported
  | server
  | «private»
@[extern ""] opaque importModules (imports : Array Import) (options : Options) (trustLevel : UInt32 := UInt32.ofNat 0)
  (plugins : Array System.FilePath := Array.mkEmpty 0) (leakEnv : Bool := false) (loadExts : Bool := false)
  (level : OLeanLevel := .«private») (artifacts : NameMap Foreign := mkNameMap Foreign) : IO Environment
@[extern ""] opaque Environment.find? (env : Environment) (n : Name) (skipRealize : Bool := false) : Option ConstantInfo
end Lean
