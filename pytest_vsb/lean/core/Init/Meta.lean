prelude
import Init.Data
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Syntax trees, parser descriptions, monads, macros
The layouts are those that the compiled elaborator reads; what builds arrays, nodes or hashed names is
native code of the same name. -/

/-! ### Syntax trees and parser descriptions: layouts read by the compiled elaborator -/
structure UInt64 where
  toFin : Nat
structure Substring.Raw where
  str : String
  startPos : Nat
  stopPos : Nat
namespace Lean
inductive Name where
  | anonymous : Name
  | str (pre : Name) (s : String)
  | num (pre : Name) (i : Nat)
namespace Name
instance : Inhabited Name := ⟨.anonymous⟩
@[extern ""] opaque str._override : Name → String → Name
@[implemented_by str._override] def mkStr (p : Name) (s : String) : Name := Name.str p s
@[extern ""] opaque num._override : Name → Nat → Name
@[implemented_by num._override] def mkNum (p : Name) (v : Nat) : Name := Name.num p v
@[extern ""] opaque mkStr1 : String → Name
@[extern ""] opaque mkStr2 : String → String → Name
@[extern ""] opaque mkStr3 : String → String → String → Name
@[extern ""] opaque mkStr4 : String → String → String → String → Name
end Name
inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : Nat) (trailing : Substring.Raw) (endPos : Nat)
  | synthetic (pos endPos : Nat) (canonical : Bool)
  | none
inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)
inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : Name) (args : Array Syntax)
  | atom (info : SourceInfo) (val : String)
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved)
inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p q : ParserDescr)
  | node (kind : Name) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : Name) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : Name) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
abbrev TrailingParserDescr := ParserDescr
structure Parser.Category where
/-- Opaque to us: states and results that only compiled code looks into. -/
structure Foreign where
  a : Nat
  b : Nat
instance : Inhabited ParserDescr := ⟨.const .anonymous⟩
instance : Inhabited Foreign := ⟨⟨0, 0⟩⟩
end Lean


/-! ### Monads -/
class Functor (f : Type u → Type v) : Type (max (u+1) v) where
  map : {α β : Type u} → (α → β) → f α → f β
  mapConst : {α β : Type u} → α → f β → f α := Function.comp map (Function.const _)
class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α
class Seq (f : Type u → Type v) : Type (max (u+1) v) where
  seq : {α β : Type u} → f (α → β) → (Unit → f α) → f β
class SeqLeft (f : Type u → Type v) : Type (max (u+1) v) where
  seqLeft : {α β : Type u} → f α → (Unit → f β) → f α
class SeqRight (f : Type u → Type v) : Type (max (u+1) v) where
  seqRight : {α β : Type u} → f α → (Unit → f β) → f β
class Applicative (f : Type u → Type v) extends Functor f, Pure f, Seq f, SeqLeft f, SeqRight f where
  map := fun x y => Seq.seq (Pure.pure x) fun _ => y
  seqLeft := fun a b => Seq.seq (Functor.map (Function.const _) a) b
  seqRight := fun a b => Seq.seq (Functor.map (Function.const _ id) a) b
class Bind (m : Type u → Type v) where
  bind : {α β : Type u} → m α → (α → m β) → m β
class Monad (m : Type u → Type v) : Type (max (u+1) v) extends Applicative m, Bind m where
  map f x := Bind.bind x (Function.comp Pure.pure f)
  seq f x := Bind.bind f fun y => Functor.map y (x Unit.unit)
  seqLeft x y := Bind.bind x fun a => Bind.bind (y Unit.unit) fun _ => Pure.pure a
  seqRight x y := Bind.bind x fun _ => y Unit.unit
export Bind (bind)
export Pure (pure)
class OrElse (α : Type u) where
  orElse : α → (Unit → α) → α
