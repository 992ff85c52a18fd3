"""A proof as a model wrote it, made into a declaration's body."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_vsb.source import lexer, scan
from pytest_vsb.source.model import Command
from pytest_vsb.source.splice import lines_in_strings

# Words that begin a tactic and never a term; a name that is also a theorem's is not among them.
_TACTICS = frozenset(
    "intro intros exact exacts apply refine refine' rw rwa simp simpa simp_all simp_rw dsimp "
    "unfold cases cases' induction induction' rcases rintro obtain constructor left right "
    "exists use omega grind decide linarith nlinarith norm_num field_simp positivity aesop "
    "split split_ifs "
    "ext subst contradiction exfalso assumption repeat repeat' all_goals any_goals first case "
    "next change convert specialize replace generalize injection injections by_cases by_contra "
    "push_neg contrapose contrapose! norm_cast exact_mod_cast push_cast rename_i clear revert conv "
    "erw nth_rewrite nth_rw gcongr tauto infer_instance skip done fail_if_success set and_intros "
    "native_decide bv_decide bv_omega interval_cases fin_cases subst_vars delta rename swap "
    "iterate solve_by_elim ring_nf ring simp_arith nofun_cases haveI' unhygienic classical "
    "simp! simp? simp_all! exact? apply? rw! rotate_left rotate_right pick_goal on_goal "
    "ac_rfl subsingleton lia sorry_tac fun_induction fun_cases mvcgen rcases_patt".split()
)
# A first word of a term that goes on in the next line at the same column.
_TERM_OPENERS = frozenset({"have", "let", "haveI", "letI", "suffices", "fun", "show", "open"})
# First words of tactics that are first words of terms as well.
_BOTH = ("have", "show", "calc", "rfl", "let", "trivial", "suffices", "obtain")
# Words that go on with the tactic of the line before.
_CONTINUE = frozenset(
    "with at using from then else in by do where generalizing only termination_by "
    "decreasing_by".split()
)
_LINE_WORD = re.compile(rf"[ ]*(?P<word>{lexer.IDENT}|·|\. |<;>)")
_UNFINISHED = re.compile(
    r"(?:=>|:=|<;>|[,(\[{⟨←|]|(?<![\w.])(?:by|with|do|then|else|at|from|only|using|calc|in|·))\s*\Z"
)
_BODY_START = re.compile(r":=|where(?![\w'!?.])|\|(?!\|)")
_INDENT = re.compile(r"[ \t]*")

_HOST = "theorem host : True := "


@dataclass
class Body:
    """A proof, what stood after it, and what was forgiven."""

    proof: str
    rest: str
    leniencies: list[str]


def read_body(text: str) -> Body:
    """A proof without its separator, with ``by`` before tactics, and its indentation even.

    A text that is a proof as the format asks for stays as it is, but for blank lines around it.
    """
    notes: list[str] = []
    text = trim(text)
    text = evenly_spaced(text, notes)
    text = _dedented(text, notes)
    text, rest = _cut_commands(text, notes)
    if text.startswith(":="):
        notes.append("leading-separator")
        text = _dedented(trim(text[2:].lstrip(" ")), [])
    text = _aligned(text, notes)
    if _is_tactics(text):
        notes.append("missing-by")
        text = "by\n" + indented(text, 2)
    return Body(text, rest, notes)


def trim(text: str) -> str:
    """Without blank lines around and blanks at the end."""
    text = text.rstrip()
    blank = re.match(r"(?:[^\S\n]*\n)+", text)
    return text[blank.end() :] if blank else text


def indented(text: str, width: int) -> str:
    """Every line moved right, but those that begin inside a string and blank ones."""
    inside = lines_in_strings(text)
    return "\n".join(
        line if number in inside or not line.strip() else " " * width + line
        for number, line in enumerate(text.split("\n"))
    )


def evenly_spaced(text: str, notes: list[str]) -> str:
    """Lean refuses tabs; outside of strings they become spaces, and so do unusual spaces."""
    if not re.search(r"[^\S\n ]", text):
        return text
    inside = lines_in_strings(text)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number not in inside and '"' not in line:
            lines[number] = re.sub(r"[^\S\n ]", " ", line.expandtabs(2))
    changed = "\n".join(lines)
    if changed != text:
        notes.append("odd-spaces")
    return changed


def _dedented(text: str, notes: list[str]) -> str:
    """Without the indentation that all lines share, or that the first line has."""
    lines = text.split("\n")
    first = _indent(lines[0])
    if not first:
        return text
    inside = lines_in_strings(text)
    movable = [n for n, line in enumerate(lines) if n not in inside and line.strip()]
    notes.append("indentation")
    shared = min(_indent(lines[n]) for n in movable)
    for number in movable:
        lines[number] = lines[number][shared:]
    # The first line deeper than the others: only a proof that was cut out so looks like that.
    lines[0] = lines[0].lstrip()
    return "\n".join(lines)


def _indent(line: str) -> int:
    found = _INDENT.match(line)
    return found.end() if found else 0


def _aligned(text: str, notes: list[str]) -> str:
    """Tactics after the first in line with it.

    The first tactic may have lost its indentation when the text was cut out, or stand beside its
    ``by``, where its column depends on what precedes it.
    """
    beside = re.match(r"by[ ]+(?=\S)", text)
    start = beside.end() if beside else 0
    lines = text[start:].split("\n")
    if len(lines) < 2 or not _begins_tactic(lines[0], loose=bool(beside)) or _depth(lines[0]):
        return text
    inside = lines_in_strings(text)
    others = [line for n, line in enumerate(lines) if n and n not in inside and line.strip()]
    shared = min((_indent(line) for line in others), default=0)
    outer = [line for line in others if _indent(line) == shared]
    # Far to the right an argument may go on; near the margin Lean takes it for none.
    loose = bool(beside) and shared <= 4
    if not outer or not all(_begins_tactic(line, loose=loose) for line in outer):
        return text
    if _UNFINISHED.search(lines[0]) and _indent(others[0]) == shared:
        return text
    if not beside and not shared:
        return text
    notes.append("indentation")
    moved = "\n".join(
        line[shared:] if n and n not in inside and line.strip() else line
        for n, line in enumerate(lines)
    )
    return f"by\n{indented(moved, 2)}" if beside else moved


def _depth(line: str) -> int:
    depth = 0
    for group, start, end, _ in lexer.lex(line):
        if group == "symbol":
            piece = line[start:end]
            depth += (piece[-1] in lexer.OPENERS) - (piece in lexer.CLOSERS)
    return depth


def _begins_tactic(line: str, *, loose: bool) -> bool:
    """Whether a line begins a tactic; loosely, whether its first word may."""
    found = _LINE_WORD.match(line)
    if found is None:
        return False
    word = found.group("word")
    if word in _TACTICS or word in ("·", ". "):
        return True
    return loose and (word in _BOTH or (word[0].islower() and word not in _CONTINUE))


def _is_tactics(text: str) -> bool:
    """Whether a body is a tactic block without its ``by``.

    A first word that only a tactic has says so. One that may be a term's too says so if other
    lines begin at its column with tactics.
    """
    if not text or _BODY_START.match(text):
        return False
    if text.startswith("·") or re.match(r"\. \S", text):
        return True
    word = _first_word(text)
    if word == "by":
        return False
    if word in _TACTICS and not _is_applied_name(text, word):
        return True
    starts = [
        found.group("word")
        for line in _outer_lines(text)
        if (found := _LINE_WORD.match(line)) is not None
    ]
    if word in _TERM_OPENERS:
        return any(start in _TACTICS or start == "·" for start in starts)
    return any(start in _TACTICS or start in ("·", "<;>", *_BOTH) for start in starts)


def _is_applied_name(text: str, word: str) -> bool:
    """Whether the first word is a part of a longer name or opens a field (``left.trans``)."""
    return text[len(word) : len(word) + 1] == "."


def _first_word(text: str) -> str:
    for group, start, end, _ in lexer.lex(text):
        if group in ("space", "line", "block"):
            continue
        return text[start:end] if group == "ident" else ""
    return ""


def _outer_lines(text: str) -> list[str]:
    """The lines after the first that begin at the column of the first token, outside brackets."""
    lines: list[str] = []
    depth, column, started = 0, 0, False
    newline = 0
    for group, start, end, _ in lexer.lex(text):
        if group in ("space", "line", "block"):
            found = text.rfind("\n", start, end)
            if found >= 0:
                newline = found + 1
            continue
        at_start = not text[newline:start].strip()
        if not started:
            column, started = start - newline, True
        elif at_start and depth == 0 and start - newline == column:
            lines.append(text[start:end] + " ")
        if group == "symbol":
            piece = text[start:end]
            depth += (piece[-1] in lexer.OPENERS) - (piece in lexer.CLOSERS)
    return lines


def _cut_commands(text: str, notes: list[str]) -> tuple[str, str]:
    """The proof before the first command that follows it, and the commands."""
    body = text if _BODY_START.match(text) else f":= {text}"
    hosted = f"{_HOST.removesuffix(':= ')}{body}"
    shift = len(hosted) - len(text)
    commands = scan(hosted).commands[1:]
    first = next((c for c in commands if _is_command(c)), None)
    if first is None:
        return text, ""
    start = first.span.start - shift
    if start <= 0 or not text[:start].strip():
        return text, ""
    notes.append("commands-after-proof")
    return text[:start].rstrip(), text[start:]


def _is_command(command: Command) -> bool:
    return command.kind not in ("unknown", "trivia")
