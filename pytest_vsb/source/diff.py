"""What a prover that works on whole files changed: a declaration diff, and a candidate out of it.

A file comes back with the target proved. Its new body is the proof; what is new before it, wherever
that stands, becomes auxiliary declarations that mean at the target's place what they meant at
theirs: with their namespace, and with the ``open``, ``variable`` and ``set_option`` commands that
were in force there. Spaces, comments and documentation never count as changes.

Nothing here is trusted: whoever judges puts the candidate into the original file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_vsb.errors import VsbError
from pytest_vsb.source import units as reading
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.relocate import Relocation
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.units import ScopeCommand, Unit, significant, units

MOST_ADDED = 1000
"""How many added declarations a candidate is made of; more are no proof but a mistake."""


class DiffRefused(VsbError):
    """A returned file out of which no candidate can be made; the message says why."""


@dataclass(frozen=True)
class Extraction:
    """A candidate taken out of a changed file.

    Attributes:
        proof: the target's body, from its separator on; empty if it is what it was.
        auxiliary: declarations to go before the target.
        notes: what was done beyond taking the body, or left out, by short names:
            ``moved-declarations`` (some stood elsewhere than before the target), ``where-helpers``
            (some are recursive with the target and went into its ``where`` part),
            ``target-moved``, ``target-prefix`` (``… in`` before it went into the proof),
            ``changed-proofs``, ``changed-later`` and ``missing-later`` (of other declarations;
            ignored), ``new-imports`` (ignored), ``other-modules`` (declarations taken from them).
    """

    proof: str
    auxiliary: str
    notes: tuple[str, ...] = ()


def extract(
    original: Source,
    target: Declaration,
    returned: str,
    *,
    imported: Sequence[tuple[str, str]] = (),
    commands: Iterable[str] = (),
) -> Extraction:
    """The candidate that a changed file amounts to.

    Args:
        original: the file as it was given to the prover.
        target: the declaration of ``original`` to be proved.
        returned: the text that came back.
        imported: other modules that the returned file imports and that are new or changed: their
            text as given (empty if new) and as it came back, imports first.
        commands: see :func:`pytest_vsb.source.scanner.scan`.

    Raises:
        DiffRefused: the target is gone or its statement changed, a definition that it may rest on
            changed or is gone, or an added declaration cannot stand before the target.
    """
    return _Diff(original, target, returned, frozenset(commands)).run(imported)


class _Diff:
    def __init__(
        self, original: Source, target: Declaration, returned: str, commands: frozenset[str]
    ) -> None:
        self.original = original
        self.target = target
        self.commands = commands
        self.returned = scan(returned, commands=commands)
        self.notes: dict[str, None] = {}
        before = units(original)
        self.place = next(u for u in before if u.declaration == target)
        self.move = Relocation(self.place)
        self.earlier = [u for u in before if u is not self.place and self._is_kept(u)]
        self.later = [u for u in before if u is not self.place and not self._is_kept(u)]

    def _is_kept(self, unit: Unit) -> bool:
        """Whether a unit of the original is still there when the proof is judged."""
        block = self.target.mutual
        return unit.start < self.target.span.start or (block is not None and unit.block == block)

    def run(self, imported: Sequence[tuple[str, str]]) -> Extraction:
        after = units(self.returned)
        mine = self._find_target(after)
        found = mine.declaration
        assert found is not None
        if set(self.returned.imports) - set(self.original.imports):
            self._note("new-imports")
        elsewhere = [unit for pair in imported for unit in self._of_module(*pair)]
        if elsewhere:
            self._note("other-modules")
        others = [unit for unit in after if unit is not mine]
        kept, later = self._match(others, self.earlier, self.later)
        # What stood after the target goes with it where the target now rests on it.
        passed = [unit for unit in later if unit.start < mine.start]
        if passed:
            self._note("target-moved")
        known = {*kept, *later} - {*passed}
        added = [unit for unit in others if unit not in known]
        if len(added) + len(elsewhere) > MOST_ADDED:
            raise DiffRefused(f"more than {MOST_ADDED} declarations were added")
        inside = [unit for unit in added if unit.block is not None and unit.block == mine.block]
        leading = [unit for unit in added if unit.start < mine.start and unit not in inside]
        trailing = [unit for unit in added if unit.start > mine.start and unit not in inside]
        body = found.body.of(self.returned.text) if found.body else ""
        chosen = [*elsewhere, *leading]
        freed, helpers = self._split_inside(inside, body, chosen)
        freed += self._rescued(trailing, body, [*chosen, *freed])
        chosen = _inserted(chosen, freed)
        if self._is_displaced(chosen, mine):
            self._note("moved-declarations")
        auxiliary = self.move.write(chosen) + self._scope_lines(mine)
        proof = self._with_helpers(self._with_prefixes(found, body), helpers)
        if proof == body and significant(body) == significant(self._old_body()):
            proof = ""
        return Extraction(proof, auxiliary.strip("\n"), tuple(self.notes))

    def _note(self, name: str) -> None:
        self.notes[name] = None

    def _old_body(self) -> str:
        body = self.target.body
        return body.of(self.original.text) if body else ""

    # The target

    def _find_target(self, after: Sequence[Unit]) -> Unit:
        name = self.target.full_name
        there = [u for u in after if u.declaration and u.declaration.full_name == name]
        if not there:
            raise DiffRefused(f"the returned file has no declaration {name}")
        wanted = _statement(self.original.text, self.target)
        same = [u for u in there if _same_statement(u, wanted)]
        if not same:
            raise DiffRefused(f"the statement of {name} was changed")
        found = same[0].declaration
        assert found is not None
        if found.body is None:
            raise DiffRefused(f"{name} was left without a body")
        if (found.kind in _THEOREMS) != (self.target.kind in _THEOREMS):
            raise DiffRefused(f"{name} was made {found.kind}, and it was {self.target.kind}")
        return same[0]

    def _with_prefixes(self, found: Declaration, body: str) -> str:
        """The body, with the new ``open … in`` and the like before the target made part of it."""
        index = self._prefixes(self.returned.text, found)
        known = Counter(self._prefixes(self.original.text, self.target).keys())
        new = [text for key, text in index.items() if not known[key]]
        if not new or not body.startswith(":="):
            return body
        self._note("target-prefix")
        lines = "".join(f"\n  {' '.join(text.split())} in" for text in new)
        rest = body[2:]
        return f":={lines}{rest if rest[:1].isspace() else ' ' + rest}"

    @staticmethod
    def _prefixes(text: str, declaration: Declaration) -> dict[tuple[str, ...], str]:
        return {
            significant(prefix): prefix
            for prefix in reading.prefixes(text, declaration)
            if prefix.split()[:1] in (["open"], ["set_option"])
        }

    def _scope_lines(self, mine: Unit) -> str:
        """Scope commands in force at the target that were not so before it was proved."""
        new = list(self.move.new_scope(mine))
        found = mine.declaration
        assert found is not None
        if found.body is None or not found.body.of(self.returned.text).startswith(":="):
            known = self._prefixes(self.original.text, self.target)
            for key, text in self._prefixes(self.returned.text, found).items():
                if key not in known:
                    self._note("target-prefix")
                    new.append(ScopeCommand(text, key))
        return "".join(f"\n{command.text}\n" for command in new)

    # What was added, and what was changed

    def _match(
        self, after: Sequence[Unit], needed: Sequence[Unit], free: Sequence[Unit]
    ) -> tuple[list[Unit], list[Unit]]:
        """The units of a returned file that stand for those of its original.

        Args:
            after: the returned file's.
            needed: those of the original that must be there as they were.
            free: those of the original that may be missing or changed.
        """
        same: dict[tuple[str, ...], list[int]] = {}
        by_name: dict[str, list[int]] = {}
        for place in reversed(range(len(after))):
            same.setdefault(after[place].key, []).append(place)
            if after[place].name:
                by_name.setdefault(after[place].name, []).append(place)
        taken: set[int] = set()
        kept: list[Unit] = []
        later: list[Unit] = []
        for unit in needed:
            number = _take(same.get(unit.key, []), taken)
            if number is None:
                number = self._changed(unit, after, by_name.get(unit.name, []), taken)
            if number is not None:
                taken.add(number)
                kept.append(after[number])
        for unit in free:
            number = _take(same.get(unit.key, []), taken)
            if number is not None:
                taken.add(number)
                later.append(after[number])
            elif unit.declaration is not None:
                there = set(by_name.get(unit.name, [])) - taken
                self._note("changed-later" if there else "missing-later")
        return kept, later

    def _changed(
        self, unit: Unit, after: Sequence[Unit], there: list[int], taken: set[int]
    ) -> int | None:
        """A needed unit that is not there as it was: the unit that stands for it, if any is needed.

        Raises:
            DiffRefused: what the target may rest on is another now.
        """
        declaration = unit.declaration
        if declaration is None or declaration.kind == "example":
            return None
        number = _take(list(there), taken) if unit.name else None
        label = unit.name or f"an anonymous {declaration.kind}"
        if number is None:
            raise DiffRefused(f"{label}, which comes before the target, is gone or was changed")
        wanted = _statement(unit.text, declaration)
        if declaration.kind in _THEOREMS and _same_statement(after[number], wanted):
            self._note("changed-proofs")
            return number
        raise DiffRefused(f"{label}, which comes before the target, was changed")

    def _of_module(self, given: str, returned: str) -> list[Unit]:
        before = units(scan(given, commands=self.commands))
        after = units(scan(returned, commands=self.commands))
        kept, _ = self._match(after, before, ())
        return [unit for unit in after if unit not in set(kept)]

    # What can go before the target

    def _split_inside(
        self, inside: Sequence[Unit], body: str, others: Sequence[Unit]
    ) -> tuple[list[Unit], list[Unit]]:
        """Of what was added to the target's mutual block, what is used: that which can stand
        before the block, and that which is recursive with it."""
        block = self.target.mutual
        fixed = {self.target.full_name}
        fixed |= {u.name for u in self.earlier if block is not None and u.block == block}
        used = _used(inside, [body, *(u.source for u in others)])
        bound = _bound(used, fixed)
        return [unit for unit in used if unit not in bound], bound

    def _with_helpers(self, body: str, helpers: Sequence[Unit]) -> str:
        """The target's body with declarations that are recursive with it as its ``where`` part.

        Raises:
            DiffRefused: they cannot be written so.
        """
        if not helpers:
            return body
        self._note("where-helpers")
        pieces = [body.rstrip(), "where"]
        words = significant(body)
        for unit in helpers:
            declaration = unit.declaration
            plain = (
                declaration is not None
                and declaration.kind in (*_THEOREMS, "def")
                and not declaration.attributes
                and not set(declaration.modifiers) - {"private", "protected"}
                and not reading.prefixes(unit.text, declaration)
                and declaration.name.isidentifier()
            )
            if declaration is None or not plain or "where" in words:
                raise DiffRefused(
                    f"{unit.name} was added to the target's mutual block and uses its "
                    "declarations; a candidate cannot add to the block"
                )
            text = unit.text[declaration.keyword.end : declaration.span.end].strip()
            pieces += [f"  {line}" if line.strip() else "" for line in text.split("\n")]
        return "\n".join(pieces)

    def _rescued(self, trailing: Sequence[Unit], body: str, others: Sequence[Unit]) -> list[Unit]:
        """Of what was added after the target, what is used and rests on nothing after it."""
        fixed = {self.target.full_name, *(u.name for u in self.later)}
        used = _used(trailing, [body, *(u.source for u in others)])
        bound = _bound(used, fixed)
        return [unit for unit in used if unit not in bound]

    def _is_displaced(self, chosen: Sequence[Unit], mine: Unit) -> bool:
        return any(
            u.start > mine.start or u.namespace != self.place.namespace or self.move.new_scope(u)
            for u in chosen
        )


_THEOREMS = frozenset({"theorem", "lemma"})


def _statement(text: str, declaration: Declaration) -> tuple[str, ...]:
    """What a declaration states: its binders and type, without its keyword and name."""
    tokens = significant(text[declaration.keyword.end : declaration.statement.end])
    name = significant(declaration.name)
    return tokens[len(name) :] if name and tokens[: len(name)] == name else tokens


def _same_statement(unit: Unit, wanted: tuple[str, ...]) -> bool:
    return unit.declaration is not None and _statement(unit.text, unit.declaration) == wanted


def _take(numbers: list[int], taken: set[int]) -> int | None:
    """The first number not taken yet; the numbers stand in falling order and are used up."""
    while numbers:
        number = numbers.pop()
        if number not in taken:
            return number
    return None


def _mentions(unit: Unit, names: Iterable[str]) -> bool:
    """Whether a unit's text may name one of these declarations."""
    return any(name and name.rsplit(".", 1)[-1] in unit.words for name in names)