instance instHOrElseOfOrElse {α : Type u} [OrElse α] : HOrElse α α α := ⟨OrElse.orElse⟩
class MonadExcept (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
export MonadExcept (throw)
inductive EStateM.Result (ε σ α : Type u) : Type u where
  | ok : α → σ → EStateM.Result ε σ α
  | error : ε → σ → EStateM.Result ε σ α
namespace Lean
abbrev SyntaxNodeKind := Name
abbrev SyntaxNodeKinds := List Name
abbrev MacroScope := Nat
structure TSyntax (ks : SyntaxNodeKinds) where
  raw : Syntax
abbrev TSyntaxArray (ks : SyntaxNodeKinds) := Array (TSyntax ks)
abbrev Term := TSyntax (.cons (Name.mkStr1 "term") .nil)
instance : Coe SyntaxNodeKind SyntaxNodeKinds := ⟨fun k => .cons k .nil⟩
instance {ks : SyntaxNodeKinds} : CoeOut (TSyntax ks) Syntax := ⟨TSyntax.raw⟩
instance : Inhabited String := ⟨⟨.nil⟩⟩
instance : Inhabited Substring.Raw := ⟨⟨⟨.nil⟩, 0, 0⟩⟩
@[extern ""] opaque _root_.String.toRawSubstring' : String → Substring.Raw
instance : Inhabited Syntax := ⟨.missing⟩
instance : Inhabited SourceInfo := ⟨.none⟩
/-! Arrays are built by native code only: the layout of the runtime's arrays is not that of our structure. -/
instance {α : Type u} : Inhabited (Array α) := ⟨⟨.nil⟩⟩
@[extern ""] opaque _root_.Array.mkArray0 {α : Type u}  : Array α
@[extern ""] opaque _root_.Array.mkArray1 {α : Type u}  : α → Array α
@[extern ""] opaque _root_.Array.mkArray2 {α : Type u}  : α → α → Array α
@[extern ""] opaque _root_.Array.mkArray3 {α : Type u}  : α → α → α → Array α
@[extern ""] opaque _root_.Array.mkArray4 {α : Type u}  : α → α → α → α → Array α
@[extern ""] opaque _root_.Array.mkArray5 {α : Type u}  : α → α → α → α → α → Array α
@[extern ""] opaque _root_.Array.mkArray6 {α : Type u}  : α → α → α → α → α → α → Array α
@[extern ""] opaque _root_.Array.mkArray7 {α : Type u}  : α → α → α → α → α → α → α → Array α
@[extern ""] opaque _root_.Array.mkArray8 {α : Type u}  : α → α → α → α → α → α → α → α → Array α
@[extern ""] opaque _root_.Array.mkEmpty {α : Type u} : Nat → Array α
@[extern ""] opaque _root_.Array.push {α : Type u} : Array α → α → Array α
@[extern ""] opaque _root_.Array.appendCore {α : Type u} : Array α → Array α → Array α
@[extern ""] opaque _root_.Array.append {α : Type u} : Array α → Array α → Array α
@[extern ""] opaque _root_.Array.size {α : Type u} : Array α → Nat
@[extern ""] opaque _root_.Array.extract {α : Type u} (as : Array α) (start : Nat := 0) (stop : Nat := as.size) : Array α
@[extern ""] opaque _root_.Array.map {α : Type u} {β : Type v} (f : α → β) (as : Array α) : Array β
@[extern ""] opaque mkAtom : String → Syntax
@[extern ""] opaque _root_.List.toArray {α : Type u} : List α → Array α
structure Syntax.SepArray (sep : String) where
  elemsAndSeps : Array Syntax
structure Syntax.TSepArray (sepKinds : SyntaxNodeKinds) (sep : String) where
  elemsAndSeps : Array Syntax
@[extern ""] opaque TSyntaxArray.mkImpl {ks : SyntaxNodeKinds} : Array Syntax → TSyntaxArray ks
@[extern ""] opaque TSyntaxArray.rawImpl {ks : SyntaxNodeKinds} : TSyntaxArray ks → Array Syntax
@[implemented_by TSyntaxArray.mkImpl] opaque TSyntaxArray.mk {ks : SyntaxNodeKinds} : Array Syntax → TSyntaxArray ks
@[implemented_by TSyntaxArray.rawImpl] opaque TSyntaxArray.raw {ks : SyntaxNodeKinds} : TSyntaxArray ks → Array Syntax
@[extern ""] opaque Syntax.TSepArray.getElems {k : SyntaxNodeKinds} {sep : String} : Syntax.TSepArray k sep → TSyntaxArray k
instance {k : SyntaxNodeKinds} {sep : String} : CoeOut (Syntax.TSepArray k sep) (TSyntaxArray k) := ⟨Syntax.TSepArray.getElems⟩
@[extern ""] opaque mkNullNode : Array Syntax → Syntax
@[extern ""] opaque mkSepArray : Array Syntax → Syntax → Array Syntax
instance {k k' : SyntaxNodeKinds} [Coe (TSyntax k) (TSyntax k')] : Coe (TSyntaxArray k) (TSyntaxArray k') := ⟨fun as => .mk as.raw⟩
abbrev Ident := TSyntax (.cons (Name.mkStr1 "ident") .nil)
abbrev NumLit := TSyntax (.cons (Name.mkStr1 "num") .nil)
abbrev StrLit := TSyntax (.cons (Name.mkStr1 "str") .nil)
abbrev CharLit := TSyntax (.cons (Name.mkStr1 "char") .nil)
instance : Coe Ident Term := ⟨fun s => ⟨s.raw⟩⟩
instance : Coe NumLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance : Coe StrLit Term := ⟨fun s => ⟨s.raw⟩⟩
instance : Coe CharLit Term := ⟨fun s => ⟨s.raw⟩⟩
namespace Syntax
@[extern ""] opaque isOfKind : Syntax → SyntaxNodeKind → Bool
@[extern ""] opaque getArg : Syntax → Nat → Syntax
@[extern ""] opaque matchesNull : Syntax → Nat → Bool
@[extern ""] opaque node1 : SourceInfo → SyntaxNodeKind → Syntax → Syntax
@[extern ""] opaque node2 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax
@[extern ""] opaque node3 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax
@[extern ""] opaque node4 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax → Syntax
@[extern ""] opaque getArgs : Syntax → Array Syntax
@[extern ""] opaque getNumArgs : Syntax → Nat
@[extern ""] opaque isNone : Syntax → Bool
@[extern ""] opaque isIdent : Syntax → Bool
@[extern ""] opaque matchesIdent : Syntax → Name → Bool
@[extern ""] opaque matchesLit : Syntax → SyntaxNodeKind → String → Bool
@[extern ""] opaque node5 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax
@[extern ""] opaque node6 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax
@[extern ""] opaque node7 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax
@[extern ""] opaque node8 : SourceInfo → SyntaxNodeKind → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax → Syntax
end Syntax
class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α : Type} : Syntax → m α → m α
@[extern ""] opaque SourceInfo.fromRef : Syntax → Bool → SourceInfo
def MonadRef.mkInfoFromRefPos {m : Type → Type} [Monad m] [MonadRef m] : m SourceInfo := bind MonadRef.getRef fun r => pure (SourceInfo.fromRef r .false)
def withRef {m : Type → Type} [Monad m] [MonadRef m] {α : Type} (r : Syntax) (x : m α) : m α := MonadRef.withRef r x
class MonadQuotation (m : Type → Type) extends MonadRef m where
  getCurrMacroScope : m MacroScope
  getContext : m Name
