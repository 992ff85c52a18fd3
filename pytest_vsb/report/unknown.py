"""Unknown identifiers: where is the name that Lean did not know?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pytest_vsb.errors import VsbError
from pytest_vsb.repository.index import Index, Ref, open_index
from pytest_vsb.repository.library import is_core
from pytest_vsb.repository.scopes import components
from pytest_vsb.run.records import TaskFacts
from pytest_vsb.source.lexer import IDENT
from pytest_vsb.source.model import plain_name
from pytest_vsb.tasks.locate import project_root
from pytest_vsb.tasks.model import Task

Place = Literal[
    "other namespace",
    "not imported",
    "later in the file",
    "hidden",
    "library",
    "local",
    "nowhere",
    "not looked up",
]
PLACES: Mapping[Place, str] = {
    "other namespace": "in scope under another namespace",
    "not imported": "in the repository, in a module that is not imported",
    "later in the file": "in the task's file, at the target or after it",
    "hidden": "in scope under this very name, but private or shadowed",
    "library": "of a library's namespace: of another version, not imported, or made up",
    "local": "spelt like a hypothesis or variable",
    "nowhere": "nowhere in the repository, and of no library's namespace",
    "not looked up": "not of a library's namespace; the repository is not at hand",
}
"""What each place means."""

_ROOTS = frozenset(
    "Nat Int Rat Real Complex NNReal ENNReal EReal NNRat Fin BitVec UInt8 UInt16 UInt32 UInt64 "
    "USize Bool Char String Substring List Array Vector ByteArray Option Except Prod Sum Sigma "
    "PSigma Subtype Quot Quotient Setoid Eq Ne HEq Iff And Or Not Exists True False Decidable "
    "Function Set Finset Multiset Finsupp DFinsupp Fintype Finite Infinite Equiv Perm Order "
    "OrderDual OrderIso OrderHom Monotone StrictMono Antitone Lattice Filter Ideal Submodule "
    "Subgroup Subring Subalgebra Module LinearMap LinearEquiv Matrix Polynomial MvPolynomial "
    "PowerSeries RingHom RingEquiv MonoidHom AddMonoidHom MulEquiv AlgHom ZMod Units IsUnit Ring "
    "Field Group Monoid CommRing Algebra Std Batteries Lean Mathlib Classical Acc WellFounded "
    "WellFoundedRelation PUnit Unit Empty ULift PLift Id Thunk Task IO StateT ReaderT Monad "
    "ExceptT Relation LawfulMonad Functor Pure Bind HashMap RBMap TreeMap Stream Part PFun Rel "
    "SimpleGraph Cardinal Ordinal Topology Metric MeasureTheory Measure ProbabilityTheory PMF "
    "Trans LE LT Min Max Ord BEq LawfulBEq Hashable Inhabited Nonempty Subsingleton Unique Pi "
    "CategoryTheory Vector3 Sym Sym2 Tree Bitwise Trunc Encodable Computability Turing FreeMonoid "
    "Mod Dvd IsCoprime Associated Irreducible Prime".split()
)
"""First components of the names of Lean's core, Std, Batteries and Mathlib."""

_WORDS = frozenset(
    "add sub mul div mod pow neg inv abs sum prod zero one two succ pred le lt ge gt eq ne min max "
    "sup inf not and or iff imp ite dite if exists forall ext dvd gcd lcm sq sqrt exp log cast "
    "ofNat mem subset union inter compl map filter card cons append nil length get set pi sigma "
    "self bot top lift range image preimage comp id const fst snd mk of "
    "bex ball heq xor bit".split()
)
"""First words of lemmas of Mathlib's that stand in no namespace."""

_HYPOTHESIS = re.compile(
    r"(?:[a-zA-Z\u03b1-\u03c9]|hyp|inst|this|i?[hH]\w{0,2}|i?[hH]_\w+|[iI][hH])"
    r"['\d\u2080-\u2089]*(?:_\w)?\Z"
)


