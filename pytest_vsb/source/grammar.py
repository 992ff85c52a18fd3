"""The words of Lean's command language, as tables.

They are what Lean 4 itself and Mathlib define. A repository may add its own commands by ``syntax``,
``macro`` or ``elab``; the splitter finds those by where they stand, not by this list.
"""

from __future__ import annotations

from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Keywords that open a declaration: something with a name, a statement and perhaps a body.
DECLARATIONS = _words(
    "theorem lemma def abbrev instance structure class inductive coinductive example axiom opaque "
    "irreducible_def proof_wanted"
)

#: Declarations that never have a body.
BODILESS = frozenset({"axiom", "proof_wanted"})

#: Words that may stand before a declaration keyword.
MODIFIERS = _words("private protected public noncomputable nonrec partial unsafe meta local scoped")

#: Reserved words of Lean that begin a command wherever they stand outside brackets.
RESERVED_COMMANDS = _words(
    "namespace section variable universe import export attribute notation infix infixl infixr "
    "prefix postfix macro macro_rules syntax declare_syntax_cat elab elab_rules mutual "
    "end open set_option deriving"
)

#: Commands whose words are ordinary identifiers elsewhere (or only Mathlib's): they count at the
#: start of a line that is indented no deeper than the command before.
SOFT_COMMANDS = _words(
    "alias include omit initialize builtin_initialize simproc simproc_decl dsimproc "
    "dsimproc_decl builtin_simproc builtin_dsimproc run_cmd run_meta run_elab unif_hint "
    "add_decl_doc library_note assert_not_exists assert_not_imported assert_exists "
    "suppress_compilation unsuppress_compilation mk_iff_of_inductive_prop "
    "initialize_simps_projections declare_config_elab declare_simp_like_tactic "
    "declare_aesop_rule_sets notation3 binder_predicate recall grind_pattern seal unseal "
    "register_option register_builtin_option register_simp_attr register_label_attr "
    "register_tactic_tag register_parser_alias register_error_explanation init_quot "
    "compile_inductive compile_def whatsnew count_heartbeats extend_docs show_panel_widgets "
    "irreducible_def proof_wanted with_weak_namespace prelude module docs_to_verso "
    "deprecated_module "
    "declare_term_config_elab declare_command_config_elab "
    # Of Aesop, and of Aegis, which verifies programs of another language.
    "add_aesop_rules erase_aesop_rules aegis_spec aegis_prove aegis_info aegis_complete "
    "aegis_load_file"
)

#: The commands of Lake's configuration files, ordinary words anywhere else.
LAKE_COMMANDS = _words(
    "package require lean_lib lean_exe extern_lib target script input_file input_dir post_update "
    "module_facet package_facet library_facet module_data package_data library_data"
)

#: Commands that may be followed by ``in`` and another command.
IN_COMMANDS = _words(
    "open set_option variable omit include universe attribute seal unseal count_heartbeats "
    "whatsnew suppress_compilation unsuppress_compilation #guard_msgs #count_heartbeats #time "
    "#whatsnew"
)

#: Commands whose text is over at the end of their line, so that any word at column 0 is a new one.
SHORT_COMMANDS = _words(
    "namespace section end mutual import prelude module universe open set_option export include "
    "omit variable moduledoc suppress_compilation unsuppress_compilation"
)

#: The ``#`` commands that are recognised anywhere outside brackets.
HASH_COMMANDS = _words(
    "#eval #check #check_failure #print #reduce #exit #synth #help #guard #guard_msgs #simp "
    "#print_axioms #where #find #lint #norm_num #time #count_heartbeats #version #with_exporting "
    "#guard_expr #check_simp #discr_tree_key #search #loogle #leansearch #moogle #min_imports "
    "#redundant_imports #import_bumps #import_path #show_kind #html #widget #test #sample"
)

COMMANDS = DECLARATIONS | RESERVED_COMMANDS | SOFT_COMMANDS

#: Words that never begin a command, though they may stand at column 0: parts of declarations,
#: terms and tactics.
CONTINUATIONS = _words(
    "by where with then else do from at in deriving termination_by decreasing_by "
    "termination_by' partial_fixpoint inductive_fixpoint coinductive_fixpoint fun show have let "
    "match calc sorry if suffices extends for return unless try catch finally using generalizing "
    "intro intros exact apply refine refine' rw rwa simp simpa simp_all simp_rw dsimp unfold "
    "cases cases' induction induction' rcases rintro obtain constructor left right exists use "
    "omega grind decide linarith nlinarith ring ring_nf norm_num field_simp positivity aesop "
    "split split_ifs ext funext congr symm trans subst contradiction exfalso absurd assumption "
    "trivial rfl repeat all_goals any_goals first case next classical change convert specialize "
    "replace generalize injection injections by_cases by_contra push_neg contrapose norm_cast "
    "exact_mod_cast push_cast rename_i clear revert conv erw nth_rewrite gcongr bound tauto "
    "infer_instance skip done fail_if_success set haveI letI nomatch nofun and_intros "
    "native_decide bv_decide interval_cases fin_cases subst_vars delta nofun rename "
    "exacts swap iterate solve_by_elim"
)

#: Reserved words of terms, of those the scanner or a reader of its tokens may care about.
TERM_KEYWORDS = _words(
    "by where with then else do from at in fun show have let match calc sorry if suffices extends "
    "deriving termination_by decreasing_by Type Sort Prop forall nomatch nofun for return"
)

#: What a token reader calls a keyword.
KEYWORDS = (COMMANDS - SOFT_COMMANDS) | MODIFIERS | TERM_KEYWORDS | {"irreducible_def"}

_GROUPS = {
    "notation": "notation infix infixl infixr prefix postfix notation3",
    "macro": "macro macro_rules",
    "elab": "elab elab_rules",
    "syntax": "syntax declare_syntax_cat",
}
_KIND = {word: kind for kind, words in _GROUPS.items() for word in words.split()}


def command_kind(keyword: str) -> str:
    """The kind of a command by its keyword: related keywords (``infixl``, ``prefix``) share one."""
    if keyword in DECLARATIONS:
        return "declaration"
    if keyword.startswith("#"):
        return "hash"
    if not keyword:
        return "unknown"
    return _KIND.get(keyword, keyword)


def words_pattern(words: Iterable[str]) -> str:
    """A regex that matches any of the words, longest first, branching on the first letter."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda w: (-len(w), w)):
        by_letter.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in sorted(by_letter.items()))