export MonadQuotation (getCurrMacroScope)
@[extern ""] opaque addMacroScope : Name → Name → MacroScope → Name
namespace Macro
structure Context where
  methods : Foreign
  quotContext : Name
  currMacroScope : MacroScope
  currRecDepth : Nat
  maxRecDepth : Nat
  ref : Syntax
inductive Exception where
  | error : Syntax → String → Exception
  | unsupportedSyntax : Exception
end Macro
def MacroM (α : Type) := Macro.Context → Foreign → EStateM.Result Macro.Exception Foreign α
abbrev Macro := Syntax → MacroM Syntax
instance : Monad MacroM where
  pure a _ s := .ok a s
  bind x f c s := match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance : MonadExcept Macro.Exception MacroM := ⟨fun e _ s => .error e s⟩
instance : MonadQuotation MacroM where
  getRef c s := .ok c.ref s
  withRef r x c s := x { c with ref := r } s
  getCurrMacroScope c s := .ok c.currMacroScope s
  getContext c s := .ok c.quotContext s
namespace PrettyPrinter
def UnexpandM (α : Type) := Syntax → Unit → EStateM.Result Unit Unit α
abbrev Unexpander := Syntax → UnexpandM Syntax
instance : Monad UnexpandM where
  pure a _ s := .ok a s
  bind x f c s := match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance : MonadExcept Unit UnexpandM := ⟨fun e _ s => .error e s⟩
instance : MonadQuotation UnexpandM where
  getRef c s := .ok c s
  withRef r x _ s := x r s
  getCurrMacroScope _ s := .ok 0 s
  getContext _ s := .ok (Name.mkStr1 "_fakeMod") s
end PrettyPrinter
instance : Inhabited Macro := ⟨fun _ _ s => .error .unsupportedSyntax s⟩
instance : Inhabited PrettyPrinter.Unexpander := ⟨fun _ _ s => .error .unit s⟩
end Lean
