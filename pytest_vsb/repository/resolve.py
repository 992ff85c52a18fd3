"""Which declarations a declaration uses, told from the text alone: no Lean, nothing built.

Names are read as Lean reads them: namespaces, ``open``, ``export``, ``protected``, ``private``,
local names, dot notation where the type of what stands before the dot is written or can be followed
in the text. Where it cannot, what belongs to the types that were mentioned is taken, and otherwise
a name that only one type has. See docs/dependencies.md for the rules and what they miss.
"""

from __future__ import annotations

from collections.abc import Iterable

from pytest_vsb.repository.facts import TYPES, members
from pytest_vsb.repository.library import full_name, is_core, is_library_name, is_short
from pytest_vsb.repository.locals import EVERYWHERE, Local, Locals
from pytest_vsb.repository.names import Table, Target, Viewer
from pytest_vsb.repository.scopes import Place, Variables, components, inside, parent, places
from pytest_vsb.repository.stream import Stream
from pytest_vsb.repository.symbols import used
from pytest_vsb.repository.typed import Types
from pytest_vsb.repository.uses import Part, Use, Uses
from pytest_vsb.repository.variables import Group
from pytest_vsb.repository.walk import Walk
from pytest_vsb.source import Declaration, Source
from pytest_vsb.source.elide import PROVING
from pytest_vsb.source.grammar import CONTINUATIONS

_TYPED = TYPES | {"def", "abbrev"}
# Members of Lean's own types: of an unknown type, they are not the repository's.
_COMMON = frozenset(
    "Finite Nonempty add all and any append apply back beq bijective bind card cast coe coeFn "
    "comp compare compl concat congr cons contains data div drop elim elim0 endsWith eq erase "
    "error ext extract false filter filterMap find? findSome? finite flatten foldl foldlM "
    "foldr foldrM forIn forM front fst get get! get? getD getId getLast getLast? hash head "
    "head! head? id image induct injective inl inr insert inter intro inv invFun isEmpty "
    "isFalse isLt isNone isPrefixOf isSome isTrue join le left length lift lt map mapM max mem "
    "min mk modify modifyGet modifyM mp mpr mul natAbs ne neg nil none nonempty not ofNat ok "
    "or out pop pow pred preimage prod prop property pure push range raw refl replicate "
    "reverse rfl right run run' seq set size snd some splitOn startsWith sub subset succ sum "
    "surjective symm tail tail? take throw toArray toFinset toFun toInt toList toNat toString "
    "trans trim true tryCatch union unzip val zero zip zipWith".split()
)
_BEFORE_TACTIC = frozenset({"·", "by", "<;>", ";", "=>", "(", "|"})


def read_module(table: Table, module: str, source: Source) -> list[Reading]:
    """The declarations of a module, each read, in the order of the file, without examples."""
    found: list[Reading] = []
    groups: dict[Variables, Group] = {}
    for place in places(source):
        for variables in place.variables:
            if variables not in groups:
                groups[variables] = Group.of(source.text, variables)
        around = [groups[variables] for variables in place.variables]
        for declaration in members(place.command):
            if declaration.kind != "example":
                position = len(found)
                found.append(Reading(table, module, source, place, declaration, position, around))
    return found


