"""Reading a model's answer: forgiving about its form, exact about what it says.

The exact form is three tagged sections, ``<reasoning>``, ``<auxiliary>`` and ``<proof>``. What
else can be understood is taken too, and each thing forgiven is named, so that a report can tell
how a score depends on it. Nothing that is read here can change a statement: a restated target is
compared with the task's and thrown away but for its proof.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pytest_vsb.context.body import read_body, trim
from pytest_vsb.context.code import CodeReader, is_stub
from pytest_vsb.context.known import Context
from pytest_vsb.context.leniencies import LENIENCIES
from pytest_vsb.context.looks import (
    begins_code,
    begins_command,
    declared,
    normal,
    without_prose,
    words,
)
from pytest_vsb.context.sections import (
    EXACT,
    Block,
    Role,
    Sections,
    find_blocks,
    find_sections,
    lean_blocks,
    split_thinking,
)
from pytest_vsb.context.target import Target
from pytest_vsb.source import lexer, scan
from pytest_vsb.tasks.model import Task

MAX_CODE: Final = 200_000
"""Characters of Lean that an answer may hold; more is no proof of a theorem but a runaway."""

_PLACEHOLDER = re.compile(
    r"(?:[-(/*\[ ]*)(?:none|empty|nothing|n/a|no(?:t)?\b[^\n:=]{0,80}|"
    r"leave(?: it)? empty)[^\n:=]{0,80}[-)/*\]. ]*",
    re.IGNORECASE,
)
_DECLARED_LINE = re.compile(
    rf"^(?:@\[[^\]\n]*\][ \t]*)?(?:(?:private|protected|noncomputable)[ \t]+)*"
    rf"(?:theorem|lemma)[ \t]+(?P<name>{lexer.IDENT})",
    re.MULTILINE,
)


@dataclass(frozen=True)
class ParsedAnswer:
    """What an answer says.

    Attributes:
        proof: the target's body without its ``:=`` (it may begin with ``|`` or ``where``); None
            where the answer holds none.
        auxiliary: declarations to go before the target; may be empty.
        reasoning: what the model said beside, without blank space around.
        leniencies: the keys of ``LENIENCIES`` that apply, each once, in order.
        malformed: why there is no proof; empty if there is one.
    """

    proof: str | None
    auxiliary: str = ""
    reasoning: str = ""
    leniencies: tuple[str, ...] = ()
    malformed: str = ""


def parse_answer(text: str, task: Task, *, prefix: str = "", strict: bool = False) -> ParsedAnswer:
    """Read an answer in tagged sections, or what can pass for one. Never raises.

    Args:
        text: the model's answer.
        task: what it answers.
        prefix: the text of the task's file before the target. With it, a repeated namespace or
            declaration of the file is recognised.
        strict: whether an answer that is not in the exact form is malformed.
    """
    return _finish(_Reader(task, prefix).read_sections(text), strict)


def format_answer(proof: str, auxiliary: str = "", reasoning: str = "") -> str:
    """The answer in the exact form that says this; the inverse of :func:`parse_answer`."""
    parts = (("reasoning", reasoning), ("auxiliary", auxiliary), ("proof", proof))
    return "\n".join(
        f"<{tag}>\n{content}\n</{tag}>" if content else f"<{tag}>\n</{tag}>"
        for tag, content in parts
    )


def read_blocks(text: str, task: Task, *, prefix: str = "", strict: bool = False) -> ParsedAnswer:
    """Read an answer whose Lean code is in fenced blocks, without sections. Never raises.

    Used for the whole-file style, where this is the exact form.
    """
    parsed = _Reader(task, prefix).read_blocks(text, exact=True)
    return _finish(parsed, strict)


def _finish(parsed: ParsedAnswer, strict: bool) -> ParsedAnswer:
    names = tuple(dict.fromkeys(parsed.leniencies))
    parsed = ParsedAnswer(parsed.proof, parsed.auxiliary, parsed.reasoning, names, parsed.malformed)
    if not strict or not names or parsed.malformed:
        return parsed
    why = f"the answer is not in the exact form: {', '.join(LENIENCIES[n] for n in names)}"
    return ParsedAnswer(None, "", parsed.reasoning, names, why)


class _Reader:
    """Reads one answer."""

    def __init__(self, task: Task, prefix: str) -> None:
        self.context = Context.of(prefix.replace("\r\n", "\n"))
        self.target = Target(task, self.context.namespace)
        self.code = CodeReader(self.target, self.context)
        self.notes: list[str] = []
        self.reasoning = ""

    # The forms an answer may have.

    def read_sections(self, text: str) -> ParsedAnswer:
        text = self._thought(_clean(text))
        sections = find_sections(text)
        found = sections.found
        self._reason(found.get("reasoning", ""))
        if "proof" not in found and "auxiliary" not in found:
            # Models that think aloud first: what follows is the answer.
            rest = sections.outside if "reasoning" in found else text
            return self._read_code(rest, exact=False)
        self._note_form(sections)
        if len(found.get("auxiliary", "")) + len(found.get("proof", "")) > MAX_CODE:
            return self._too_long()
        self._auxiliary(found.get("auxiliary", ""))
        restated = self.code.proof
        proof = self._proof(found.get("proof", ""))
        if proof is None and restated is not None:
            self.notes.append("proof-in-auxiliary")
            proof = self._body(restated, restated=True)
        if proof is None and not self.code.different and self.code.take_renamed():
            assert self.code.proof is not None
            proof = self._body(self.code.proof, restated=True)
        if proof is None and not self.code.different:
            where = "is empty" if not found.get("proof", "").strip() else "holds no proof"
            if "proof" not in found:
                where = "is missing"
            return self._malformed(f"the <proof> section {where}")
        return self._result(proof)

    def read_blocks(self, text: str, *, exact: bool) -> ParsedAnswer:
        """An answer without sections.

        Args:
            exact: whether one fenced block with the target in it is the exact form.
        """
        return self._read_code(self._thought(_clean(text)), exact=exact)

    def _read_code(self, text: str, *, exact: bool) -> ParsedAnswer:
        blocks, around = find_blocks(text)
        blocks = [block for block in lean_blocks(blocks) if block.text.strip()]
        if not exact or not blocks:
            self.notes.append("no-tags" if not exact else "no-block")
        if not blocks:
            return self._bare(text)
        self._reason(around)
        if not exact:
            self.notes.append("fenced-code")
        if not all(block.closed for block in blocks):
            self.notes.append("unclosed-fence")
        if sum(len(block.text) for block in blocks) > MAX_CODE:
            return self._too_long()
        chosen, body = self._choose(blocks)
        if not chosen and body is None:
            if self.code.different:
                return self._result(None)
            return self._malformed(f"no code block states or proves {self.target.full_name}")
        for block in chosen:
            self.code.feed(normal(block.text, self.notes))
        if body is not None:
            if exact:
                self.notes.append("statement-left-out")
            return self._result(self._body(body.text))
        if self.code.proof is None and not self.code.take_renamed():
            return self._result(None)
        assert self.code.proof is not None
        return self._result(self._body(self.code.proof, restated=True), exact=exact)

    def _bare(self, text: str) -> ParsedAnswer:
        """An answer that is neither in sections nor in blocks."""
        if not text.strip():
            if self.reasoning:
                return self._malformed("the answer ends with its reasoning, without a proof")
            return self._malformed("the answer is empty")
        if len(text) > MAX_CODE:
            return self._too_long()
        starts = [0] if begins_code(text) else []
        starts += self._declared_lines(text)
        for start in dict.fromkeys(starts):
            piece = text[start:]
            if not begins_command(piece):
                body = self._body(piece)
                if body is not None:
                    return self._result(body)
                continue
            reader = CodeReader(self.target, self.context)
            reader.feed(piece)
            if reader.proof is not None or reader.different or reader.take_renamed():
                self.code = reader
                self._reason(text[:start])
                proof = reader.proof
                return self._result(None if proof is None else self._body(proof, restated=True))
        return self._malformed("there is no <proof> section and no Lean code in the answer")

    def _declared_lines(self, text: str) -> list[int]:
        """Where the first declaration begins, and where the last one of the target's name does."""
        found = list(_DECLARED_LINE.finditer(text))
        last = self.target.full_name.rsplit(".", 1)[-1]
        named = [f for f in found if f.group("name").rsplit(".", 1)[-1] == last]
        return [f.start() for f in (*found[:1], *named[-1:])]

    # Their parts.

    def _reason(self, text: str) -> None:
        self.reasoning = "\n\n".join(filter(None, (self.reasoning, text.strip())))

    def _thought(self, text: str) -> str:
        thought, answer = split_thinking(text)
        if thought or answer is not text:
            self.notes.append("thinking-tags")
            self._reason(thought)
        return answer

    def _note_form(self, sections: Sections) -> None:
        self.notes += sections.leniencies
        if sections.outside:
            self.notes.append("text-outside")
            self._reason(re.sub(r"^[ \t]*```.*$", "", sections.outside, flags=re.MULTILINE))
        if any(role not in sections.found for role in EXACT):
            self.notes.append("missing-section")

    def _auxiliary(self, text: str) -> None:
        text = self._unfenced(text, "auxiliary")
        if _PLACEHOLDER.fullmatch(text.strip()):
            self.notes.append("placeholder-auxiliary")
            return
        plain = without_prose(text, commands=True)
        if plain != text:
            self.notes.append("text-around-code")
        if plain.strip():
            self.code.feed(normal(plain, self.notes))

    def _proof(self, text: str) -> str | None:
        text = self._unfenced(text, "proof")
        if not text.strip():
            return None
        if not begins_command(text):
            plain = without_prose(text)
            if plain != text:
                self.notes.append("text-around-code")
            return self._body(plain)
        self.code.proof = None
        before = self.code.auxiliary
        self.code.feed(normal(text, self.notes))
        if not self.code.different:
            self.code.take_renamed()
        if self.code.auxiliary != before:
            self.notes.append("lemmas-in-proof")
        proof = self.code.proof
        return None if proof is None else self._body(proof, restated=True)

    def _body(self, text: str, *, restated: bool = False) -> str | None:
        """A body made ready; what follows it goes to the auxiliary declarations."""
        body = read_body(text)
        notes = body.leniencies
        if restated:
            notes = [n for n in notes if n not in ("leading-separator", "indentation")]
        self.notes += notes
        if not body.proof.strip():
            return None
        prefixes = self.code.proof_prefixes
        if body.rest:
            self.code.feed(body.rest)
        if prefixes and not re.match(r"[|]|where\b|:=", body.proof):
            return f"{''.join(f'{prefix} in ' for prefix in prefixes)}{body.proof}"
        return body.proof

    def _unfenced(self, text: str, role: Role) -> str:
        """A section without the fences around its code."""
        if "```" not in text and "~~~" not in text:
            return trim(text)
        blocks, around = find_blocks(text)
        if not blocks:
            return trim(text)
        self.notes.append("fenced-code")
        if not all(block.closed for block in blocks):
            self.notes.append("unclosed-fence")
        blocks = [block for block in blocks if block.text.strip()]
        if not blocks:
            return trim(around)
        if around or len(blocks) > 1:
            self.notes.append("text-around-code")
        if role == "proof" and not begins_command(blocks[-1].text):
            return blocks[-1].text
        return "\n\n".join(block.text for block in blocks)

    def _choose(self, blocks: Sequence[Block]) -> tuple[list[Block], Block | None]:
        """The blocks of commands to read, and a block that is a proof alone, if there is no
        statement with one.

        The last statement of the target with a proof counts. Of the blocks before it, those are
        read that declare what is used and not declared again: the others were drafts.
        """
        last, stub, renamed, body = -1, -1, -1, None
        for index, block in enumerate(blocks):
            if not begins_command(block.text):
                # What says that it is Lean goes before what says nothing.
                if body is None or block.language or not blocks[body].language:
                    body = index
                continue
            reader = CodeReader(self.target, self.context)
            reader.feed(block.text)
            if reader.proof is not None:
                if not is_stub(reader.proof):
                    last = index
                elif last < 0 and body is None:
                    stub = index
            elif reader.renamed:
                renamed = index
            elif reader.different:
                self.code.different = self.code.different or reader.different
        if last < 0 and body is None:
            last = max(stub, renamed)
        if last >= 0:
            # An earlier draft may have said something else.
            self.code.different = ""
            body = None
        elif body is None:
            return [], None
        main = last if last >= 0 else body
        assert main is not None
        chosen = [blocks[main]] if last >= 0 else []
        used, own = words(blocks[main].text), declared(blocks[main].text)
        for block in reversed(blocks[:main]):
            names = declared(block.text)
            if not begins_command(block.text) or not (names - own) & used:
                continue
            chosen.insert(0, block)
            used |= words(block.text)
            own |= names
        return chosen, blocks[main] if last < 0 else None

    # Results.

    def _result(self, proof: str | None, *, exact: bool = False) -> ParsedAnswer:
        notes = [*self.notes, *self.code.leniencies]
        if exact:
            notes = [n for n in notes if n != "restated-theorem"]
        if self.code.different:
            shown = " ".join(self.code.different.split())
            shown = shown if len(shown) <= 200 else f"{shown[:200]} ..."
            return self._malformed(f"the answer states the target differently: {shown}")
        if proof is None:
            return self._malformed(f"the answer holds no proof of {self.target.full_name}")
        auxiliary = self.code.auxiliary
        if len(auxiliary) + len(proof) > MAX_CODE:
            return self._too_long()
        # Whatever came before: nothing that has the target's name may go before the target.
        if any(self.target.is_named(d.full_name) for d in scan(auxiliary).declarations):
            return self._malformed("the auxiliary declarations declare the target")
        return ParsedAnswer(proof, auxiliary, self.reasoning, tuple(notes))

    def _malformed(self, why: str) -> ParsedAnswer:
        notes = (*self.notes, *self.code.leniencies)
        return ParsedAnswer(None, "", self.reasoning, notes, why)

    def _too_long(self) -> ParsedAnswer:
        return self._malformed(f"the answer holds more than {MAX_CODE:,} characters of Lean code")


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").replace("\0", " ")
