prelude
import Init.Meta
set_option linter.all false
/-! # Native bindings
Generated from `bindings.txt` by `bindings.py`; do not edit.

Each `opaque` below names a constant of Lean's shared library: a parser, a macro or an unexpander.
Its declared type must be the native one, for nothing checks the number of arguments at run time. -/
open Lean
@[prec_parser 1000, extern ""] opaque precArg : ParserDescr
@[prec_parser 1000, extern ""] opaque precLead : ParserDescr
@[prec_parser 1000, extern ""] opaque precMax : ParserDescr
@[prec_parser 1000, extern ""] opaque precMin : ParserDescr
@[prec_parser 1000, extern ""] opaque precMin1 : ParserDescr
@[prec_parser 1000, extern ""] opaque «prec(_)» : ParserDescr
@[prio_parser 1000, extern ""] opaque prioDefault : ParserDescr
@[prio_parser 1000, extern ""] opaque prioHigh : ParserDescr
@[prio_parser 1000, extern ""] opaque prioLow : ParserDescr
@[prio_parser 1000, extern ""] opaque prioMid : ParserDescr
@[prio_parser 1000, extern ""] opaque «prio(_)» : ParserDescr
@[stx_parser 1000, extern ""] opaque stx!_ : ParserDescr
@[stx_parser 1000, extern ""] opaque «stx_*» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_+» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_,*» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_,*,?» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_,+» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_,+,?» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque «stx_<|>_» : TrailingParserDescr
@[stx_parser 1000, extern ""] opaque stx_? : TrailingParserDescr
@[prec_parser 1000, extern ""] opaque Lean.Parser.Syntax.addPrec : TrailingParserDescr
@[prec_parser 1000, extern ""] opaque Lean.Parser.Syntax.subPrec : TrailingParserDescr
@[prio_parser 1000, extern ""] opaque Lean.Parser.Syntax.addPrio : TrailingParserDescr
@[prio_parser 1000, extern ""] opaque Lean.Parser.Syntax.subPrio : TrailingParserDescr
@[extern ""] opaque Lean.Parser.Tactic.caseArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.withImplicit : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.inductionAltLHS : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.impossible : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.inductionAlt : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.inductionAlts : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.elimTarget : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rwRule : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rwRuleSeq : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationWildcard : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationHyp : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationType : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.location : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.posConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.negConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.valConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.config : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.configItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.optConfig : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.discharger : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpPre : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpPost : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpErase : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpStar : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpLemma : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpArgs : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.dsimpArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.dsimpArgs : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpaArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpaUsingBangArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpTraceArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.dsimpTraceArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpAllTraceArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.generalizeArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.clearValueStar : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.clearValueHyp : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.clearValueArg : ParserDescr
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
declare_syntax_cat conv (behavior := both)
@[extern ""] opaque Lean.Parser.Tactic.rcasesPatMed : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rcasesPatLo : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.clear : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.explicit : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.ignore : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.one : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.paren : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.tuple : ParserDescr
@[rintroPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintroPat.one : ParserDescr
@[rintroPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintroPat.binder : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.SolveByElim.star : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.SolveByElim.erase : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.SolveByElim.arg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.SolveByElim.args : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.SolveByElim.using_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«intro» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.intros : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«exact» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.apply : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.refine : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.refine' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.constructor : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.constructorBang : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.assumption : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.contradiction : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.falseOrByContra : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.left : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.right : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.cases : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.induction : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.funInduction : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.funCases : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.injection : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.injections : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«case» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.case' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rename : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.renameI : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.revert : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.clear : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.clearValue : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.subst : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.substEqs : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.substVars : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rewriteSeq : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwSeq : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwa : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwaAt : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwaAtLegacyLocation : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticErw___ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.unfold : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.delta : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.change : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«show» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.exact? : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.apply? : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rewrites? : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.showTerm : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.specialize : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.generalize : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.extractLets : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.liftLets : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.letToHave : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.split : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simp : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpAll : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.dsimp : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpa : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSimpa!_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSimpa?_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpTrace : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpAllTrace : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.dsimpTrace : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpAutoUnfold : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpAllAutoUnfold : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.dsimpAutoUnfold : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.decide : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.first : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.allGoals : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.anyGoals : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.focus : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.skip : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.done : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.fail : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.failIfSuccess : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.traceState : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.traceMessage : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.paren : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.exposeNames : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.classical : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.symm : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.congr : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.applyRfl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.eqRefl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.acRfl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rotateLeft : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rotateRight : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.obtain : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcases : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintro : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.repeat' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.repeat1' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.letrec : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.replace : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.withReducible : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.withReducibleAndInstances : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.withUnfoldingAll : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.withUnfoldingNone : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.omega : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.solveByElim : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.applyAssumption : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacIfThenElse : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacDepIfThenElse : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRfl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRfl' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticExfalso : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticExists_,,» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticHave__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticHave' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticHaveI__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticLet__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticLet'__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticLetI__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSuffices_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRefine_lift_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRefine_lift'_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSorry : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticAdmit : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticStop_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticTry_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRepeat_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticTrivial : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticInfer_instance : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticNext_=>_» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticNofun : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticNomatch_,,» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticUnhygienic_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticAnd_intros : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticIterate____ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.normCast0 : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.pushCast : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticNorm_cast__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticExact_mod_cast_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticApply_mod_cast_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRw_mod_cast___ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticAssumption_mod_cast_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tactic_<;>_» : TrailingParserDescr
@[extern ""] opaque Lean.cdotTk : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.cdot : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.solveTactic : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Elab.Tactic.Ext.ext : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Elab.Tactic.Ext.applyExtTheorem : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Elab.Tactic.Ext.tacticExt1___ : ParserDescr
@[tactic_parser 1000, extern ""] opaque «tacticBy_cases_:_» : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticFunext___ : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticSimp_wf : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticClean_wf : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticDecreasing_trivial : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticDecreasing_trivial_pre_omega : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticDecreasing_with_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticDecreasing_tactic : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticGet_elem_tactic_extensible : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticGet_elem_tactic_trivial : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticGet_elem_tactic : ParserDescr
@[tactic_parser 1000, extern ""] opaque List.tacticSizeOf_list_dec : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.convSeq1Indented : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.convSeqBracketed : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.convSeq : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.argArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.enterPattern : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.enterArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.occsWildcard : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.occsIndexed : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.Conv.occs : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.conv : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.allGoals : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.anyGoals : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.arg : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.«case» : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.case' : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.change : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.clear : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.congr : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convApply_ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convArgs : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convConvSeq : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convDone : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convErw__ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convIntro___ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convLeft : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.«convNext__=>_» : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convRepeat_ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convRfl : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convRight : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convRw__ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convTactic : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convTrace_state : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.convTry_ : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.«conv·_» : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.delta : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.dsimp : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.dsimpTrace : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.enter : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.ext : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.extractLets : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.failIfSuccess : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.first : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.focus : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.«fun» : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.letToHave : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.lhs : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.liftLets : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.nestedConv : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.nestedTactic : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.nestedTacticCore : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.normCast : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.paren : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.pattern : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.reduce : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.rewrite : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.rhs : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.simp : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.simpMatch : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.simpTrace : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.skip : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.unfold : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.whnf : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.zeta : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.Parser.Tactic.Conv.«conv_<;>_» : TrailingParserDescr
@[attr_parser 1000, extern ""] opaque Lean.Parser.Attr.simp : ParserDescr
@[attr_parser 1000, extern ""] opaque Lean.Parser.Attr.ext : ParserDescr
@[attr_parser 1000, extern ""] opaque Lean.Parser.Attr.wf_preprocess : ParserDescr
@[attr_parser 1000, extern ""] opaque Lean.Parser.Attr.norm_cast : ParserDescr
@[attr_parser 1000, extern ""] opaque Lean.Parser.Attr.method_specs_simp : ParserDescr
@[command_parser 1000, extern ""] opaque Lean.Parser.commandSeal__ : ParserDescr
@[command_parser 1000, extern ""] opaque Lean.Parser.commandUnseal__ : ParserDescr
@[command_parser 1000, extern ""] opaque Lean.Parser.Command.classAbbrev : ParserDescr
@[extern ""] opaque Lean.binderIdent : ParserDescr
@[extern ""] opaque Lean.unbracketedExplicitBinders : ParserDescr
@[extern ""] opaque Lean.bracketedExplicitBinders : ParserDescr
@[extern ""] opaque Lean.explicitBinders : ParserDescr
@[extern ""] opaque Lean.calcFirstStep : ParserDescr
@[extern ""] opaque Lean.calcStep : ParserDescr
@[extern ""] opaque Lean.calcSteps : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.calc : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.calcTactic : ParserDescr
@[conv_parser 1000, extern ""] opaque Lean.convCalc_ : ParserDescr
declare_syntax_cat binderPred
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred∈_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred∉_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred≠_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred≤_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred≥_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred<_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred>_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred⊂_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred⊃_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred⊆_» : ParserDescr
@[binderPred_parser 1000, extern ""] opaque Lean.«binderPred⊇_» : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.«termSatisfies_binder_pred%__» : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.«term∀__,_» : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.«term∃__,_» : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.«term_Matches_|» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_+_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_-_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_*_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_/_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_%_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_^_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_|||_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_^^^_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_&&&_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<<<_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>>>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∣_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⁻¹» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_•_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≍_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∧_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∨_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_↔_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<->_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≠_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≤_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≥_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∈_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∉_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊆_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊇_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊂_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊃_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∪_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∩_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_\_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≈_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_::_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_++_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_==_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_!=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_&&_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_||_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_×_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_×'_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊕_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_⊕'_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_$__» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<|_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_|>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∘_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>>=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<$>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<*>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<*_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_*>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<|>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_=<<_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>=>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<&>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term__[_]» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term__[_]_?» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term__[_]_!» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term__[_]'_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque rawNatLit : ParserDescr
@[term_parser 1000, extern ""] opaque coeNotation : ParserDescr
@[term_parser 1000, extern ""] opaque coeFunNotation : ParserDescr
@[term_parser 1000, extern ""] opaque coeSortNotation : ParserDescr
@[term_parser 1000, extern ""] opaque «term_×__1» : ParserDescr
@[term_parser 1000, extern ""] opaque «term_×'__1» : ParserDescr
@[term_parser 1000, extern ""] opaque «term¬_» : ParserDescr
@[term_parser 1000, extern ""] opaque term!_ : ParserDescr
@[term_parser 1000, extern ""] opaque «term-_» : ParserDescr
@[term_parser 1000, extern ""] opaque «term~~~_» : ParserDescr
@[term_parser 1000, extern ""] opaque «term∃_,_» : ParserDescr
@[term_parser 1000, extern ""] opaque «termExists_,_» : ParserDescr
@[term_parser 1000, extern ""] opaque «termΣ_,_» : ParserDescr
@[term_parser 1000, extern ""] opaque «termΣ'_,_» : ParserDescr
@[term_parser 1000, extern ""] opaque «term[_]» : ParserDescr
@[term_parser 1000, extern ""] opaque «term%[_|_]» : ParserDescr
@[term_parser 1000, extern ""] opaque «term{_:_//_}» : ParserDescr
@[term_parser 1000, extern ""] opaque «term{_}» : ParserDescr
@[term_parser 1000, extern ""] opaque «term{}» : ParserDescr
@[term_parser 1000, extern ""] opaque «term∅» : ParserDescr
@[term_parser 1000, extern ""] opaque «term‹_›» : ParserDescr
@[term_parser 1000, extern ""] opaque termIfThenElse : ParserDescr
@[term_parser 1000, extern ""] opaque termDepIfThenElse : ParserDescr
@[term_parser 1000, extern ""] opaque boolIfThenElse : ParserDescr
@[term_parser 1000, extern ""] opaque termIfLet : ParserDescr
@[term_parser 1000, extern ""] opaque termMax_prec : ParserDescr
@[term_parser 1000, extern ""] opaque termWithout_expected_type_ : ParserDescr
namespace Int
@[scoped term_parser 1000, extern ""] opaque «term-[_+1]» : ParserDescr
end Int
@[term_parser 1000, extern ""] opaque Bool.«term_^^_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque List.«term_<:+_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque List.«term_<+:_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque List.«term_<:+:_» : TrailingParserDescr
namespace List
@[scoped term_parser 1000, extern ""] opaque «term_<+_» : TrailingParserDescr
end List
namespace List
@[scoped term_parser 1000, extern ""] opaque «term_~_» : TrailingParserDescr
end List
@[macro precArg, extern ""] opaque _aux_Init_Notation___macroRules_precArg_1 : Macro
@[macro precLead, extern ""] opaque _aux_Init_Notation___macroRules_precLead_1 : Macro
@[macro precMax, extern ""] opaque _aux_Init_Notation___macroRules_precMax_1 : Macro
@[macro precMin, extern ""] opaque _aux_Init_Notation___macroRules_precMin_1 : Macro
@[macro precMin1, extern ""] opaque _aux_Init_Notation___macroRules_precMin1_1 : Macro
@[macro «prec(_)», extern ""] opaque «_aux_Init_Notation___macroRules_prec(_)_1» : Macro
@[macro prioDefault, extern ""] opaque _aux_Init_Notation___macroRules_prioDefault_1 : Macro
@[macro prioHigh, extern ""] opaque _aux_Init_Notation___macroRules_prioHigh_1 : Macro
@[macro prioLow, extern ""] opaque _aux_Init_Notation___macroRules_prioLow_1 : Macro
@[macro prioMid, extern ""] opaque _aux_Init_Notation___macroRules_prioMid_1 : Macro
@[macro «prio(_)», extern ""] opaque «_aux_Init_Notation___macroRules_prio(_)_1» : Macro
@[macro «stx_*», extern ""] opaque «_aux_Init_Notation___macroRules_stx_*_1» : Macro
@[macro «stx_+», extern ""] opaque «_aux_Init_Notation___macroRules_stx_+_1» : Macro
@[macro «stx_,*», extern ""] opaque «_aux_Init_Notation___macroRules_stx_,*_1» : Macro
@[macro «stx_,*,?», extern ""] opaque «_aux_Init_Notation___macroRules_stx_,*,?_1» : Macro
@[macro «stx_,+», extern ""] opaque «_aux_Init_Notation___macroRules_stx_,+_1» : Macro
@[macro «stx_,+,?», extern ""] opaque «_aux_Init_Notation___macroRules_stx_,+,?_1» : Macro
@[macro «stx_<|>_», extern ""] opaque «_aux_Init_Notation___macroRules_stx_<|>__1» : Macro
@[macro stx_?, extern ""] opaque _aux_Init_Notation___macroRules_stx_?_1 : Macro
@[macro stx!_, extern ""] opaque _aux_Init_Notation___macroRules_stx!__1 : Macro
@[macro termMax_prec, extern ""] opaque _aux_Init_Notation___macroRules_termMax_prec_1 : Macro
@[macro termWithout_expected_type_, extern ""] opaque _aux_Init_Notation___macroRules_termWithout_expected_type__1 : Macro
@[macro termDepIfThenElse, extern ""] opaque _aux_Init_Notation___macroRules_termDepIfThenElse_1 : Macro
@[macro termIfThenElse, extern ""] opaque _aux_Init_Notation___macroRules_termIfThenElse_1 : Macro
@[macro termIfLet, extern ""] opaque _aux_Init_Notation___macroRules_termIfLet_1 : Macro
@[macro boolIfThenElse, extern ""] opaque _aux_Init_Notation___macroRules_boolIfThenElse_1 : Macro
@[macro «term_+_», extern ""] opaque «_aux_Init_Notation___macroRules_term_+__1» : Macro
@[macro «term_+_», extern ""] opaque «_aux_Init_Notation___macroRules_term_+__2» : Macro
@[macro «term_-_», extern ""] opaque «_aux_Init_Notation___macroRules_term_-__1» : Macro
@[macro «term_-_», extern ""] opaque «_aux_Init_Notation___macroRules_term_-__2» : Macro
@[macro «term_*_», extern ""] opaque «_aux_Init_Notation___macroRules_term_*__1» : Macro
@[macro «term_*_», extern ""] opaque «_aux_Init_Notation___macroRules_term_*__2» : Macro
@[macro «term_/_», extern ""] opaque «_aux_Init_Notation___macroRules_term_/__1» : Macro
@[macro «term_/_», extern ""] opaque «_aux_Init_Notation___macroRules_term_/__2» : Macro
@[macro «term_%_», extern ""] opaque «_aux_Init_Notation___macroRules_term_%__1» : Macro
@[macro «term_%_», extern ""] opaque «_aux_Init_Notation___macroRules_term_%__2» : Macro
@[macro «term_^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^__1» : Macro
@[macro «term_^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^__2» : Macro
@[macro «term_|||_», extern ""] opaque «_aux_Init_Notation___macroRules_term_|||__1» : Macro
@[macro «term_|||_», extern ""] opaque «_aux_Init_Notation___macroRules_term_|||__2» : Macro
@[macro «term_^^^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^^^__1» : Macro
@[macro «term_^^^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^^^__2» : Macro
@[macro «term_&&&_», extern ""] opaque «_aux_Init_Notation___macroRules_term_&&&__1» : Macro
@[macro «term_&&&_», extern ""] opaque «_aux_Init_Notation___macroRules_term_&&&__2» : Macro
@[macro «term_<<<_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<<<__1» : Macro
@[macro «term_>>>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>>>__1» : Macro
@[macro «term_∣_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∣__1» : Macro
@[macro «term_⁻¹», extern ""] opaque «_aux_Init_Notation___macroRules_term_⁻¹_1» : Macro
@[macro «term_•_», extern ""] opaque «_aux_Init_Notation___macroRules_term_•__1» : Macro
@[macro «term_•_», extern ""] opaque «_aux_Init_Notation___macroRules_term_•__2» : Macro
@[macro «term_=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_=__1» : Macro
@[macro «term_=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_=__2» : Macro
@[macro «term_≍_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≍__1» : Macro
@[macro «term_∧_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∧__1» : Macro
@[macro «term_∨_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∨__1» : Macro
@[macro «term_≤_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≤__1» : Macro
@[macro «term_≤_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≤__2» : Macro
@[macro «term_≥_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≥__1» : Macro
@[macro «term_≥_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≥__2» : Macro
@[macro «term_<_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<__1» : Macro
@[macro «term_<_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<__2» : Macro
@[macro «term_>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>__1» : Macro
@[macro «term_>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>__2» : Macro
@[macro «term_<=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<=__1» : Macro
@[macro «term_<=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<=__2» : Macro
@[macro «term_>=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>=__1» : Macro
@[macro «term_>=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>=__2» : Macro
@[macro «term_∈_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∈__1» : Macro
@[macro «term_∉_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∉__1» : Macro
@[macro «term_::_», extern ""] opaque «_aux_Init_Notation___macroRules_term_::__1» : Macro
@[macro «term_++_», extern ""] opaque «_aux_Init_Notation___macroRules_term_++__1» : Macro
@[macro «term_++_», extern ""] opaque «_aux_Init_Notation___macroRules_term_++__2» : Macro
@[macro «term_==_», extern ""] opaque «_aux_Init_Notation___macroRules_term_==__1» : Macro
@[macro «term_==_», extern ""] opaque «_aux_Init_Notation___macroRules_term_==__2» : Macro
@[macro «term_&&_», extern ""] opaque «_aux_Init_Notation___macroRules_term_&&__1» : Macro
@[macro «term_||_», extern ""] opaque «_aux_Init_Notation___macroRules_term_||__1» : Macro
@[macro «term_×_», extern ""] opaque «_aux_Init_Notation___macroRules_term_×__1» : Macro
@[macro «term_×'_», extern ""] opaque «_aux_Init_Notation___macroRules_term_×'__1» : Macro
@[macro «term_$__», extern ""] opaque «_aux_Init_Notation___macroRules_term_$___1» : Macro
@[macro «term_<|_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<|__1» : Macro
@[macro «term_|>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_|>__1» : Macro
@[macro «term_∘_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∘__1» : Macro
@[macro «term_>>=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>>=__1» : Macro
@[macro «term_<$>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<$>__1» : Macro
@[macro «term_<*>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<*>__1» : Macro
@[macro «term_<*_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<*__1» : Macro
@[macro «term_*>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_*>__1» : Macro
@[macro «term_<|>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<|>__1» : Macro
@[macro «term_>>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>>__1» : Macro
@[macro «term¬_», extern ""] opaque «_aux_Init_Notation___macroRules_term¬__1» : Macro
@[macro term!_, extern ""] opaque _aux_Init_Notation___macroRules_term!__1 : Macro
@[macro «term-_», extern ""] opaque «_aux_Init_Notation___macroRules_term-__1» : Macro
@[macro «term-_», extern ""] opaque «_aux_Init_Notation___macroRules_term-__2» : Macro
@[macro «term~~~_», extern ""] opaque «_aux_Init_Notation___macroRules_term~~~__1» : Macro
@[macro «term{_:_//_}», extern ""] opaque «_aux_Init_Notation___macroRules_term{_:_//_}_1» : Macro
@[macro «term_↔_», extern ""] opaque «_aux_Init_Core___macroRules_term_↔__1» : Macro
@[macro «term_<->_», extern ""] opaque «_aux_Init_Core___macroRules_term_<->__1» : Macro
@[macro «term_≠_», extern ""] opaque «_aux_Init_Core___macroRules_term_≠__1» : Macro
@[macro «term_≠_», extern ""] opaque «_aux_Init_Core___macroRules_term_≠__2» : Macro
@[macro «term_!=_», extern ""] opaque «_aux_Init_Core___macroRules_term_!=__1» : Macro
@[macro «term_!=_», extern ""] opaque «_aux_Init_Core___macroRules_term_!=__2» : Macro
@[macro «term_≈_», extern ""] opaque «_aux_Init_Core___macroRules_term_≈__1» : Macro
@[macro «term_⊕_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊕__1» : Macro
@[macro «term_⊕'_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊕'__1» : Macro
@[macro «term_⊆_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊆__1» : Macro
@[macro «term_⊇_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊇__1» : Macro
@[macro «term_⊂_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊂__1» : Macro
@[macro «term_⊃_», extern ""] opaque «_aux_Init_Core___macroRules_term_⊃__1» : Macro
@[macro «term_∪_», extern ""] opaque «_aux_Init_Core___macroRules_term_∪__1» : Macro
@[macro «term_∩_», extern ""] opaque «_aux_Init_Core___macroRules_term_∩__1» : Macro
@[macro «term_\_», extern ""] opaque «_aux_Init_Core___macroRules_term_\__1» : Macro
@[macro «term{}», extern ""] opaque «_aux_Init_Core___macroRules_term{}_1» : Macro
@[macro «term∅», extern ""] opaque «_aux_Init_Core___macroRules_term∅_1» : Macro
@[macro «term_=<<_», extern ""] opaque «_aux_Init_Control_Basic___macroRules_term_=<<__1» : Macro
@[macro «term_>=>_», extern ""] opaque «_aux_Init_Control_Basic___macroRules_term_>=>__1» : Macro
@[macro «term_<&>_», extern ""] opaque «_aux_Init_Control_Basic___macroRules_term_<&>__1» : Macro
@[macro «term__[_]», extern ""] opaque «_aux_Init_GetElem___macroRules_term__[_]_1» : Macro
@[macro «term__[_]_?», extern ""] opaque «_aux_Init_GetElem___macroRules_term__[_]_?_1» : Macro
@[macro «term__[_]_!», extern ""] opaque «_aux_Init_GetElem___macroRules_term__[_]_!_1» : Macro
@[macro «term__[_]'_», extern ""] opaque «_aux_Init_GetElem___macroRules_term__[_]'__1» : Macro
@[macro «term‹_›», extern ""] opaque «_aux_Init_Tactics___macroRules_term‹_›_1» : Macro
@[macro tacticGet_elem_tactic_extensible, extern ""] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_1 : Macro
@[macro tacticGet_elem_tactic_extensible, extern ""] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_2 : Macro
@[macro tacticGet_elem_tactic_extensible, extern ""] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_extensible_3 : Macro
@[macro tacticGet_elem_tactic, extern ""] opaque _aux_Init_Tactics___macroRules_tacticGet_elem_tactic_1 : Macro
@[macro «tacticBy_cases_:_», extern ""] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1» : Macro
@[macro «tacticBy_cases_:_», extern ""] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2» : Macro
@[macro tacticFunext___, extern ""] opaque _aux_Init_NotationExtra___macroRules_tacticFunext____1 : Macro
@[macro «term_×__1», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term_×__1_1» : Macro
@[macro «term_×'__1», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term_×'__1_1» : Macro
@[macro «term∃_,_», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Macro
@[macro «termExists_,_», extern ""] opaque «_aux_Init_NotationExtra___macroRules_termExists_,__1» : Macro
@[macro «termΣ_,_», extern ""] opaque «_aux_Init_NotationExtra___macroRules_termΣ_,__1» : Macro
@[macro «termΣ'_,_», extern ""] opaque «_aux_Init_NotationExtra___macroRules_termΣ'_,__1» : Macro
@[macro «term%[_|_]», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term%[_|_]_1» : Macro
@[macro «term{_}», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term{_}_1» : Macro
@[macro «term[_]», extern ""] opaque Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Macro
@[macro tacticSimp_wf, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticSimp_wf_1 : Macro
@[macro tacticClean_wf, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticClean_wf_1 : Macro
@[macro tacticDecreasing_trivial, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_1 : Macro
@[macro tacticDecreasing_trivial, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_2 : Macro
@[macro tacticDecreasing_trivial, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_3 : Macro
@[macro tacticDecreasing_trivial_pre_omega, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_1 : Macro
@[macro tacticDecreasing_trivial_pre_omega, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_2 : Macro
@[macro tacticDecreasing_trivial_pre_omega, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_3 : Macro
@[macro tacticDecreasing_with_, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_with__1 : Macro
@[macro tacticDecreasing_tactic, extern ""] opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_tactic_1 : Macro
@[macro tacticDecreasing_trivial, extern ""] opaque List._aux_Init_Data_List_BasicAux___macroRules_tacticDecreasing_trivial_1 : Macro
@[macro List.tacticSizeOf_list_dec, extern ""] opaque List._aux_Init_Data_List_BasicAux___macroRules_List_tacticSizeOf_list_dec_1 : Macro
@[macro List.«term_<+_», extern ""] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<+__1» : Macro
@[macro List.«term_<:+_», extern ""] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<:+__1» : Macro
@[macro List.«term_<+:_», extern ""] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<+:__1» : Macro
@[macro List.«term_<:+:_», extern ""] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_<:+:__1» : Macro
@[macro List.«term_~_», extern ""] opaque List.«_aux_Init_Data_List_Basic___macroRules_List_term_~__1» : Macro
@[macro Bool.«term_^^_», extern ""] opaque Bool.«_aux_Init_Data_Bool___macroRules_Bool_term_^^__1» : Macro
@[macro Int.«term-[_+1]», extern ""] opaque Int.«_aux_Init_Data_Int_Basic___macroRules_Int_term-[_+1]_1» : Macro
@[macro Lean.Parser.Syntax.addPrec, extern ""] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrec_1 : Macro
@[macro Lean.Parser.Syntax.subPrec, extern ""] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrec_1 : Macro
@[macro Lean.Parser.Syntax.addPrio, extern ""] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrio_1 : Macro
@[macro Lean.Parser.Syntax.subPrio, extern ""] opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrio_1 : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___1» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___2» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___3» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___4» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___5» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___6» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___7» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___8» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___9» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___10» : Macro
@[macro Lean.«termSatisfies_binder_pred%__», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___11» : Macro
@[macro Lean.«term∀__,_», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∀__,__1» : Macro
@[macro Lean.«term∃__,_», extern ""] opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∃__,__1» : Macro
@[macro Lean.«term_Matches_|», extern ""] opaque Lean.«_aux_Init_NotationExtra___macroRules_Lean_term_Matches_|_1» : Macro
@[macro Lean.solveTactic, extern ""] opaque Lean._aux_Init_NotationExtra___macroRules_Lean_solveTactic_1 : Macro
@[macro Lean.convCalc_, extern ""] opaque Lean._aux_Init_NotationExtra___macroRules_Lean_convCalc__1 : Macro
@[macro Lean.Parser.commandSeal__, extern ""] opaque Lean.Parser._aux_Init_Notation___macroRules_Lean_Parser_commandSeal___1 : Macro
@[macro Lean.Parser.commandUnseal__, extern ""] opaque Lean.Parser._aux_Init_Notation___macroRules_Lean_Parser_commandUnseal___1 : Macro
@[macro Lean.Parser.Command.classAbbrev, extern ""] opaque _aux_Init_NotationExtra___macroRules_Lean_Parser_Command_classAbbrev_1 : Macro
@[macro Lean.Elab.Tactic.Ext.tacticExt1___, extern ""] opaque Lean.Elab.Tactic.Ext._aux_Init_Ext___macroRules_Lean_Elab_Tactic_Ext_tacticExt1____1 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque _aux_Init_Core___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Macro
@[macro Lean.Parser.Tactic.letrec, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_letrec_1 : Macro
@[macro Lean.Parser.Tactic.rwSeq, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1 : Macro
@[macro Lean.Parser.Tactic.rwaAtLegacyLocation, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwaAtLegacyLocation_1 : Macro
@[macro Lean.Parser.Tactic.tacticAdmit, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAdmit_1 : Macro
@[macro Lean.Parser.Tactic.tacticAnd_intros, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1 : Macro
@[macro Lean.Parser.Tactic.tacticAssumption_mod_cast_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAssumption_mod_cast__1 : Macro
@[macro Lean.Parser.Tactic.tacticExfalso, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1 : Macro
@[macro Lean.Parser.Tactic.«tacticExists_,,», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Macro
@[macro Lean.Parser.Tactic.tacticHave__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1 : Macro
@[macro Lean.Parser.Tactic.tacticHave', extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave'_1 : Macro
@[macro Lean.Parser.Tactic.tacticHaveI__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHaveI___1 : Macro
@[macro Lean.Parser.Tactic.tacticInfer_instance, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1 : Macro
@[macro Lean.Parser.Tactic.tacticLet__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1 : Macro
@[macro Lean.Parser.Tactic.tacticLet'__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet'___1 : Macro
@[macro Lean.Parser.Tactic.tacticLetI__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLetI___1 : Macro
@[macro Lean.Parser.Tactic.«tacticNext_=>_», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Macro
@[macro Lean.Parser.Tactic.tacticNofun, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1 : Macro
@[macro Lean.Parser.Tactic.«tacticNomatch_,,», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Macro
@[macro Lean.Parser.Tactic.tacticNorm_cast__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNorm_cast___1 : Macro
@[macro Lean.Parser.Tactic.tacticRefine_lift_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1 : Macro
@[macro Lean.Parser.Tactic.tacticRefine_lift'_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift'__1 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3 : Macro
@[macro Lean.Parser.Tactic.tacticRfl', extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl'_1 : Macro
@[macro Lean.Parser.Tactic.tacticSimpa!_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa!__1 : Macro
@[macro Lean.Parser.Tactic.tacticSimpa?_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?__1 : Macro
@[macro Lean.Parser.Tactic.tacticSorry, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1 : Macro
@[macro Lean.Parser.Tactic.tacticStop_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticStop__1 : Macro
@[macro Lean.Parser.Tactic.tacticSuffices_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5 : Macro
@[macro Lean.Parser.Tactic.tacticTrivial, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_6 : Macro
@[macro Lean.Parser.Tactic.tacticTry_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1 : Macro
@[macro Lean.Parser.Tactic.tacticUnhygienic_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticUnhygienic__1 : Macro
@[macro Lean.Parser.Tactic.«tactic_<;>_», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Macro
@[macro Lean.Parser.Tactic.tacIfThenElse, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacIfThenElse_1 : Macro
@[macro Lean.Parser.Tactic.tacDepIfThenElse, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacDepIfThenElse_1 : Macro
@[macro Lean.Parser.Tactic.tacticIterate____, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticIterate_____1 : Macro
@[macro Lean.Parser.Tactic.tacticApply_mod_cast_, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticApply_mod_cast__1 : Macro
@[macro Lean.Parser.Tactic.tacticExact_mod_cast_, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticExact_mod_cast__1 : Macro
@[macro Lean.Parser.Tactic.tacticRw_mod_cast___, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticRw_mod_cast____1 : Macro
@[macro Lean.Parser.Tactic.constructorBang, extern ""] opaque Lean.Parser.Tactic._aux_Init_Meta___macroRules_Lean_Parser_Tactic_constructorBang_1 : Macro
@[macro Lean.Parser.Tactic.tacticErw___, extern ""] opaque Lean.Parser.Tactic._aux_Init_Meta___macroRules_Lean_Parser_Tactic_tacticErw____1 : Macro
@[macro Lean.Parser.Tactic.Conv.allGoals, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_allGoals_1 : Macro
@[macro Lean.Parser.Tactic.Conv.anyGoals, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_anyGoals_1 : Macro
@[macro Lean.Parser.Tactic.Conv.«case», extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case_1 : Macro
@[macro Lean.Parser.Tactic.Conv.case', extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case'_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convApply_, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convApply__1 : Macro
@[macro Lean.Parser.Tactic.Conv.convArgs, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convArgs_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convDone, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convDone_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convErw__, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convErw___1 : Macro
@[macro Lean.Parser.Tactic.Conv.convIntro___, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convIntro____1 : Macro
@[macro Lean.Parser.Tactic.Conv.convLeft, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convLeft_1 : Macro
@[macro Lean.Parser.Tactic.Conv.«convNext__=>_», extern ""] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convNext__=>__1» : Macro
@[macro Lean.Parser.Tactic.Conv.convRepeat_, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRepeat__1 : Macro
@[macro Lean.Parser.Tactic.Conv.convRfl, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRfl_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convRight, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRight_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convRw__, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRw___1 : Macro
@[macro Lean.Parser.Tactic.Conv.convTrace_state, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTrace_state_1 : Macro
@[macro Lean.Parser.Tactic.Conv.convTry_, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTry__1 : Macro
@[macro Lean.Parser.Tactic.Conv.«conv_<;>_», extern ""] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv_<;>__1» : Macro
@[macro Lean.Parser.Tactic.Conv.«conv·_», extern ""] opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv·__1» : Macro
@[macro Lean.Parser.Tactic.Conv.failIfSuccess, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_failIfSuccess_1 : Macro
@[macro Lean.Parser.Tactic.Conv.focus, extern ""] opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_focus_1 : Macro
@[app_unexpander And, extern ""] opaque _aux_Init_Notation___unexpand_And_1 : PrettyPrinter.Unexpander
@[app_unexpander Or, extern ""] opaque _aux_Init_Notation___unexpand_Or_1 : PrettyPrinter.Unexpander
@[app_unexpander Not, extern ""] opaque _aux_Init_Notation___unexpand_Not_1 : PrettyPrinter.Unexpander
@[app_unexpander Eq, extern ""] opaque _aux_Init_Notation___unexpand_Eq_1 : PrettyPrinter.Unexpander
@[app_unexpander HEq, extern ""] opaque _aux_Init_Notation___unexpand_HEq_1 : PrettyPrinter.Unexpander
@[app_unexpander LE.le, extern ""] opaque _aux_Init_Notation___unexpand_LE_le_1 : PrettyPrinter.Unexpander
@[app_unexpander LE.le, extern ""] opaque _aux_Init_Notation___unexpand_LE_le_2 : PrettyPrinter.Unexpander
@[app_unexpander LT.lt, extern ""] opaque _aux_Init_Notation___unexpand_LT_lt_1 : PrettyPrinter.Unexpander
@[app_unexpander GE.ge, extern ""] opaque _aux_Init_Notation___unexpand_GE_ge_1 : PrettyPrinter.Unexpander
@[app_unexpander GE.ge, extern ""] opaque _aux_Init_Notation___unexpand_GE_ge_2 : PrettyPrinter.Unexpander
@[app_unexpander GT.gt, extern ""] opaque _aux_Init_Notation___unexpand_GT_gt_1 : PrettyPrinter.Unexpander
@[app_unexpander HAdd.hAdd, extern ""] opaque _aux_Init_Notation___unexpand_HAdd_hAdd_1 : PrettyPrinter.Unexpander
@[app_unexpander HSub.hSub, extern ""] opaque _aux_Init_Notation___unexpand_HSub_hSub_1 : PrettyPrinter.Unexpander
@[app_unexpander HMul.hMul, extern ""] opaque _aux_Init_Notation___unexpand_HMul_hMul_1 : PrettyPrinter.Unexpander
@[app_unexpander HDiv.hDiv, extern ""] opaque _aux_Init_Notation___unexpand_HDiv_hDiv_1 : PrettyPrinter.Unexpander
@[app_unexpander HMod.hMod, extern ""] opaque _aux_Init_Notation___unexpand_HMod_hMod_1 : PrettyPrinter.Unexpander
@[app_unexpander HPow.hPow, extern ""] opaque _aux_Init_Notation___unexpand_HPow_hPow_1 : PrettyPrinter.Unexpander
@[app_unexpander HAppend.hAppend, extern ""] opaque _aux_Init_Notation___unexpand_HAppend_hAppend_1 : PrettyPrinter.Unexpander
@[app_unexpander HOr.hOr, extern ""] opaque _aux_Init_Notation___unexpand_HOr_hOr_1 : PrettyPrinter.Unexpander
@[app_unexpander HXor.hXor, extern ""] opaque _aux_Init_Notation___unexpand_HXor_hXor_1 : PrettyPrinter.Unexpander
@[app_unexpander HAnd.hAnd, extern ""] opaque _aux_Init_Notation___unexpand_HAnd_hAnd_1 : PrettyPrinter.Unexpander
@[app_unexpander HShiftLeft.hShiftLeft, extern ""] opaque _aux_Init_Notation___unexpand_HShiftLeft_hShiftLeft_1 : PrettyPrinter.Unexpander
@[app_unexpander HShiftRight.hShiftRight, extern ""] opaque _aux_Init_Notation___unexpand_HShiftRight_hShiftRight_1 : PrettyPrinter.Unexpander
@[app_unexpander HSMul.hSMul, extern ""] opaque _aux_Init_Notation___unexpand_HSMul_hSMul_1 : PrettyPrinter.Unexpander
@[app_unexpander Complement.complement, extern ""] opaque _aux_Init_Notation___unexpand_Complement_complement_1 : PrettyPrinter.Unexpander
@[app_unexpander Inv.inv, extern ""] opaque _aux_Init_Notation___unexpand_Inv_inv_1 : PrettyPrinter.Unexpander
@[app_unexpander Neg.neg, extern ""] opaque _aux_Init_Notation___unexpand_Neg_neg_1 : PrettyPrinter.Unexpander
@[app_unexpander Dvd.dvd, extern ""] opaque _aux_Init_Notation___unexpand_Dvd_dvd_1 : PrettyPrinter.Unexpander
@[app_unexpander Membership.mem, extern ""] opaque _aux_Init_Notation___unexpand_Membership_mem_1 : PrettyPrinter.Unexpander
@[app_unexpander List.cons, extern ""] opaque _aux_Init_Notation___unexpand_List_cons_1 : PrettyPrinter.Unexpander
@[app_unexpander BEq.beq, extern ""] opaque _aux_Init_Notation___unexpand_BEq_beq_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.and, extern ""] opaque _aux_Init_Notation___unexpand_Bool_and_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.or, extern ""] opaque _aux_Init_Notation___unexpand_Bool_or_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.not, extern ""] opaque _aux_Init_Notation___unexpand_Bool_not_1 : PrettyPrinter.Unexpander
@[app_unexpander Prod, extern ""] opaque _aux_Init_Notation___unexpand_Prod_1 : PrettyPrinter.Unexpander
@[app_unexpander PProd, extern ""] opaque _aux_Init_Notation___unexpand_PProd_1 : PrettyPrinter.Unexpander
@[app_unexpander Function.comp, extern ""] opaque _aux_Init_Notation___unexpand_Function_comp_1 : PrettyPrinter.Unexpander
@[app_unexpander Bind.bind, extern ""] opaque _aux_Init_Notation___unexpand_Bind_bind_1 : PrettyPrinter.Unexpander
@[app_unexpander Functor.map, extern ""] opaque _aux_Init_Notation___unexpand_Functor_map_1 : PrettyPrinter.Unexpander
@[app_unexpander Iff, extern ""] opaque _aux_Init_Core___unexpand_Iff_1 : PrettyPrinter.Unexpander
@[app_unexpander Iff, extern ""] opaque _aux_Init_Core___unexpand_Iff_2 : PrettyPrinter.Unexpander
@[app_unexpander Ne, extern ""] opaque _aux_Init_Core___unexpand_Ne_1 : PrettyPrinter.Unexpander
@[app_unexpander bne, extern ""] opaque _aux_Init_Core___unexpand_bne_1 : PrettyPrinter.Unexpander
@[app_unexpander Sum, extern ""] opaque _aux_Init_Core___unexpand_Sum_1 : PrettyPrinter.Unexpander
@[app_unexpander PSum, extern ""] opaque _aux_Init_Core___unexpand_PSum_1 : PrettyPrinter.Unexpander
@[app_unexpander EmptyCollection.emptyCollection, extern ""] opaque _aux_Init_Core___unexpand_EmptyCollection_emptyCollection_1 : PrettyPrinter.Unexpander
@[app_unexpander EmptyCollection.emptyCollection, extern ""] opaque _aux_Init_Core___unexpand_EmptyCollection_emptyCollection_2 : PrettyPrinter.Unexpander
@[app_unexpander HasEquiv.Equiv, extern ""] opaque _aux_Init_Core___unexpand_HasEquiv_Equiv_1 : PrettyPrinter.Unexpander
@[app_unexpander HasSubset.Subset, extern ""] opaque _aux_Init_Core___unexpand_HasSubset_Subset_1 : PrettyPrinter.Unexpander
@[app_unexpander HasSSubset.SSubset, extern ""] opaque _aux_Init_Core___unexpand_HasSSubset_SSubset_1 : PrettyPrinter.Unexpander
@[app_unexpander Superset, extern ""] opaque _aux_Init_Core___unexpand_Superset_1 : PrettyPrinter.Unexpander
@[app_unexpander SSuperset, extern ""] opaque _aux_Init_Core___unexpand_SSuperset_1 : PrettyPrinter.Unexpander
@[app_unexpander Union.union, extern ""] opaque _aux_Init_Core___unexpand_Union_union_1 : PrettyPrinter.Unexpander
@[app_unexpander Inter.inter, extern ""] opaque _aux_Init_Core___unexpand_Inter_inter_1 : PrettyPrinter.Unexpander
@[app_unexpander SDiff.sdiff, extern ""] opaque _aux_Init_Core___unexpand_SDiff_sdiff_1 : PrettyPrinter.Unexpander
@[app_unexpander Int.negSucc, extern ""] opaque Int._aux_Init_Data_Int_Basic___unexpand_Int_negSucc_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.xor, extern ""] opaque Bool._aux_Init_Data_Bool___unexpand_Bool_xor_1 : PrettyPrinter.Unexpander
@[app_unexpander List.IsInfix, extern ""] opaque List._aux_Init_Data_List_Basic___unexpand_List_IsInfix_1 : PrettyPrinter.Unexpander
@[app_unexpander List.IsPrefix, extern ""] opaque List._aux_Init_Data_List_Basic___unexpand_List_IsPrefix_1 : PrettyPrinter.Unexpander
@[app_unexpander List.IsSuffix, extern ""] opaque List._aux_Init_Data_List_Basic___unexpand_List_IsSuffix_1 : PrettyPrinter.Unexpander
@[app_unexpander List.Perm, extern ""] opaque List._aux_Init_Data_List_Basic___unexpand_List_Perm_1 : PrettyPrinter.Unexpander
@[app_unexpander List.Sublist, extern ""] opaque List._aux_Init_Data_List_Basic___unexpand_List_Sublist_1 : PrettyPrinter.Unexpander
@[app_unexpander Exists, extern ""] opaque unexpandExists : PrettyPrinter.Unexpander
@[app_unexpander Sigma, extern ""] opaque unexpandSigma : PrettyPrinter.Unexpander
@[app_unexpander PSigma, extern ""] opaque unexpandPSigma : PrettyPrinter.Unexpander
@[app_unexpander Subtype, extern ""] opaque unexpandSubtype : PrettyPrinter.Unexpander
@[app_unexpander ite, extern ""] opaque unexpandIte : PrettyPrinter.Unexpander
@[app_unexpander PUnit.unit, extern ""] opaque unexpandUnit : PrettyPrinter.Unexpander
@[app_unexpander Eq.ndrec, extern ""] opaque unexpandEqNDRec : PrettyPrinter.Unexpander
@[app_unexpander Eq.rec, extern ""] opaque unexpandEqRec : PrettyPrinter.Unexpander
@[app_unexpander Prod.mk, extern ""] opaque unexpandProdMk : PrettyPrinter.Unexpander
@[app_unexpander List.nil, extern ""] opaque unexpandListNil : PrettyPrinter.Unexpander
@[app_unexpander List.cons, extern ""] opaque unexpandListCons : PrettyPrinter.Unexpander
@[app_unexpander GetElem.getElem, extern ""] opaque unexpandGetElem : PrettyPrinter.Unexpander
@[app_unexpander GetElem?.getElem?, extern ""] opaque unexpandGetElem? : PrettyPrinter.Unexpander
@[app_unexpander GetElem?.getElem!, extern ""] opaque unexpandGetElem! : PrettyPrinter.Unexpander
