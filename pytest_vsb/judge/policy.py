"""What a candidate may not contain, decided on its tokens before Lean sees it.

The policy keeps out what can run code during elaboration, change how later text is read, or bend
what the kernel is asked. Soundness does not rest on it alone: statement and axioms are audited
on the compiled result. It speaks of tokens, so the same words in comments and strings are free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_vsb.source.lexer import Token, tokens
from pytest_vsb.source.model import Command
from pytest_vsb.source.scanner import scan

_RUNS_CODE = "can run code while Lean elaborates"
_NEW_SYNTAX = "changes how later text is read"
_UNCHECKED = "goes around the kernel"

FORBIDDEN_WORDS = {
    "axiom": "states what is to be proved",
    "unsafe": _UNCHECKED,
    "native_decide": "trusts compiled code in place of the kernel",
    "import": "a submission has the imports of its file",
    "prelude": "a submission has the imports of its file",
    **dict.fromkeys(
        "run_cmd run_meta run_elab run_tac by_elab eval% initialize builtin_initialize elab "
        "elab_rules simproc simproc_decl dsimproc dsimproc_decl builtin_simproc builtin_dsimproc "
        "builtin_simproc_decl builtin_dsimproc_decl include_str add_decl_doc declare_config_elab "
        "declare_simp_like_tactic declare_term_config_elab declare_command_config_elab "
        "register_option register_builtin_option register_simp_attr register_label_attr "
        "register_parser_alias register_tactic_tag".split(),
        _RUNS_CODE,
    ),
    **dict.fromkeys(
        "macro macro_rules syntax declare_syntax_cat notation notation3 infix infixl infixr "
        "prefix postfix binder_predicate unif_hint".split(),
        _NEW_SYNTAX,
    ),
}
"""Words that are refused wherever they stand as a token, each with the reason."""

FORBIDDEN_ATTRIBUTES = {
    **dict.fromkeys(["implemented_by", "extern", "csimp", "export"], _UNCHECKED),
    **dict.fromkeys(
        "init tactic macro simproc simprocAttr command_code_action hole_code_action "
        "code_action_provider env_linter app_unexpander category_parenthesizer "
        "category_formatter parenthesizer formatter combinator_parenthesizer "
        "combinator_formatter run_parser_attribute_hooks missing_docs_handler norm_num "
        "positivity widget_module server_rpc_method".split(),
        _RUNS_CODE,
    ),
}
"""Attributes that are refused, each with the reason."""

_FORBIDDEN_ATTRIBUTE_PARTS = ("_parser", "_elab", "delab", "builtin", "unexpand")

FORBIDDEN_OPTIONS = (
    "debug.",
    "compiler.",
    "internal.",
    "bootstrap.",
    "interpreter.",
    "profiler",
    "trace.profiler",
    "server.",
    "experimental.",
)
"""Prefixes of options that no candidate may set."""

ALLOWED_COMMANDS = frozenset(
    "declaration mutual namespace section end open variable universe set_option attribute include "
    "omit deriving moduledoc trivia export".split()
)
"""The kinds of commands that auxiliary declarations may consist of."""

_ALLOWED_DECLARATIONS = frozenset(
    [
        *"theorem lemma def abbrev instance structure class inductive example coinductive".split(),
        "class inductive",
        "class abbrev",
    ]
)


@dataclass(frozen=True)
class Refusal:
    """A construct that is refused: what, why, and where (1-based line and 0-based column in the
    ``part``, which is ``auxiliary`` or ``proof``)."""

    construct: str
    why: str
    part: str
    line: int
    column: int
    profile: str = "strict"

    def __str__(self) -> str:
        place = f"{self.part} {self.line}:{self.column}"
        return f"`{self.construct}` is not allowed ({self.profile} policy): {self.why} [{place}]"


def find_forbidden(auxiliary: str, proof: str) -> Refusal | None:
    """The first construct of a candidate that the policy refuses, if any."""
    for part, text in (("auxiliary", auxiliary), ("proof", proof)):
        for offset, construct, why in _constructs(text, part):
            line = text.count("\n", 0, offset) + 1
            column = offset - (text.rfind("\n", 0, offset) + 1)
            return Refusal(construct, why, part, line, column)
    return None


def _constructs(text: str, part: str) -> Iterator[tuple[int, str, str]]:
    meaningful = [t for t in tokens(text) if t.kind not in ("space", "comment", "doc")]
    yield from _words(meaningful)
    if part == "auxiliary":
        yield from _commands(text)


def _words(sequence: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    texts = [token.text for token in sequence]
    for index, token in enumerate(sequence):
        word, start = token.text, token.span.start
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if token.kind in ("ident", "keyword") and word in FORBIDDEN_WORDS:
            yield start, word, FORBIDDEN_WORDS[word]
        elif word == "open" and following == "private":
            yield start, "open private", "reaches declarations that are not visible here"
        elif word == "set_option" and following.startswith(FORBIDDEN_OPTIONS):
            yield start, f"set_option {following}", "changes what is checked or reported"
        elif word == "@[":
            yield from _attributes(sequence, index + 1)
        elif word == "attribute" and following == "[":
            yield from _attributes(sequence, index + 2)
        elif word == "native" and index and texts[index - 1] in ("+", "("):
            yield start, "decide +native", FORBIDDEN_WORDS["native_decide"]


def _attributes(sequence: Sequence[Token], index: int) -> Iterator[tuple[int, str, str]]:
    """The refused attributes of the list that begins at ``index``."""
    depth, at_start = 1, True
    for token in sequence[index:]:
        if token.text in ("[", "@[", "(", "{"):
            depth += 1
        elif token.text in ("]", ")", "}"):
            depth -= 1
            if depth == 0:
                return
        if depth == 1 and token.text == ",":
            at_start = True
        elif at_start and token.text not in ("local", "scoped", "-", "↓", "↑"):
            at_start = False
            why = FORBIDDEN_ATTRIBUTES.get(token.text)
            if why is None and any(part in token.text for part in _FORBIDDEN_ATTRIBUTE_PARTS):
                why = _RUNS_CODE
            if why is not None:
                yield token.span.start, f"@[{token.text}]", why


def _commands(text: str) -> Iterator[tuple[int, str, str]]:
    open_scopes = 0
    for command in scan(text).commands:
        start = command.span.start + _leading_space(text, command)
        if command.kind not in ALLOWED_COMMANDS:
            word = command.keyword or text[start : start + 20].split("\n")[0]
            yield start, word, "auxiliary text may hold declarations only"
        for declaration in (command.declaration, *command.members):
            if declaration is not None and declaration.kind not in _ALLOWED_DECLARATIONS:
                yield start, declaration.kind, "not a declaration that proves or defines"
        if command.kind in ("namespace", "section"):
            open_scopes += 1
        elif command.kind == "end":
            open_scopes -= 1
            if open_scopes < 0:
                yield start, "end", "closes a scope that the candidate did not open"
    if open_scopes > 0:
        yield len(text), "namespace or section", "is left open"


def _leading_space(text: str, command: Command) -> int:
    covered = text[command.span.start : command.span.end]
    return len(covered) - len(covered.lstrip())
