prelude
import Init.Meta
set_option autoImplicit false
set_option linter.all false
universe u v w
open Lean
@[extern ""] opaque Lean.Parser.Tactic.inductionAlts : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.inductionAlt : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.inductionAltLHS : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.elimTarget : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rwRuleSeq : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rwRule : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.location : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationHyp : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationWildcard : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.locationType : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpLemma : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpErase : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpStar : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpPre : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpPost : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpArgs : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.optConfig : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.configItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.posConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.negConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.valConfigItem : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.config : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.discharger : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.caseArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.generalizeArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.matchAlts : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.matchRhs : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpaArgsRest : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.dsimpArgs : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.dsimpArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpArg : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rcasesPatLo : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.rcasesPatMed : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.tacticSeq : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.tacticSeq1Indented : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.tacticSeqBracketed : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.tacticSeqIndentGt : ParserDescr
@[extern ""] opaque Lean.Parser.Tactic.simpTraceArgsRest : ParserDescr
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.clear : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.explicit : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.ignore : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.one : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.paren : ParserDescr
@[rcasesPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcasesPat.tuple : ParserDescr
@[rintroPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintroPat.one : ParserDescr
@[rintroPat_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintroPat.binder : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«intro» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.intros : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.exact : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.apply : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.refine : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.refine' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.constructor : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.assumption : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.contradiction : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.left : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.right : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.cases : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.induction : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.injection : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.injections : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.case : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.case' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rename : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.renameI : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.revert : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.clear : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.subst : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.substEqs : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rewriteSeq : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwSeq : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.unfold : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.delta : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.change : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«show» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.exact? : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.specialize : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.generalize : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.split : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simp : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpAll : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.dsimp : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpa : ParserDescr
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
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.paren : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.exposeNames : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.symm : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.congr : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.applyRfl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.eqRefl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.obtain : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rcases : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rintro : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.repeat' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.repeat1' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.letrec : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.replace : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.withReducible : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.omega : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRfl : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRfl' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticExfalso : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticExists_,,» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticHave__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticHave' : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticLet__ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSuffices_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRefine_lift_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRefine_lift'_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticSorry : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticAdmit : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticTry_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticRepeat_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tactic_<;>_» : TrailingParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticTrivial : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticInfer_instance : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticNext_=>_» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticNofun : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.«tacticNomatch_,,» : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticUnhygienic_ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticAnd_intros : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.tacticIterate____ : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.rwa : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.Parser.Tactic.simpTrace : ParserDescr
@[extern ""] opaque Lean.cdotTk : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.cdot : ParserDescr
@[extern ""] opaque Lean.binderIdent : ParserDescr
@[extern ""] opaque Lean.unbracketedExplicitBinders : ParserDescr
@[extern ""] opaque Lean.bracketedExplicitBinders : ParserDescr
@[extern ""] opaque Lean.explicitBinders : ParserDescr
@[extern ""] opaque Lean.calcFirstStep : ParserDescr
@[extern ""] opaque Lean.calcStep : ParserDescr
@[extern ""] opaque Lean.calcSteps : ParserDescr
@[term_parser 1000, extern ""] opaque Lean.calc : ParserDescr
@[tactic_parser 1000, extern ""] opaque Lean.calcTactic : ParserDescr
@[term_parser 1000, extern ""] opaque «term_+_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_-_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_*_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_^_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∧_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_∨_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_↔_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term¬_» : ParserDescr
@[term_parser 1000, extern ""] opaque «term_≠_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≤_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_≥_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_>=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_::_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_++_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_==_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_!=_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_&&_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_||_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque term!_ : ParserDescr
@[term_parser 1000, extern ""] opaque «term∃_,_» : ParserDescr
@[term_parser 1000, extern ""] opaque «term_×_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_$__» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_<|_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term_|>_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term[_]» : ParserDescr
@[term_parser 1000, extern ""] opaque termIfThenElse : ParserDescr
@[term_parser 1000, extern ""] opaque termDepIfThenElse : ParserDescr
@[term_parser 1000, extern ""] opaque «term_∘_» : TrailingParserDescr
@[term_parser 1000, extern ""] opaque «term‹_›» : ParserDescr
@[term_parser 1000, extern ""] opaque «term_×__1» : TrailingParserDescr
@[tactic_parser 1000, extern ""] opaque «tacticBy_cases_:_» : ParserDescr
@[tactic_parser 1000, extern ""] opaque tacticFunext___ : ParserDescr
@[macro Lean.Parser.Tactic.tacticIterate____, extern ""] opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticIterate_____1 : Macro
@[macro Lean.Parser.Tactic.letrec, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_letrec_1 : Macro
@[macro Lean.Parser.Tactic.rwSeq, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1 : Macro
@[macro Lean.Parser.Tactic.tacticAdmit, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAdmit_1 : Macro
@[macro Lean.Parser.Tactic.tacticAnd_intros, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1 : Macro
@[macro Lean.Parser.Tactic.tacticExfalso, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1 : Macro
@[macro Lean.Parser.Tactic.«tacticExists_,,», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Macro
@[macro Lean.Parser.Tactic.tacticHave__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1 : Macro
@[macro Lean.Parser.Tactic.tacticHave', extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave'_1 : Macro
@[macro Lean.Parser.Tactic.tacticInfer_instance, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1 : Macro
@[macro Lean.Parser.Tactic.tacticLet__, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1 : Macro
@[macro Lean.Parser.Tactic.«tacticNext_=>_», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Macro
@[macro Lean.Parser.Tactic.tacticNofun, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1 : Macro
@[macro Lean.Parser.Tactic.«tacticNomatch_,,», extern ""] opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Macro
@[macro Lean.Parser.Tactic.tacticRefine_lift_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1 : Macro
@[macro Lean.Parser.Tactic.tacticRefine_lift'_, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift'__1 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2 : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3 : Macro
@[macro Lean.Parser.Tactic.tacticRfl', extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl'_1 : Macro
@[macro Lean.Parser.Tactic.tacticSorry, extern ""] opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1 : Macro
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
@[macro «term[_]», extern ""] opaque Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Macro
@[macro «tacticBy_cases_:_», extern ""] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1» : Macro
@[macro «tacticBy_cases_:_», extern ""] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2» : Macro
@[macro Lean.Parser.Tactic.tacticRfl, extern ""] opaque _aux_Init_Core___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Macro
@[macro «term_↔_», extern ""] opaque «_aux_Init_Core___macroRules_term_↔__1» : Macro
@[macro «term_≠_», extern ""] opaque «_aux_Init_Core___macroRules_term_≠__1» : Macro
@[macro «term_≠_», extern ""] opaque «_aux_Init_Core___macroRules_term_≠__2» : Macro
@[macro «term_!=_», extern ""] opaque «_aux_Init_Core___macroRules_term_!=__1» : Macro
@[macro «term_!=_», extern ""] opaque «_aux_Init_Core___macroRules_term_!=__2» : Macro
@[macro tacticFunext___, extern ""] opaque _aux_Init_NotationExtra___macroRules_tacticFunext____1 : Macro
@[macro «term_×__1», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term_×__1_1» : Macro
@[macro «term∃_,_», extern ""] opaque «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Macro
@[macro termDepIfThenElse, extern ""] opaque _aux_Init_Notation___macroRules_termDepIfThenElse_1 : Macro
@[macro termIfThenElse, extern ""] opaque _aux_Init_Notation___macroRules_termIfThenElse_1 : Macro
@[macro «term_∘_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∘__1» : Macro
@[macro «term_∧_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∧__1» : Macro
@[macro «term_∨_», extern ""] opaque «_aux_Init_Notation___macroRules_term_∨__1» : Macro
@[macro «term_≤_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≤__1» : Macro
@[macro «term_≤_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≤__2» : Macro
@[macro «term_≥_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≥__1» : Macro
@[macro «term_≥_», extern ""] opaque «_aux_Init_Notation___macroRules_term_≥__2» : Macro
@[macro «term_$__», extern ""] opaque «_aux_Init_Notation___macroRules_term_$___1» : Macro
@[macro «term_&&_», extern ""] opaque «_aux_Init_Notation___macroRules_term_&&__1» : Macro
@[macro «term_*_», extern ""] opaque «_aux_Init_Notation___macroRules_term_*__1» : Macro
@[macro «term_*_», extern ""] opaque «_aux_Init_Notation___macroRules_term_*__2» : Macro
@[macro «term_+_», extern ""] opaque «_aux_Init_Notation___macroRules_term_+__1» : Macro
@[macro «term_+_», extern ""] opaque «_aux_Init_Notation___macroRules_term_+__2» : Macro
@[macro «term_++_», extern ""] opaque «_aux_Init_Notation___macroRules_term_++__1» : Macro
@[macro «term_++_», extern ""] opaque «_aux_Init_Notation___macroRules_term_++__2» : Macro
@[macro «term_-_», extern ""] opaque «_aux_Init_Notation___macroRules_term_-__1» : Macro
@[macro «term_-_», extern ""] opaque «_aux_Init_Notation___macroRules_term_-__2» : Macro
@[macro «term_::_», extern ""] opaque «_aux_Init_Notation___macroRules_term_::__1» : Macro
@[macro «term_<_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<__1» : Macro
@[macro «term_<_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<__2» : Macro
@[macro «term_<=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<=__1» : Macro
@[macro «term_<=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<=__2» : Macro
@[macro «term_<|_», extern ""] opaque «_aux_Init_Notation___macroRules_term_<|__1» : Macro
@[macro «term_=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_=__1» : Macro
@[macro «term_=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_=__2» : Macro
@[macro «term_==_», extern ""] opaque «_aux_Init_Notation___macroRules_term_==__1» : Macro
@[macro «term_==_», extern ""] opaque «_aux_Init_Notation___macroRules_term_==__2» : Macro
@[macro «term_>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>__1» : Macro
@[macro «term_>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>__2» : Macro
@[macro «term_>=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>=__1» : Macro
@[macro «term_>=_», extern ""] opaque «_aux_Init_Notation___macroRules_term_>=__2» : Macro
@[macro «term_^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^__1» : Macro
@[macro «term_^_», extern ""] opaque «_aux_Init_Notation___macroRules_term_^__2» : Macro
@[macro «term_|>_», extern ""] opaque «_aux_Init_Notation___macroRules_term_|>__1» : Macro
@[macro «term_||_», extern ""] opaque «_aux_Init_Notation___macroRules_term_||__1» : Macro
@[macro «term_×_», extern ""] opaque «_aux_Init_Notation___macroRules_term_×__1» : Macro
@[macro term!_, extern ""] opaque _aux_Init_Notation___macroRules_term!__1 : Macro
@[macro «term¬_», extern ""] opaque «_aux_Init_Notation___macroRules_term¬__1» : Macro
@[macro «term‹_›», extern ""] opaque «_aux_Init_Tactics___macroRules_term‹_›_1» : Macro
@[app_unexpander Iff, extern ""] opaque _aux_Init_Core___unexpand_Iff_1 : PrettyPrinter.Unexpander
@[app_unexpander Iff, extern ""] opaque _aux_Init_Core___unexpand_Iff_2 : PrettyPrinter.Unexpander
@[app_unexpander Ne, extern ""] opaque _aux_Init_Core___unexpand_Ne_1 : PrettyPrinter.Unexpander
@[app_unexpander bne, extern ""] opaque _aux_Init_Core___unexpand_bne_1 : PrettyPrinter.Unexpander
@[app_unexpander And, extern ""] opaque _aux_Init_Notation___unexpand_And_1 : PrettyPrinter.Unexpander
@[app_unexpander BEq.beq, extern ""] opaque _aux_Init_Notation___unexpand_BEq_beq_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.and, extern ""] opaque _aux_Init_Notation___unexpand_Bool_and_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.not, extern ""] opaque _aux_Init_Notation___unexpand_Bool_not_1 : PrettyPrinter.Unexpander
@[app_unexpander Bool.or, extern ""] opaque _aux_Init_Notation___unexpand_Bool_or_1 : PrettyPrinter.Unexpander
@[app_unexpander Eq, extern ""] opaque _aux_Init_Notation___unexpand_Eq_1 : PrettyPrinter.Unexpander
@[app_unexpander Function.comp, extern ""] opaque _aux_Init_Notation___unexpand_Function_comp_1 : PrettyPrinter.Unexpander
@[app_unexpander GE.ge, extern ""] opaque _aux_Init_Notation___unexpand_GE_ge_1 : PrettyPrinter.Unexpander
@[app_unexpander GE.ge, extern ""] opaque _aux_Init_Notation___unexpand_GE_ge_2 : PrettyPrinter.Unexpander
@[app_unexpander GT.gt, extern ""] opaque _aux_Init_Notation___unexpand_GT_gt_1 : PrettyPrinter.Unexpander
@[app_unexpander HAdd.hAdd, extern ""] opaque _aux_Init_Notation___unexpand_HAdd_hAdd_1 : PrettyPrinter.Unexpander
@[app_unexpander HAppend.hAppend, extern ""] opaque _aux_Init_Notation___unexpand_HAppend_hAppend_1 : PrettyPrinter.Unexpander
@[app_unexpander HMul.hMul, extern ""] opaque _aux_Init_Notation___unexpand_HMul_hMul_1 : PrettyPrinter.Unexpander
@[app_unexpander HPow.hPow, extern ""] opaque _aux_Init_Notation___unexpand_HPow_hPow_1 : PrettyPrinter.Unexpander
@[app_unexpander HSub.hSub, extern ""] opaque _aux_Init_Notation___unexpand_HSub_hSub_1 : PrettyPrinter.Unexpander
@[app_unexpander LE.le, extern ""] opaque _aux_Init_Notation___unexpand_LE_le_1 : PrettyPrinter.Unexpander
@[app_unexpander LE.le, extern ""] opaque _aux_Init_Notation___unexpand_LE_le_2 : PrettyPrinter.Unexpander
@[app_unexpander LT.lt, extern ""] opaque _aux_Init_Notation___unexpand_LT_lt_1 : PrettyPrinter.Unexpander
@[app_unexpander List.cons, extern ""] opaque _aux_Init_Notation___unexpand_List_cons_1 : PrettyPrinter.Unexpander
@[app_unexpander Not, extern ""] opaque _aux_Init_Notation___unexpand_Not_1 : PrettyPrinter.Unexpander
@[app_unexpander Or, extern ""] opaque _aux_Init_Notation___unexpand_Or_1 : PrettyPrinter.Unexpander
@[app_unexpander Prod, extern ""] opaque _aux_Init_Notation___unexpand_Prod_1 : PrettyPrinter.Unexpander
@[app_unexpander Exists, extern ""] opaque unexpandExists : PrettyPrinter.Unexpander
@[app_unexpander ite, extern ""] opaque unexpandIte : PrettyPrinter.Unexpander
@[app_unexpander List.cons, extern ""] opaque unexpandListCons : PrettyPrinter.Unexpander
@[app_unexpander List.nil, extern ""] opaque unexpandListNil : PrettyPrinter.Unexpander
@[app_unexpander Prod.mk, extern ""] opaque unexpandProdMk : PrettyPrinter.Unexpander
@[app_unexpander Subtype, extern ""] opaque unexpandSubtype : PrettyPrinter.Unexpander
