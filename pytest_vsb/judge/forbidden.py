"""The policy's tables: words, names, attributes, options and commands, each with the reason."""

from __future__ import annotations

import re

RUNS_CODE = "can run code while Lean elaborates"
NEW_SYNTAX = "changes how later text is read"
UNCHECKED = "goes around the kernel"
META = "belongs to programs that run while Lean elaborates"

SYNTAX_WORDS = frozenset(
    "macro macro_rules syntax declare_syntax_cat notation notation3 infix infixl infixr "
    "prefix postfix binder_predicate unif_hint".split()
)
"""Words that begin a command for new syntax."""

WORDS = {
    "axiom": "states what is to be proved",
    "unsafe": UNCHECKED,
    "native_decide": "trusts compiled code in place of the kernel",
    "import": "a submission has the imports of its file",
    "prelude": "a submission has the imports of its file",
    **dict.fromkeys(
        "run_cmd run_meta run_elab run_tac by_elab initialize builtin_initialize elab "
        "elab_rules simproc simproc_decl dsimproc dsimproc_decl builtin_simproc builtin_dsimproc "
        "builtin_simproc_decl builtin_dsimproc_decl include_str declare_config_elab "
        "declare_simp_like_tactic declare_term_config_elab declare_command_config_elab "
        "register_option register_builtin_option register_simp_attr register_label_attr "
        "register_parser_alias register_tactic_tag register_hint".split(),
        RUNS_CODE,
    ),
    "add_decl_doc": "auxiliary text may hold declarations only",
    **dict.fromkeys(SYNTAX_WORDS, NEW_SYNTAX),
}
"""Words that are refused wherever they stand as a token."""

IN_TERMS = frozenset("native_decide run_tac run_elab by_elab include_str unsafe".split())
"""Those that can stand in a term or a tactic block: a dot before them may be a bullet."""

META_NAMES = frozenset(
    "TacticM MetaM CoreM TermElabM CommandElabM MacroM SimpM DelabM UnexpandM RuleTac "
    "SimpleRuleTac TacGen addDeclWithoutChecking unsafeIO unsafeEIO unsafeBaseIO".split()
)
"""Parts of names that only programs need: what runs while Lean elaborates, and its ways out.

``aesop`` runs a definition that it is given as a rule, and some tactics have functions among
their settings, so that code can run without any of the words above. Names that a development
about a language may well use for its own (``evalExpr``, ``addDecl``) are not among them.
"""

META_NAMESPACES = frozenset({("IO", "FS"), ("IO", "Process"), ("IO", "Prim"), ("IO", "RealWorld")})
"""The same for the first two parts of names."""

IO_NAMES = frozenset(
    "writeFile writeBinFile readFile readBinFile withFile createDir createDirAll createTempFile "
    "createTempDir withTempFile withTempDir removeFile removeDir removeDirAll realPath "
    "hardLink spawn getPID setCurrentDir getCurrentDir takeStdin takeStdout".split()
)
"""Names in those namespaces, by which they are known where the first part is left out."""

ATTRIBUTES = {
    **dict.fromkeys(["implemented_by", "extern", "csimp", "export"], UNCHECKED),
    **dict.fromkeys(
        "init tactic macro simproc simprocAttr code_action_provider env_linter app_unexpander "
        "category_parenthesizer category_formatter parenthesizer formatter "
        "combinator_parenthesizer combinator_formatter run_parser_attribute_hooks "
        "missing_docs_handler norm_num positivity widget_module server_rpc_method cpass "
        "quot_precheck unused_variables_ignore_fn doc_role doc_code_block doc_directive "
        "doc_command".split(),
        RUNS_CODE,
    ),
}
"""Attributes that are refused."""

ATTRIBUTE_PARTS = ("_parser", "_elab", "delab", "builtin", "unexpand", "code_action", "simproc")
"""Parts of attributes' names that are refused."""

OPTIONS = (
    "debug.",
    "compiler.",
    "internal.",
    "bootstrap.",
    "interpreter.",
    "profiler",
    "trace.profiler",
    "server.",
    "experimental.",
    # Lets documentation comments hold code that is elaborated.
    "doc.",
    # Names the program that a tactic starts.
    "sat.",
    "weak.",
)
"""Prefixes of options that no candidate may set."""

COMMANDS = frozenset(
    "declaration mutual namespace section end open variable universe set_option attribute include "
    "omit deriving moduledoc trivia export alias seal unseal grind_pattern irreducible_def "
    "initialize_simps_projections suppress_compilation unsuppress_compilation".split()
)
"""The kinds of commands that auxiliary declarations may consist of."""

HASH_COMMANDS = frozenset("#check #check_failure #print #synth".split())
"""The ``#`` commands that only show something."""

DECLARATIONS = frozenset(
    [
        *"theorem lemma def abbrev instance structure class inductive example coinductive".split(),
        "class inductive",
        "class abbrev",
        "irreducible_def",
    ]
)
"""The declarations that prove or define."""

_META = "|".join([*sorted(META_NAMES), *sorted(r"\.".join(pair) for pair in META_NAMESPACES)])

IN_STRINGS = re.compile(
    r"(?<![\w.])(?:run_tac|run_cmd|run_meta|run_elab|by_elab|include_str|initialize)(?![\w'!?])"
    rf"|(?<!\w)eval%|#eval|set_option|@\[|(?<!\w)(?:{_META})(?![\w'!?])"
)
"""What must not stand in a string that may hold terms, or in documentation that holds code."""

CODE_IN_DOCUMENTATION = re.compile(r"\{lean|```+\s*lean", re.IGNORECASE)
"""Where documentation holds code that Lean elaborates, if the project has switched that on."""