class Reading:
    """One declaration, read.

    Attributes:
        uses: all that it uses, in the order of the text.
        symbol_uses: what is used by notations and macros only, whose names are not in the text.
        variables: the groups of ``variable`` commands that belong to it.
    """

    def __init__(
        self,
        table: Table,
        module: str,
        source: Source,
        place: Place,
        declaration: Declaration,
        entry: int,
        groups: list[Group],
    ) -> None:
        self._table = table
        self._declaration = declaration
        self._entry = entry
        self._scope = inside(place.scope, declaration)
        end = declaration.mutual.end if declaration.mutual is not None else declaration.span.start
        self._viewer = Viewer(module, declaration.span.start, end)
        self._found = Uses()
        self._by_symbol = Uses()
        self._used: dict[Target, None] = {}
        self._mentioned: dict[str, None] = {}
        self._words = Stream(source.text, declaration.statement.start, declaration.span.end)
        self._own = self._words
        self._body = (
            self._words.at(declaration.body.start)
            if declaration.body is not None
            else len(self._words)
        )
        self._by = next(
            (i for i in range(self._body, len(self._words)) if self._words.piece[i] == "by"),
            len(self._words),
        )
        self._automatic: dict[str, str] = {}
        self._known = table.symbols(self._viewer, self._scope)
        self._groups = groups
        self._walked: set[int] = set()
        self._types = Types(table, self._scope, self._viewer)
        self._types.local = self._locals()
        self._run(place.included)
        self.uses = self._found.all()
        self.symbol_uses = self._by_symbol.all()
        self.variables: tuple[Variables, ...] = tuple(
            variables for number, variables in enumerate(place.variables) if number in self._walked
        )

    def _locals(self) -> Locals:
        local = Locals()
        for number, group in enumerate(self._groups):
            for name in group.names:
                local.add(Local(name, 0, EVERYWHERE, -1, group.words, group.type, group=number))
        return local

    def _run(self, included: frozenset[str]) -> None:
        # What notations of the statement stand for is known to what follows.
        self._symbols(self._words, 0, self._body)
        Walk(self._words, self._declaration, self, self._types.local).run()
        self._symbols(self._words, self._body, len(self._words))
        for number, group in enumerate(self._groups):
            if not included.isdisjoint(group.names):
                self.variable(number)
        while (instance := self._next_instance()) is not None:
            self.variable(instance)

    def _next_instance(self) -> int | None:
        """An instance among the variables that belongs to the declaration and has not been read:
        Lean adds those all of whose variables it has."""
        for number, group in enumerate(self._groups):
            if number not in self._walked and group.instance:
                needed = [
                    other
                    for other, variables in enumerate(self._groups)
                    if other != number and not group.mentions.isdisjoint(variables.names)
                ]
                if needed and self._walked.issuperset(needed):
                    return number
        return None

    # What is used

    def _symbols(self, words: Stream, start: int, end: int) -> None:
        if not self._known:
            return
        telling = self._known.keys() & words.pieces()
        for at in sorted(at for piece in telling for at in words.places(piece)):
            if not start <= at < end:
                continue
            here = self._known[words.piece[at]]
            for module, scope, notation in used(words, at, start, end, here):
                for name in notation.names:
                    target = self._table.expanded(module, scope, notation, name)
                    if target is not None:
                        self._use(target, at, words, symbol=True)

    def _use(
        self, target: Target, at: int, words: Stream | None = None, *, symbol: bool = False
    ) -> None:
        known = target.known
        self._used[target] = None
        for name in (known.name if known.kind in _TYPED else "", self._table.type_of(target)):
            if name:
                self._mentioned.pop(name, None)
                self._mentioned[name] = None
        if known.entry < 0 or (target.module, known.entry) == (self._viewer.module, self._entry):
            return
        name = self._table.facts(target.module).names[known.entry] or known.name
        use = Use(name, target.module, known.entry, self._part(at, words))
        self._found.add(use)
        if symbol:
            self._by_symbol.add(use)

    def _part(self, at: int, words: Stream | None = None) -> Part:
        if (words if words is not None else self._words) is not self._own or at < self._body:
            return "statement"
        return "proof" if self._declaration.kind in PROVING else "body"

    def _library(self, name: str, at: int) -> None:
        if is_library_name(name):
            self._found.add(Use(full_name(name), "", -1, self._part(at)))

    # What the walk tells

    def name(self, name: str, at: int) -> None:
        """A name that is not local."""
        if at > self._by and name in CONTINUATIONS and self._is_tactic(name, at):
            return
        found = self._table.resolve(name, self._scope, self._viewer)
        if found is None:
            self._unknown(name, at)
            return
        target, rest = found
        self._use(target, at)
        if rest:
            self._path(self._table.type_of(target), rest, at)
        elif self._words is self._own:
            self._type_arguments(target, at)

    def _unknown(self, name: str, at: int) -> None:
        """A name that is neither local nor declared in the repository."""
        first, *rest = components(name)
        if is_short(first):
            # Lean binds such names by itself.
            if rest:
                self._path(self._automatic.get(first, ""), rest, at)
            return
        if name == "ℝ":
            name = self._extended(at)
        if not self._is_tactic(name, at):
            self._library(name.removeprefix("_root_."), at)

    def _type_arguments(self, target: Target, at: int) -> None:
        """Notes the types of names that are bound without one and are arguments here."""
        words = self._words
        if not target.known.arguments:
            return
        types: list[str] | None = None
        position = 0
        at += 1
        while at < len(words) and (words.ident[at] or words.piece[at] == "("):
            name = words.piece[at]
            local = self._types.local.get(name, at) if words.ident[at] else None
            if (local is not None and local.untyped) or (local is None and is_short(name)):
                types = self._table.arguments_of(target) if types is None else types
                kind = types[position] if position < len(types) else ""
                if local is not None:
                    local.known = kind
                else:
                    self._automatic.setdefault(name, kind)
            position += 1
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1

    def _extended(self, at: int) -> str:
        """Which reals a letter begins: ``ℝ``, ``ℝ≥0`` or ``ℝ≥0∞``."""
        after = "".join(self._words.piece[at + 1 : at + 4])
        if after.startswith("≥0∞"):
            return "ENNReal"
        return "NNReal" if after.startswith("≥0") and self._words.touches(at + 1) else "ℝ"

    def _is_tactic(self, name: str, at: int) -> bool:
        """Whether an unknown word stands where a tactic does."""
        words = self._words
        if "." in name or is_core(name) or self._part(at) != "proof":
            return False
        return words.first[at] or words.piece[at - 1] in _BEFORE_TACTIC

    def dotted(self, name: str, at: int, expected: str = "") -> Target | None:
        """``.name`` with nothing before it."""
        first, *rest = components(name)
        target = self._table.member(expected, first, self._viewer) if expected else None
        if target is None:
            if expected and self._table.lookup(expected, self._viewer) is None:
                return None
            target = self._guess(self._table.ending_in(first, self._viewer), at)
        if target is not None:
            self._use(target, at)
            if rest:
                self._path(self._table.type_of(target), rest, at)
        return target

    def member(self, local: Local, path: list[str], at: int) -> None:
        """``x.path`` of a local ``x``."""
        self._path(self._types.of(local, at), path, at)

    def selected(self, before: int, name: str, at: int) -> None:
        """``.name`` behind an expression."""
        kind = self._types.ends(self._words, before) if before >= 0 else ""
        self._path(kind, components(name), at)

    def constructor(self, name: str, at: int, expected: str, *, dotted: bool) -> Target | None:
        """The constructor that a name in a pattern is, if it is one."""
        if dotted:
            return self.dotted(name, at, expected)
        found = self._table.resolve(name, self._scope, self._viewer)
        if found is None or found[1] or found[0].known.kind != "constructor":
            return None
        self._use(found[0], at)
        return found[0]

    def alternative(self, name: str, at: int, expected: str) -> Target | None:
        """The constructor that an alternative of a tactic is for."""
        short = components(name)[-1]
        target = self._table.member(expected, short, self._viewer) if expected else None
        if target is None:
            if expected and self._table.lookup(expected, self._viewer) is None:
                return None
            constructors = (
                target
                for target in self._table.ending_in(short, self._viewer)
                if target.known.kind == "constructor"
            )
            target = self._guess(constructors, at)
        if target is not None:
            self._use(target, at)
        return target

    def arguments(self, target: Target | None, *, implicit: bool) -> list[str]:
        """The types of a constructor's arguments."""
        return self._table.arguments_of(target, implicit=implicit) if target is not None else []

    def components_of(self, expected: str) -> list[str]:
        """The types of the fields of a structure."""
        return self._types.fields_of(expected)

    def subject(self, at: int) -> str:
        """The type of the expression that begins at a token."""
        return self._types.subject(self._words, at)

    def equations(self) -> list[str]:
        """The types of what the equations of the declaration match."""
        target = self._self()
        if target is None:
            return []
        return self._table.arguments_of(target)[target.known.equations :]

    def conclusion(self) -> str:
        """The type of what the declaration yields."""
        target = self._self()
        return self._table.type_of(target) if target is not None else ""

    def _self(self) -> Target | None:
        module = self._viewer.module
        known = self._table.declared(module, self._entry)
        return Target(module, known) if known is not None else None

    def fields(self, names: list[str], at: int) -> None:
        """The fields that a structure instance gives."""
        found = []
        for field in self._table.ending_in(components(names[0])[0], self._viewer):
            owner = parent(field.known.name)
            if field.known.kind == "field" and all(
                self._table.member(owner, components(name)[0], self._viewer) is not None
                for name in names
            ):
                found.append(field)
        owners = {parent(field.known.name) for field in found}
        target = found[0] if len(owners) == 1 and len(names) > 1 else self._guess(found, at)
        if target is not None:
            self._use(target, at)

    def variable(self, group: int) -> None:
        """A variable of that group is used, and so is what its type says."""
        if group in self._walked:
            return
        self._walked.add(group)
        variables = self._groups[group]
        before = self._words, self._types.local
        self._words, self._types.local = variables.words, self._locals()
        start, end = variables.type if variables.type is not None else (0, len(variables.words))
        Walk(variables.words, self._declaration, self, self._types.local).span(start, end)
        self._symbols(variables.words, start, end)
        self._words, self._types.local = before

    # Members of what is not known

    def _path(self, kind: str, path: Iterable[str], at: int) -> None:
        target: Target | None
        for name in path:
            if kind:
                target = self._table.member(kind, name, self._viewer)
                if target is None:
                    owner = self._table.lookup(kind, self._viewer)
                    if owner is None:
                        self._library(f"{kind}.{name}", at)
                    elif owner.known.kind not in TYPES:
                        # A definition may compute any type.
                        kind = ""
            else:
                target = None
            if not kind:
                selected = (
                    other
                    for other in self._table.ending_in(name, self._viewer)
                    if other.known.kind != "constructor"
                )
                target = self._guess(selected, at)
            if target is None:
                return
            self._use(target, at)
            kind = self._table.type_of(target)

    def _guess(self, targets: Iterable[Target], at: int) -> Target | None:
        """The one of several declarations that can be meant; None if that cannot be told.

        Only what belongs to a type that is mentioned, here or in what is used here, comes into
        question, or else what only one type has. In a proof, proofs come before data, elsewhere
        data before proofs; then what was mentioned last.
        """
        found = list(targets)
        if not found:
            return None
        ranks = {name: rank for rank, name in enumerate(self._mentioned)}
        near = self._near() if any(parent(t.known.name) not in ranks for t in found) else set()
        proving = self._part(at) == "proof"
        best: tuple[tuple[bool, bool, int], Target] | None = None
        for target in found:
            owner = parent(target.known.name)
            if owner not in ranks and (owner not in near or self._is_common(target)):
                continue
            rank = (self._proves(owner) == proving, owner in ranks, ranks.get(owner, -1))
            if best is None or rank > best[0]:
                best = (rank, target)
        if best is not None:
            return best[1]
        owners = {parent(target.known.name) for target in found}
        return found[0] if len(owners) == 1 and not self._is_common(found[0]) else None

    def _is_common(self, target: Target) -> bool:
        """Whether Lean's own types have a member of that name, too."""
        last = components(target.known.name)[-1]
        return last in _COMMON and target.known.kind != "constructor"

    def _proves(self, owner: str) -> bool:
        """Whether what belongs to a type of that name is a proof."""
        kind = self._table.lookup(owner, self._viewer)
        return kind is not None and (kind.known.proves or kind.known.head == "Prop")

    def _near(self) -> set[str]:
        """The types that what was used so far mentions."""
        found: set[str] = set()
        for target in self._used:
            found |= self._table.near(target)
        return found
