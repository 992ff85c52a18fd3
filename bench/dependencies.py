"""How well dependencies are told from the text, and how quickly.

    python bench/dependencies.py demo [DIR]
    python bench/dependencies.py released --repos DIR --released FILE.jsonl [--verbose]
    python bench/dependencies.py speed DIR [DIR ...]

`demo` compares what the text says with what Lean says (its `.ilean` files) of a project that the
embedded Lean can compile. `released` compares with the lists of a task file in the form of the
VeriSoftBench dataset; DIR has one folder for each repository, with the proofs in place. Where its
proofs were stripped, only what statements use can be found. `speed` reads whole repositories with
an empty cache, and again. Nothing is written into the repositories.
"""

from __future__ import annotations

import argparse
import bisect
import json
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.lean import toolchain
from pytest_vsb.lean.project import open_project
from pytest_vsb.repository import Index, Ref, Store, open_index
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.ilean import IleanStore
from pytest_vsb.repository.scopes import components
from pytest_vsb.repository.stream import Stream
from pytest_vsb.repository.uses import Use
from pytest_vsb.source import DeclarationNotFound
from pytest_vsb.tasks import official
from pytest_vsb.tasks.model import Origin, Task

DEMO = Path(__file__).parents[1] / "benchmark" / "demo"
Counts = Counter[str]


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table as Markdown has it."""
    head = list(head)
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def percent(part: int, whole: int) -> str:
    """A share, or a dash of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


# Against Lean


def demo(root: Path) -> int:
    """Compare the text with Lean on a project; 1 if the goals are missed."""
    project = open_project(root, toolchain.find("embedded", project=root))
    index = open_index(root)
    exact = Resolver(index, build=IleanStore(project.search_path(list(index.modules))))
    read = Resolver(index)
    names, parts, library = Counts(), Counts(), Counts()
    for ref, uses in exact.uses_all():
        said = {(use.module, use.entry): use for use in uses if use.entry >= 0}
        told = {(use.module, use.entry): use for use in read.uses(ref) if use.entry >= 0}
        names["both"] += len(said.keys() & told.keys())
        names["missed"] += len(said.keys() - told.keys())
        names["wrong"] += len(told.keys() - said.keys())
        parts["both"] += sum(said[key].part == told[key].part for key in said.keys() & told.keys())
        for key in said.keys() ^ told.keys():
            what = "missed" if key in said else "wrong"
            use = said.get(key) or told[key]
            print(f"{what}: {index.entry(ref).name} uses {use.name} ({use.part})")
        libraries = [
            {use.name for use in found if use.entry < 0} for found in (uses, read.uses(ref))
        ]
        library["both"] += len(libraries[0] & libraries[1])
        library["missed"] += len(libraries[0] - libraries[1])
        library["wrong"] += len(libraries[1] - libraries[0])
    for note in exact.notes:
        print(note)
    rows = []
    for name, counts in (("the project's", names), ("libraries'", library)):
        told_all = counts["both"] + counts["wrong"]
        said_all = counts["both"] + counts["missed"]
        rows.append(
            (
                name,
                said_all,
                told_all,
                percent(counts["both"], told_all),
                percent(counts["both"], said_all),
            )
        )
    table(("names", "Lean says", "the text says", "precision", "recall"), rows)
    print(f"the same part: {percent(parts['both'], names['both'])}")
    met = names["both"] >= 0.98 * max(
        names["both"] + names["wrong"], names["both"] + names["missed"]
    )
    return 0 if met else 1


# Against released lists


@dataclass(frozen=True)
class Case:
    """One released task, and the declaration that it is about."""

    task: Task
    ref: Ref
    resolver: Resolver
    words: frozenset[str]
    """What the declaration's text names, each name by its last component."""