def _used(some: Sequence[Unit], texts: Sequence[str]) -> list[Unit]:
    """Those that the texts name, and those that these name in turn, in order."""
    words: set[str] = set()
    for text in texts:
        words |= reading.words(text)
    used: set[int] = set()
    while True:
        more = [
            number
            for number, unit in enumerate(some)
            if number not in used and unit.name and unit.name.rsplit(".", 1)[-1] in words
        ]
        if not more:
            return [unit for number, unit in enumerate(some) if number in used]
        for number in more:
            used.add(number)
            words |= some[number].words


def _bound(some: Sequence[Unit], fixed: Iterable[str]) -> list[Unit]:
    """Those that rest on declarations of these names, directly or through others of them."""
    names = set(fixed)
    bound: list[Unit] = []
    while True:
        more = [unit for unit in some if unit not in bound and _mentions(unit, names)]
        if not more:
            return bound
        bound += more
        names |= {unit.name for unit in more}


def _inserted(chosen: Sequence[Unit], freed: Sequence[Unit]) -> list[Unit]:
    """Declarations that stood too late put where they are first used, else at the end."""
    order = list(chosen)
    for unit in reversed(freed):
        place = next((n for n, u in enumerate(order) if _mentions(u, [unit.name])), len(order))
        # Before the whole mutual block that uses it.
        while 0 < place < len(order) and _together(order[place - 1], order[place]):
            place -= 1
        order.insert(place, unit)
    return order


def _together(one: Unit, other: Unit) -> bool:
    return one.block is not None and one.block == other.block and one.text is other.text
