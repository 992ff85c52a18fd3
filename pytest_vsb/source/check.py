"""Whether a candidate stays in its place: its text must not swallow or redirect what surrounds it.

This reads text only. It explains early what Lean would report late or not at all; it is no
substitute for asking the kernel what was proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_vsb.source import lexer
from pytest_vsb.source.model import Source, Span
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.splice import Submission, normalise_proof, splice

Part = Literal["auxiliary", "proof"]
ProblemKind = Literal[
    "empty",
    "open_comment",
    "open_string",
    "brackets",
    "command",
    "unknown_command",
    "prefix",
    "scope",
]


@dataclass(frozen=True)
class Problem:
    """Something about a candidate's text.

    Attributes:
        kind: ``empty`` (a proof without text), ``open_comment``, ``open_string``, ``brackets`` (do
            not match: only a hint, since a notation may want them so), ``command`` (a proof that
            goes on to another command), ``unknown_command`` (auxiliary text that is none),
            ``prefix`` (auxiliary text that ends in attributes, modifiers, a docstring or
            ``open … in``, which would apply to the target), ``scope`` (a namespace, section or
            mutual block left open, or an ``end`` too many).
        line, column: 1-based line and 0-based column in that part, as given.
    """

    kind: ProblemKind
    message: str
    part: Part
    line: int
    column: int


_HOST = "theorem host : True := trivial\n"


def auxiliary_declarations(text: str) -> Source:
    """The auxiliary part of a candidate, scanned: its commands and their kinds and modifiers."""
    return scan(text)


def check_parts(auxiliary: str, proof: str) -> list[Problem]:
    """The problems of a candidate's two parts, whatever their target is."""
    return [*_check_auxiliary(auxiliary), *_check_proof(proof)]


def check_submission(submission: Submission, *, commands: frozenset[str] = frozenset()) -> bool:
    """Whether a scan of the spliced text finds the target where it was put.

    That is: its statement is where the splice put it, and its body is all of the proof.
    """
    statement, proof = submission.region("statement"), submission.region("proof")
    if statement is None or proof is None:
        return False
    text = submission.text
    end = proof.start + len(proof.of(text).rstrip())
    for declaration in scan(text, commands=commands).declarations:
        body = declaration.body
        if body is None or body.start != proof.start:
            continue
        trailing = [group for group, *_ in lexer.lex(text, body.end, end) if group not in _TRIVIA]
        before = text[statement.start : declaration.span.start]
        return (
            declaration.span.start >= statement.start
            and not before.strip()
            and declaration.full_name == submission.target
            and body.end <= end
            and not trailing
        )
    return False


_TRIVIA = frozenset({"space", "line", "block"})


def _problem(kind: ProblemKind, message: str, part: Part, text: str, offset: int) -> Problem:
    offset = min(offset, len(text))
    line_start = text.rfind("\n", 0, offset) + 1
    return Problem(kind, message, part, text.count("\n", 0, offset) + 1, offset - line_start)


def _check_tokens(text: str, part: Part) -> list[Problem]:
    problems: list[Problem] = []
    stack: list[tuple[str, int]] = []
    for group, start, end, closed in lexer.lex(text):
        if not closed:
            comment = group == "block"
            kind: ProblemKind = "open_comment" if comment else "open_string"
            what = "comment" if comment else "string"
            problems.append(_problem(kind, f"a {what} is never closed", part, text, start))
        if group != "symbol":
            continue
        symbol = text[start:end]
        if symbol[-1] in lexer.OPENERS:
            stack.append((symbol, start))
        elif symbol in lexer.CLOSERS:
            if stack and lexer.CLOSER_OF[stack[-1][0][-1]] == symbol:
                stack.pop()
            else:
                message = f"'{symbol}' closes nothing"
                problems.append(_problem("brackets", message, part, text, start))
    problems += [
        _problem("brackets", f"'{symbol}' is never closed", part, text, start)
        for symbol, start in stack
    ]
    return problems


def _check_proof(proof: str) -> list[Problem]:
    if not proof.strip():
        return [Problem("empty", "the proof is empty", "proof", 1, 0)]
    problems = _check_tokens(proof, "proof")
    if any(p.kind in ("open_comment", "open_string") for p in problems):
        return problems
    host = scan(_HOST)
    text = splice(host, host.declarations[0], auxiliary="", proof=proof)
    region = text.region("proof")
    added = scan(text.text).commands[1:]
    if region is not None and added:
        first = added[0]
        start = first.span.start
        word = first.keyword or text.text[start:].split(None, 1)[0]
        offset = _as_given(proof, text.text[region.start : start])
        message = f"the proof goes on to another command, '{word}'"
        problems.append(_problem("command", message, "proof", proof, offset))
    return problems


def _as_given(proof: str, spliced: str) -> int:
    """The offset in a proof as given of the end of a piece of it as spliced."""
    # Only spaces and a leading `:=` differ, so the same number of other characters precede it.
    wanted = len("".join(spliced.split()))
    if normalise_proof(proof).startswith(":=") and not proof.lstrip().startswith(":="):
        wanted -= 2
    for offset, char in enumerate(proof):
        if char.isspace():
            continue
        if wanted <= 0:
            return offset
        wanted -= 1
    return len(proof)


def _check_auxiliary(text: str) -> list[Problem]:
    if not text.strip():
        return []
    part: Part = "auxiliary"
    problems = _check_tokens(text, part)
    if any(p.kind in ("open_comment", "open_string") for p in problems):
        return problems
    joined = f"{text.rstrip()}\n\n"
    after = scan(joined + _HOST).declarations
    host = after[-1] if after and after[-1].keyword.start == len(joined) else None
    if host is None or host.span.start != len(joined):
        offset = host.span.start if host else len(text.rstrip())
        message = "the text ends in what would apply to the declaration after it"
        problems.append(_problem("prefix", message, part, text, offset))
    depth = 0
    for command in scan(text).commands:
        offset = command.span.start
        offset += _leading_trivia(text, command.span)
        dangling = host is not None and host.span.start <= offset
        if command.kind == "unknown" and not dangling:
            word = text[offset:].split(None, 1)[0]
            message = f"'{word}' begins no command that is known"
            problems.append(_problem("unknown_command", message, part, text, offset))
        if command.kind in ("namespace", "section"):
            depth += 1
        elif command.kind == "end":
            depth -= 1
            if depth < 0:
                message = "'end' without its beginning"
                problems.append(_problem("scope", message, part, text, offset))
                depth = 0
    if depth or (host is not None and host.mutual is not None):
        message = "a namespace, section or mutual block is left open"
        problems.append(_problem("scope", message, part, text, len(text)))
    return problems


def _leading_trivia(text: str, span: Span) -> int:
    for group, start, _, _ in lexer.lex(text, span.start, span.end):
        if group == "block" and (lexer.is_doc(text, start) or text.startswith("/-!", start)):
            return start - span.start
        if group not in _TRIVIA:
            return start - span.start
    return 0
