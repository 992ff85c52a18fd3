prelude
import Init.Bindings
set_option autoImplicit false
set_option linter.all false
/-! # Configurations of tactics
The elaborator evaluates terms of these types, so names, order and types of the fields are those that
the library was compiled with. -/
namespace Lean.Meta
inductive TransparencyMode where
  | all | default | reducible | instances | none | implicit
inductive EtaStructMode where
  | all | notClasses | none
inductive Occurrences where
  | all
  | pos (idxs : List Nat)
  | neg (idxs : List Nat)
instance : Coe (List Nat) Occurrences := ⟨.pos⟩
inductive ApplyNewGoals where
  | nonDependentFirst | nonDependentOnly | all
structure DSimp.Config where
  zeta : Bool := true
  beta : Bool := true
  eta : Bool := true
  etaStruct : EtaStructMode := .all
  iota : Bool := true
  proj : Bool := true
  decide : Bool := false
  autoUnfold : Bool := false
  failIfUnchanged : Bool := true
  unfoldPartialApp : Bool := false
  zetaDelta : Bool := false
  index : Bool := true
  zetaUnused : Bool := true
  zetaHave : Bool := true
  locals : Bool := false
  instances : Bool := false
structure Simp.Config where
  maxSteps : Nat := 100000
  maxDischargeDepth : Nat := 2
  contextual : Bool := false
  memoize : Bool := true
  singlePass : Bool := false
  zeta : Bool := true
  beta : Bool := true
  eta : Bool := true
  etaStruct : EtaStructMode := .all
  iota : Bool := true
  proj : Bool := true
  decide : Bool := false
  arith : Bool := false
  autoUnfold : Bool := false
  dsimp : Bool := true
  failIfUnchanged : Bool := true
  ground : Bool := false
  unfoldPartialApp : Bool := false
  zetaDelta : Bool := false
  index : Bool := true
  implicitDefEqProofs : Bool := true
  zetaUnused : Bool := true
  catchRuntime : Bool := true
  zetaHave : Bool := true
  letToHave : Bool := true
  congrConsts : Bool := true
  bitVecOfNat : Bool := true
  warnExponents : Bool := true
  suggestions : Bool := false
  maxSuggestions : Option Nat := none
  locals : Bool := false
  instances : Bool := false
structure Simp.ConfigCtx extends Simp.Config where
  contextual := true
end Lean.Meta
namespace Lean.Parser.Tactic
structure DecideConfig where
  kernel : Bool := false
  native : Bool := false
  zetaReduce : Bool := false
  revert : Bool := false
end Lean.Parser.Tactic
