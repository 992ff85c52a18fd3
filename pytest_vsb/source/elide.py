"""Lean source with its proofs left out: what a prover may be shown of a file or a declaration.

The body of a theorem, lemma or example becomes ``:= …``, which Lean reads as nothing and nobody
takes for a proof. Definitions keep their bodies, in which tactic blocks become ``by …``. The work
is done on tokens: proofs written as terms inside definitions stay.
"""

from __future__ import annotations

from pytest_vsb.source import lexer
from pytest_vsb.source.model import Declaration, Source, Span

OMITTED = "…"
"""What stands for a proof that is left out."""

PROVING = frozenset({"theorem", "lemma", "example", "proof_wanted"})
"""Declarations whose body is a proof."""

# A tactic block in the default of a field belongs to what the structure is.
_KEPT_WHOLE = frozenset({"structure", "class", "inductive", "coinductive", "class inductive"})
# Where a body is nothing but a tactic block, the definition would say nothing without it.
_TACTIC_DEFINED = frozenset({"def", "abbrev", "irreducible_def", "opaque"})
# Commands of the repository's own may prove something; those of Lean's are no proofs.
_UNTOUCHED = frozenset({"macro", "elab", "syntax", "notation", "simproc", "moduledoc", "trivia"})

_TRIVIA = frozenset({"space", "line", "block"})
_TERMINATION = "decreasing_by"
_BLOCKS = frozenset({"by", _TERMINATION})
# Tactics with a comma, or a colon, of their own; any other ends a block inside brackets.
_WITH_COMMA = frozenset(
    "use use! exists existsi match cases induction generalize injection rcases fun_induction "
    "fun_cases obtain rintro".split()
)
_WITH_COLON = frozenset(
    "have let haveI letI suffices obtain generalize fun λ intro cases rcases match induction if "
    "by_cases set case next rintro show calc ∀ ∃ replace".split()
)
_AFTER_BLOCK = frozenset({"where", "termination_by", "decreasing_by", "deriving"})


def elide(source: Source) -> str:
    """The text of ``source`` without its proofs.

    Everything else stays byte for byte: comments, docstrings, statements, definitions. A comment
    between a statement and its proof goes with the proof.
    """
    cuts: list[tuple[int, int, str]] = []
    for command in source.commands:
        if command.declaration is not None:
            cuts += _declaration_cuts(source.text, command.declaration)
        elif command.members:
            for member in command.members:
                cuts += _declaration_cuts(source.text, member)
        elif command.kind not in _UNTOUCHED:
            cuts += _block_cuts(source.text, command.span)
    return _cut(source.text, cuts)


def elided(source: Source, declaration: Declaration) -> str:
    """The text of one declaration without its proofs, from its docstring or attributes on."""
    span = declaration.span
    cuts = [
        (start - span.start, end - span.start, new)
        for start, end, new in _declaration_cuts(source.text, declaration)
    ]
    return _cut(span.of(source.text), cuts)


def statement_only(source: Source, declaration: Declaration) -> str:
    """The statement of a declaration, from its keyword to before its body."""
    return declaration.statement.of(source.text)


def _cut(text: str, cuts: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    pos = 0
    for start, end, new in sorted(cuts):
        pieces += (text[pos:start], new)
        pos = end
    return "".join((*pieces, text[pos:]))


def _declaration_cuts(text: str, declaration: Declaration) -> list[tuple[int, int, str]]:
    body = declaration.body
    if declaration.kind in PROVING:
        # What follows the statement up to the end goes even where no body was recognised.
        start = declaration.statement.end
        if body is None and not text[start : declaration.span.end].strip():
            return []
        return [(start, declaration.span.end, f" := {OMITTED}")]
    if body is None or declaration.kind in _KEPT_WHOLE:
        return []
    if declaration.kind in _TACTIC_DEFINED and _is_block(text, body):
        return [cut for cut in _block_cuts(text, body) if text.endswith(_TERMINATION, 0, cut[0])]
    return _block_cuts(text, body)


def _is_block(text: str, body: Span) -> bool:
    """Whether a body is nothing but ``:= by`` and tactics."""
    words = [
        text[start:end]
        for group, start, end, _ in lexer.lex(text, body.start, min(body.end, body.start + 400))
        if group not in _TRIVIA
    ]
    return words[:2] == [":=", "by"]


def _block_cuts(text: str, span: Span) -> list[tuple[int, int, str]]:
    """The tactic blocks of a part of a text, as cuts from after ``by`` to their end."""
    cuts: list[tuple[int, int, str]] = []
    tokens = _significant(text, span)
    index = depth = 0
    while index < len(tokens):
        group, start, end = tokens[index]
        index += 1
        if group == "symbol":
            depth = max(0, depth + _nesting(text[start:end]))
        if group != "ident" or text[start:end] not in _BLOCKS or text[start - 1 : start] == ".":
            continue
        stop = _block_end(text, tokens, index, start, depth > 0)
        if stop > index:
            cuts.append((end, tokens[stop - 1][2], f" {OMITTED}"))
        index = stop
    return cuts


def _significant(text: str, span: Span) -> list[tuple[str, int, int]]:
    return [
        (group, start, min(end, span.end))
        for group, start, end, _ in lexer.lex(text, span.start, span.end)
        if group not in _TRIVIA
    ]


def _nesting(symbol: str) -> int:
    return (symbol[-1] in lexer.OPENERS) - (symbol in lexer.CLOSERS)


def _block_end(
    text: str, tokens: list[tuple[str, int, int]], first: int, by: int, inside: bool
) -> int:
    """The index after the last token of the tactic block whose first token has index ``first``.

    A block of several lines goes on while lines are indented as its first tactic is; one that
    begins beside its ``by``, while they are indented deeper than the line it stands in. Closing
    brackets of what is around it end it, and so do ``else`` and ``then`` of what is around it;
    ``inside`` brackets a comma or a colon does, too.
    """
    if first >= len(tokens):
        return first
    line_start = text.rfind("\n", 0, by) + 1
    indent = len(text[line_start:by]) - len(text[line_start:by].lstrip())
    start = tokens[first][1]
    beside = "\n" not in text[by:start]
    limit = indent + 1 if beside else start - (text.rfind("\n", 0, start) + 1)
    depth, branches, previous = 0, 0, by
    ends = {",", ":"} if inside else set()
    for index in range(first, len(tokens)):
        group, start, end = tokens[index]
        piece = text[start:end]
        if index > first and depth == 0:
            newline = text.rfind("\n", previous, start)
            if newline >= 0 and start - newline - 1 < limit:
                return index
        if depth == 0 and piece in ends:
            return index
        if group == "symbol":
            depth += _nesting(piece)
            if depth < 0:
                return index
        elif group == "ident" and depth == 0 and text[start - 1 : start] != ".":
            if piece in _WITH_COMMA:
                ends.discard(",")
            if piece in _WITH_COLON:
                ends.discard(":")
            if piece == "if":
                branches += 1
            elif piece == "else":
                branches -= 1
                if branches < 0:
                    return index
            elif piece == "then":
                if not branches:
                    return index
            elif piece in _AFTER_BLOCK and "\n" in text[previous:start]:
                return index
        previous = end
    return len(tokens)
