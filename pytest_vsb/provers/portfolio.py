"""The candidate proofs of the automation prover, best first.

Every entry is one proof: a few scripts joined by ``first``, each of which has to close all goals.
The scripts are templates over the variables and hypotheses of a statement; none knows of a theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_vsb.provers.statement import Statement, Variable
from pytest_vsb.provers.surroundings import Surroundings

#: Tactics that not every Lean 4 has. A parser that lacks one refuses the whole proof.
OPTIONAL = ("omega", "solve_by_elim", "grind")

_NO_INDUCTION = frozenset({"Type", "Prop", "Sort", "Char", "String", "Float"})
_DEFINITION_LIMIT = 8
_LEMMA_LIMIT = 8
_GUESS_LIMIT = 5
_TARGET_LIMIT = 3
_RULE_LIMIT = 4


@dataclass(frozen=True)
class Hints:
    """What feedback taught: names that do not exist, tactics that do not, names worth a try."""

    unknown: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()


class Kit:
    """What the templates of one statement are filled with."""

    def __init__(self, statement: Statement, around: Surroundings, hints: Hints) -> None:
        self.statement = statement
        self.hints = hints
        definitions = around.relevant_definitions(statement, _DEFINITION_LIMIT)
        equations = around.relevant_lemmas(statement, _LEMMA_LIMIT, equations=True)
        self.local = {known.name for known in around.definitions}
        self.definitions = self._known(known.name for known in definitions)
        subjects = {word for known in equations for word in known.mentions}
        # A lemma about a function says more than its definition, which would hide its name.
        self.uncovered = self._known(
            known.name for known in definitions if known.recursive or known.last not in subjects
        )
        self.unfoldable = self._known(known.name for known in definitions if not known.recursive)
        self.equations = self._known(known.name for known in equations if not known.simp)
        lemmas = around.relevant_lemmas(statement, _LEMMA_LIMIT, equations=False)
        self.lemmas = self._known(known.name for known in lemmas if not known.circular)
        self.constructors = self._known(around.relevant_constructors(statement, 10))
        taken = {*self.definitions, *self.equations}
        guesses = [*hints.names, *_guesses(statement), *around.borrowed]
        self.guesses = tuple(
            name for name in self._known(dict.fromkeys(guesses)) if name not in taken
        )[:_GUESS_LIMIT]

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.hints.unknown)

    def has(self, tactic: str) -> bool:
        """Whether a tactic may be used."""
        return tactic not in self.hints.without

    @property
    def data(self) -> tuple[Variable, ...]:
        """The variables worth an induction, goal-bound ones in their order."""
        found = [
            v
            for v in self.statement.variables
            if v.role == "data" and v.head not in _NO_INDUCTION and v.name != "_"
        ]
        plain = [v for v in found if v.head not in ("Nat", "List", "Bool", "Option", "")]
        return tuple([*plain, *(v for v in found if v not in plain)][:_TARGET_LIMIT])

    @property
    def hypotheses(self) -> tuple[Variable, ...]:
        found = [
            v for v in self.statement.variables if v.role == "hypothesis" and "∀" not in v.type
        ]
        return tuple(found[:_TARGET_LIMIT])

    def intro(self, variable: Variable | None = None) -> str:
        """The tactic that introduces what stands before the goal, up to ``variable`` if given."""
        names = list(self.statement.intros)
        if variable is not None and variable.name in names:
            names = names[: names.index(variable.name) + 1]
        elif variable is not None:
            names = []
        return f"intro {' '.join(names)}" if names else "skip"

    def generalizing(self, target: Variable) -> str:
        """The ``generalizing`` clause for an induction over ``target``, or nothing."""
        words = set(target.type.replace("(", " ").replace(")", " ").split())
        names = [
            v.name
            for v in self.statement.variables
            if v.role in ("data", "function")
            and v.bound != "section"
            and v.name not in ("_", target.name)
            and v.name not in words
            and v.type
            and (v.bound == "binder" or target.bound == "goal")
        ]
        if target.bound == "goal" and target.name in self.statement.intros:
            later = self.statement.intros[self.statement.intros.index(target.name) :]
            names = [name for name in names if name not in later]
        return f" generalizing {' '.join(names)}" if names else ""


def portfolio(statement: Statement, around: Surroundings, hints: Hints) -> tuple[str, ...]:
    """All candidate proofs for a statement, best first, none twice."""
    kit = Kit(statement, around, hints)
    entries: list[str] = []
    for template in _TEMPLATES:
        scripts = list(dict.fromkeys(script for script in template(kit) if script))
        if scripts:
            entries.append(_proof(scripts))
    return tuple(dict.fromkeys(entries))


def _proof(scripts: Sequence[str]) -> str:
    if len(scripts) == 1:
        return f"by\n  {scripts[0]}\n"
    return "by\n  first\n" + "".join(f"    | {_bracketed(script)}\n" for script in scripts)


def _bracketed(script: str) -> str:
    return f"({script.removeprefix('skip; ')})"


def _simp(tactic: str, names: Iterable[str]) -> str:
    arguments = ", ".join(dict.fromkeys(names))
    return f"{tactic} [{arguments}]" if arguments else tactic


def _first(*alternatives: str) -> str:
    kept = list(dict.fromkeys(a for a in alternatives if a))
    return kept[0] if len(kept) == 1 else f"(first | {' | '.join(kept)})"


def _done(tactics: str) -> str:
    return f"({tactics}; done)"


def _optional(kit: Kit, tactic: str, call: str = "") -> str:
    return (call or tactic) if kit.has(tactic) else ""


def _rewriting(kit: Kit) -> list[str]:
    """Scripts that close one goal by simplification, the likeliest first."""
    full = _simp("simp_all", [*kit.definitions, *kit.equations])
    folded = _simp("simp_all", [*kit.uncovered, *kit.equations])
    # A name that does not exist spoils only its own step.
    guessing = "".join(f"(try simp only [{name}] at *) <;> " for name in kit.guesses)
    return [_done(f"{guessing}{folded}"), _done(full)]


def _close_equation(kit: Kit) -> str:
    """Closes one goal by computation and rewriting, or fails."""
    full = _simp("simp_all", [*kit.definitions, *kit.equations])
    unfolded = _simp("simp only", kit.definitions)
    return _first(
        "rfl",
        *_rewriting(kit),
        f"({unfolded} <;> (repeat' split) <;> {full})",
        _optional(kit, "omega"),
        *kit.hints.closers,
    )


def _close_logic(kit: Kit) -> str:
    """Closes one goal by applying constructors, lemmas and hypotheses, or fails."""
    search = _optional(kit, "solve_by_elim")
    rules = [*kit.constructors, *kit.lemmas[:_RULE_LIMIT]]
    return _first(
        "assumption",
        "rfl",
        "contradiction",
        _simp(search, rules) if search else "",
        f"(constructor <;> {_first('assumption', 'rfl', search)})",
        *kit.hints.closers,
    )


def _close(kit: Kit) -> str:
    """Closes one goal by either way, or fails."""
    search = _optional(kit, "solve_by_elim")
    rules = [*kit.constructors, *kit.lemmas[:_RULE_LIMIT]]
    return _first(
        "rfl",
        "assumption",
        "contradiction",
        _simp(search, rules) if search else "",
        *_rewriting(kit),
        f"(constructor <;> {_first('assumption', 'rfl', search)})",
        *kit.hints.closers,
    )


def _standard(kit: Kit) -> Iterable[str]:
    """One call of each closing tactic."""
    calls = ["rfl", "assumption", "contradiction", "trivial", "decide"]
    yield from (f"intros; {call}; done" for call in calls)
    yield _optional(kit, "omega", "intros; omega")
    # Last, since Lean reports how the last one failed.
    yield from (f"intros; {call}; done" for call in ("simp", "simp_all"))
    yield from (f"intros; {call}" for call in kit.hints.closers)


def _compute(kit: Kit) -> Iterable[str]:
    """Unfolding, case distinctions and extensionality, without induction."""
    full = [*kit.definitions, *kit.equations]
    yield f"intros; {_close_equation(kit)}"
    close = _close(kit)
    for name in kit.unfoldable[:3]:
        yield f"intros; unfold {name}; (repeat' split) <;> {close}"
    for name in kit.unfoldable[:2]:
        yield f"intros; unfold {name} at *; (repeat' split at *) <;> {close}"
    names = [v.name for v in kit.data if v.bound != "goal"][:3]
    compare = "".join(f"(try by_cases i = {name}) <;> " for name in names)
    yield f"intros; funext i; {compare}{_simp('simp_all', full)}"
    yield f"intros; funext _; {_simp('simp only', full)}; (repeat' split) <;> {close}"


def _induction(kit: Kit, close: str) -> Iterable[str]:
    # Under hypotheses an induction over data is dear, as each is simplified in each case.
    targets = kit.data[:1] if kit.hypotheses else kit.data
    for variable in targets:
        clause = kit.generalizing(variable)
        start = f"{kit.intro(variable)}; induction {variable.name}"
        yield f"{start}{clause} <;> intros <;> {close}"
        if clause and variable is kit.data[0]:
            yield f"{start} <;> intros <;> {close}"


def _induct_compute(kit: Kit) -> Iterable[str]:
    yield from _induction(kit, _close_equation(kit))
    for variable in kit.data[:1]:
        # What this leaves open is what a repair learns from.
        simplify = _simp("simp_all", [*kit.definitions, *kit.equations])
        yield f"{kit.intro(variable)}; induction {variable.name} <;> intros <;> try {simplify}"


def _induct_logic(kit: Kit) -> Iterable[str]:
    return _induction(kit, _close_logic(kit))


def _invert(kit: Kit) -> Iterable[str]:
    """Case analysis of hypotheses."""
    close = _close(kit)
    names = [v.name for v in kit.hypotheses]
    for name in names:
        yield f"{kit.intro()}; cases {name} <;> {close}"
    for one, two in pairwise(names):
        yield f"{kit.intro()}; cases {one} <;> cases {two} <;> {close}"


def _rule_induction(kit: Kit) -> Iterable[str]:
    """Induction over a hypothesis."""
    close = _close(kit)
    names = [v.name for v in kit.hypotheses]
    for variable in kit.hypotheses[:2]:
        start = f"{kit.intro(variable)}; induction {variable.name}"
        others = [name for name in names if name != variable.name]
        clause = kit.generalizing(variable)
        yield f"{start} <;> intros <;> {close}"
        if clause:
            yield f"{start}{clause} <;> intros <;> {close}"
        for other in others[:1]:
            yield f"{start}{clause} <;> intros <;> cases {other} <;> {close}"


def _search(kit: Kit) -> Iterable[str]:
    """Search with the lemmas and constructors of the file."""
    close = _close_logic(kit)
    if kit.has("solve_by_elim"):
        rules = [*kit.lemmas, *kit.constructors]
        yield f"intros; {_simp('solve_by_elim', rules)}"
        yield f"(repeat intro _); {_simp('solve_by_elim', rules)}"
    yield f"intros; refine ⟨?_, ?_⟩ <;> intros <;> {close}"
    yield f"intros; exact ⟨_, {_first('assumption', 'rfl')}⟩"
    yield f"intros; apply Exists.intro; {close}"


def _equivalence(kit: Kit) -> Iterable[str]:
    """Both directions of an equivalence, with the assumption taken apart."""
    close = _close(kit)
    deep = f"cases h <;> (try rename_i h₁ h₂) <;> (try cases h₁) <;> (try cases h₂) <;> {close}"
    both = f"constructor <;> intro h <;> {_first(close, f'(cases h <;> {close})', f'({deep})')}"
    yield f"intros; {both}"
    yield f"(repeat intro _); {both}"
    for name in kit.unfoldable[:2]:
        yield f"intros; unfold {name}; (repeat intro _); {both}"
    for variable in kit.data[:2]:
        yield f"{kit.intro(variable)}; cases {variable.name} <;> intros <;> {both}"


def _cases(kit: Kit) -> Iterable[str]:
    """Case analysis of data."""
    close = _close_equation(kit)
    for variable in kit.data:
        yield f"{kit.intro(variable)}; cases {variable.name} <;> intros <;> {close}"
    names = [v for v in kit.data if v.bound != "goal"]
    for one, two in pairwise(names):
        yield f"{kit.intro()}; cases {one.name} <;> cases {two.name} <;> {close}"


def _induct_cases(kit: Kit) -> Iterable[str]:
    """Induction over data, then case analysis of a hypothesis or of further data."""
    close = _close(kit)
    for variable in kit.data[:2]:
        clause = kit.generalizing(variable)
        others = [*kit.hypotheses, *(v for v in kit.data if v != variable)][:2]
        for other in others:
            names = kit.intro() if other.bound == "goal" else kit.intro(variable)
            yield (
                f"{names}; induction {variable.name}{clause} <;> intros "
                f"<;> cases {other.name} <;> {close}"
            )


def _grind(kit: Kit) -> Iterable[str]:
    """The strongest tactic of recent Leans."""
    if kit.has("grind"):
        call = _simp("grind", [*kit.definitions, *kit.equations])
        yield f"intros; {call}"
        for variable in kit.data[:2]:
            yield f"{kit.intro(variable)}; induction {variable.name} <;> {call}"


_TEMPLATES: tuple[Callable[[Kit], Iterable[str]], ...] = (
    _standard,
    _induct_compute,
    _compute,
    _rule_induction,
    _search,
    _invert,
    _cases,
    _equivalence,
    _induct_logic,
    _induct_cases,
    _grind,
)


def _guesses(statement: Statement) -> tuple[str, ...]:
    """Names of functions that may live in other files: ``x.f`` for ``x : T`` means ``T.f``."""
    types = {v.name: v.head for v in statement.variables if v.head[:1].isupper()}
    found: dict[str, None] = {}
    for name in statement.identifiers:
        first, _, rest = name.partition(".")
        if not rest:
            continue
        if first in types:
            for part in rest.split("."):
                found[f"{types[first]}.{part}"] = None
        elif first[:1].isupper():
            found[name] = None
    return tuple(found)