@dataclass
class Finder:
    """Looks names up in the repositories of tasks, each opened once.

    Attributes:
        repos: the directory of the repositories; without it only those are looked into that lie
            beside their task file.
        notes: repositories that could not be opened, and why.
    """

    repos: Path | None = None
    notes: list[str] = field(default_factory=list)
    _indexes: dict[Path, _Scope] = field(default_factory=dict)

    def place(self, name: str, facts: TaskFacts, task: Task | None = None) -> Place:
        """Where a name is that was unknown in the proof of a task."""
        if not name or "\u271d" in name or "?" in name:  # a name that Lean made
            return "local"
        scope = self._scope(facts, task)
        found = scope.place(name, facts) if scope is not None else None
        if found is not None:
            return found
        if is_of_library(name):
            return "library"
        if _HYPOTHESIS.match(name):
            return "local"
        return "nowhere" if scope is not None else "not looked up"

    def _scope(self, facts: TaskFacts, task: Task | None) -> _Scope | None:
        if task is None:
            task = Task(facts.id, facts.module, "", facts.name, "", repository=facts.repository)
        if not task.root and (self.repos is None or not task.repository):
            return None
        try:
            root = project_root(task, self.repos)
            if root not in self._indexes:
                self._indexes[root] = _Scope(open_index(root))
            return self._indexes[root]
        except VsbError as error:
            note = f"unknown identifiers: {task.repository or task.root}: {error.message}"
            if note not in self.notes:
                self.notes.append(note)
            return None


# A constructor after its bar, a field at the beginning of a line.
_MEMBER = re.compile(
    rf"(?:^|\s)\|\s*(?:@\[[^\]\n]*\]\s*)?(?P<constructor>{IDENT})"
    rf"|^[ \t]+(?:(?:private|protected)\s+)?(?P<field>{IDENT})\s*(?::(?!=)|[(\[{{])",
    re.MULTILINE,
)
_WITH_MEMBERS = frozenset(["inductive", "structure", "class", "class inductive"])


class _Scope:
    """The names of a repository by their last components.

    Constructors and fields are looked for in what a task's file imports alone, when no declaration
    has the name.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._by_last: dict[str, list[tuple[str, Ref]]] = {}
        for name, refs in index.names().items():
            last = components(name)[-1]
            self._by_last.setdefault(last, []).extend((name, ref) for ref in refs)
        self._members: dict[str, dict[str, list[tuple[str, Ref]]]] = {}

    def place(self, name: str, facts: TaskFacts) -> Place | None:
        """Where a name is; None if nothing in the repository ends like it."""
        name = plain_name(name)
        last = components(name)[-1]
        candidates = _alike(name, self._by_last.get(last, []))
        candidates = candidates or _alike(name, self._members_seen(last, facts))
        if not candidates:
            return None
        places = {self._seen(ref, facts) for _, ref in candidates}
        if "in scope" in places:
            exact = any(
                full == name and self._seen(ref, facts) == "in scope" for full, ref in candidates
            )
            return "hidden" if exact else "other namespace"
        return "later in the file" if "later" in places else "not imported"

    def _members_seen(self, last: str, facts: TaskFacts) -> list[tuple[str, Ref]]:
        """Constructors and fields of that name in the task's module and all that it imports."""
        own = self._index.modules.get(facts.module)
        if own is None:
            return []
        names = (*self._index.modules.closure(own.name), own.name)
        return [each for name in names for each in self._members_of(name).get(last, ())]

    def _members_of(self, module: str) -> dict[str, list[tuple[str, Ref]]]:
        if module not in self._members:
            found: dict[str, list[tuple[str, Ref]]] = {}
            for position, entry in enumerate(self._index.entries(module)):
                if entry.kind in _WITH_MEMBERS and entry.name:
                    for match in _MEMBER.finditer(entry.text):
                        name = match["constructor"] or match["field"]
                        full = f"{entry.name}.{name}"
                        found.setdefault(name, []).append((full, Ref(module, position)))
            self._members[module] = found
        return self._members[module]

    def _seen(self, ref: Ref, facts: TaskFacts) -> Literal["in scope", "later", "elsewhere"]:
        """Whether the task's target sees a declaration."""
        modules = self._index.modules
        own = modules.get(facts.module)
        if own is None:
            return "elsewhere"
        if ref.module == own.name:
            targets = self._index.find(facts.name, own.name)
            later = bool(targets) and ref.position >= targets[0].position
            return "later" if later else "in scope"
        return "in scope" if ref.module in modules.closure(own.name) else "elsewhere"


def _alike(name: str, found: list[tuple[str, Ref]]) -> list[tuple[str, Ref]]:
    """Of declarations with the same last component those with that name, else those that end in
    it, else, for a name with namespaces of no library, all of them."""
    exact = [(full, ref) for full, ref in found if full == name]
    ending = exact or [(full, ref) for full, ref in found if full.endswith(f".{name}")]
    if ending:
        return ending
    return found if "." in name and not is_of_library(name) else []


def is_of_library(name: str) -> bool:
    """Whether a name is in a namespace of Lean's core, Std, Batteries or Mathlib, or begins like
    a lemma of theirs that is in none."""
    parts = components(name)
    if parts[0] in _ROOTS or is_core(name):
        return True
    words = name.split("_")
    return len(parts) == 1 and len(words) > 1 and words[0] in _WORDS