def released(repos: Path, file: Path, verbose: bool) -> int:
    """Compare with released lists; 1 if the goal for recall is missed."""
    totals, libraries, causes = Counts(), Counts(), Counts()
    for case in cases(repos, file):
        compare(case, totals, causes, verbose)
        compare_libraries(case, libraries)
    for role in ("lemma", "definition"):
        occurring = totals[f"{role} both occurs"] + totals[f"{role} missed occurs"]
        table(
            (f"{role}s of the project", "count"),
            [
                ("released, found in the repository", totals[f"{role} released"]),
                ("of these, a name of the text can mean it", occurring),
                ("of these, found here too", totals[f"{role} both occurs"]),
                ("recall", percent(totals[f"{role} both occurs"], occurring)),
                ("found here, not released", totals[f"{role} more"]),
            ],
        )
        print()
    table(("what is released and not found here", "count"), causes.most_common())
    print()
    occurring = libraries["both"] + libraries["missed occurs"]
    table(
        ("names of libraries", "count"),
        [
            ("released", libraries["released"]),
            ("of these, their last component is in the text", occurring),
            ("of these, found here too", libraries["both"]),
            ("recall", percent(libraries["both"], occurring)),
            ("found here, not released", libraries["more"]),
        ],
    )
    found = totals["lemma both occurs"] + totals["definition both occurs"]
    missed = totals["lemma missed occurs"] + totals["definition missed occurs"]
    return 0 if found >= 0.95 * (found + missed) else 1


def cases(repos: Path, file: Path) -> Iterator[Case]:
    """The tasks of a file whose declarations are in the repositories."""
    resolvers: dict[str, Resolver] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        record = {"thm_stmt": "theorem", **json.loads(line)}
        task = official.task_of(record, Origin(file, number))
        if task.repository not in resolvers:
            resolvers[task.repository] = Resolver(open_index(repos / task.repository))
        resolver = resolvers[task.repository]
        index = resolver.index
        module = index.modules.by_path(task.path)
        try:
            if module is None:
                raise DeclarationNotFound(f"no file {task.path}")
            ref = resolver.find(full_name(index, task.name, module.name), module=module.name)
        except DeclarationNotFound as error:
            print(f"left out: {task.id}: {error.message}")
            continue
        yield Case(task, ref, resolver, words_of(index, ref))


def full_name(index: Index, name: str, module: str) -> str:
    """The full name in a module of what a task names with or without its namespace."""
    names = {entry.name for entry in index.entries(module)}
    longer = [other for other in names if other.endswith(f".{name}")]
    return longer[0] if name not in names and len(longer) == 1 else name


def words_of(index: Index, ref: Ref) -> frozenset[str]:
    """The last components of the names in a declaration's text, and those selected from others."""
    entry = index.entry(ref)
    text = (index.root / entry.path).read_text(encoding="utf-8")[entry.start : entry.end]
    start = max(text.find(f"{entry.kind} "), 0)
    words = Stream(text, start, len(text))
    found = set()
    for at, piece in enumerate(words.piece):
        if words.ident[at]:
            parts = components(piece)
            # `x.f.g` selects twice; `A.B.f` names one thing, in a namespace.
            found.update(parts[-1:] if parts[0][:1].isupper() else parts)
    return frozenset(found)


def compare(case: Case, totals: Counts, causes: Counts, verbose: bool) -> None:
    """Count what is released of the project and what is found of it."""
    index, resolver = case.resolver.index, case.resolver
    uses = [use for use in resolver.uses(case.ref) if use.entry >= 0]
    ours = {Ref(use.module, use.entry) for use in uses}
    explained = {components(use.name)[-1] for use in uses} | children(resolver, uses)
    theirs = set()
    finder = Finder(index, case.ref.module)
    for dependency in case.task.dependencies:
        if dependency.scope == "library":
            continue
        ref = finder.find(dependency.name, dependency.text)
        if ref is None:
            causes["a text that is in no declaration that is imported"] += 1
        elif ref != case.ref:
            theirs.add(ref)
    for ref in sorted(theirs, key=lambda ref: (ref.module, ref.position)):
        entry = index.entry(ref)
        totals[f"{entry.role} released"] += 1
        last = components(entry.name)[-1] if entry.name else ""
        if ref in ours:
            totals[f"{entry.role} both occurs"] += 1
        elif last not in case.words:
            causes["no name of the text can mean it"] += 1
        elif last in explained:
            causes["the name in the text is another declaration's, of the same last component"] += 1
        else:
            totals[f"{entry.role} missed occurs"] += 1
            causes["to be looked at"] += 1
            if verbose:
                print(f"{case.task.number} {case.task.name}: {entry.kind} {entry.name}")
    for ref in ours - theirs:
        totals[f"{index.entry(ref).role} more"] += 1


def children(resolver: Resolver, uses: list[Use]) -> set[str]:
    """The last components of constructors and fields of what is used."""
    found = set()
    for use in uses:
        for known in resolver.declared_by(Ref(use.module, use.entry)):
            found.add(components(known)[-1])
    return found


class Finder:
    """Finds the declarations that released texts are of, among those a module imports."""

    def __init__(self, index: Index, module: str) -> None:
        self.index = index
        self.modules = [*index.modules.closure(module), module]
        self._names: dict[str, list[Ref]] = {}
        self._starts: list[int] = []
        self._refs: list[Ref] = []
        texts = []
        length = 0
        for name in self.modules:
            for position, entry in enumerate(index.entries(name)):
                self._names.setdefault(components(entry.name)[-1], []).append(Ref(name, position))
                self._starts.append(length)
                self._refs.append(Ref(name, position))
                texts.append(" ".join(entry.text.split()) + "\0")
                length += len(texts[-1])
        self._text = "".join(texts)

    def find(self, name: str, text: str) -> Ref | None:
        """The declaration with a released name and text; that with the text if it has no name."""
        text = " ".join(text.split())
        if name:
            named = [
                ref for ref in self._names.get(components(name)[-1], ()) if self.has(ref, name)
            ]
            tail = text[text.find(name) :][:60] if text else ""
            for ref in named:
                if tail and tail in " ".join(self.index.entry(ref).text.split()):
                    return ref
            if len(named) == 1:
                return named[0]
        at = self._text.find(text[:45]) if len(text) > 25 else -1
        return self._refs[bisect.bisect_right(self._starts, at) - 1] if at >= 0 else None

    def has(self, ref: Ref, name: str) -> bool:
        """Whether a declaration has that name, with or without its namespace."""
        full = self.index.entry(ref).name
        return full == name or full.endswith(f".{name.removeprefix('_root_.')}")


def compare_libraries(case: Case, totals: Counts) -> None:
    """Count what is released of libraries and what is found of it."""
    ours = {use.name for use in case.resolver.uses(case.ref) if use.entry < 0}
    theirs = {d.name for d in case.task.dependencies if d.scope == "library"}
    # A text may leave out a namespace that is open.
    both = {name for name in theirs if any(f".{name}".endswith(f".{own}") for own in ours)}
    totals["released"] += len(theirs)
    totals["both"] += len(both)
    totals["missed occurs"] += sum(components(n)[-1] in case.words for n in theirs - both)
    totals["more"] += sum(not any(f".{n}".endswith(f".{own}") for n in both) for own in ours)


# Speed


def speed(roots: list[Path]) -> int:
    """Read whole repositories, with an empty cache and again."""
    rows = []
    for root in roots:
        with tempfile.TemporaryDirectory(prefix="pytest-vsb-") as scratch:
            store = Path(scratch, "store.sqlite3")
            row: list[object] = [root.name]
            for step in ("cold", "warm"):
                started = time.process_time()
                resolver = Resolver(open_index(root, store=Store(store)))
                uses = dict(resolver.uses_all())
                spent = time.process_time() - started
                if step == "cold":
                    row += [len(resolver.index.modules), len(uses)]
                    row.append(sum(map(len, uses.values())))
                row.append(f"{spent:.1f}")
            row.append(one(resolver, uses))
            row.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
            resolver.index.store.close()
            rows.append(row)
    table(
        ("repository", "modules", "declarations", "uses", "cold s", "warm s", "one ms", "peak MB"),
        rows,
    )
    return 0


def one(resolver: Resolver, uses: Mapping[Ref, object]) -> str:
    """Milliseconds for the dependencies of one declaration, the mean of some."""
    chosen = list(uses)[:: max(1, len(uses) // 100)]
    started = time.process_time()
    for ref in chosen:
        resolver.of_ref(ref)
    return f"{1000 * (time.process_time() - started) / max(1, len(chosen)):.1f}"


def main() -> int:
    """Run one of the comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    own = commands.add_parser("demo")
    own.add_argument("root", type=Path, nargs="?", default=DEMO)
    other = commands.add_parser("released")
    other.add_argument("--repos", type=Path, required=True)
    other.add_argument("--released", type=Path, required=True)
    other.add_argument("--verbose", action="store_true")
    quick = commands.add_parser("speed")
    quick.add_argument("roots", type=Path, nargs="+")
    options = parser.parse_args()
    if options.command == "demo":
        return demo(options.root)
    if options.command == "released":
        return released(options.repos, options.released, options.verbose)
    return speed(options.roots)


if __name__ == "__main__":
    sys.exit(main())
