"""How much of the proofs of a repository shows in what provers are shown of it.

    python bench/leaks.py DIR [DIR...] [--top N] [--imports K] [--sample M] [--seed S]

For every theorem and lemma the longest run of its proof's tokens is looked up in the text without
proofs of its own file and of K of the files of the repository that it imports. Runs that statements
have too are no leaks and are left out. The columns: the longest run with statements (any) and
without; how many proofs have one that a prompt's check would look at; the same outside of
definitions, tactics' included, as the check does. Lengths are in tokens without comments.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.source import Source, Span, scan
from pytest_vsb.source.elide import PROVING, elided, proof_spans
from pytest_vsb.source.facts import Facts, facts_of, merge
from pytest_vsb.source.leak import LEAST, Matcher, tokens

SKIPPED = {".lake", "build", ".git"}
#: Commands that say what a tactic or notation of the repository is.
DEFINING = {"macro", "elab", "syntax", "notation", "simproc"}


@dataclass(frozen=True)
class Hit:
    """The longest run of one proof in one file: its length, where it is from and where it is."""

    length: int
    text: str
    theorem: str
    where: str
    also_defined: bool


def without(text: str, span: Span, spans: tuple[Span, ...]) -> str:
    """A part of a text without those spans."""
    pieces, pos = [], span.start
    for cut in spans:
        if span.contains(cut):
            pieces.append(text[pos : cut.start])
            pos = cut.end
    return " ".join((*pieces, text[pos : span.end]))


class Shown:
    """What a file shows: statements, definitions, and all else, each as runs to look up."""

    def __init__(self, source: Source, facts: Facts) -> None:
        statements: list[str] = []
        rest: list[str] = []
        definitions: list[str] = []
        for number, declaration in enumerate(source.declarations):
            end = f"\0{number}"
            statements += (*tokens(declaration.statement.of(source.text)), end)
            shown = elided(source, declaration, facts)
            body = shown[declaration.statement.end - declaration.span.start :]
            target = rest if declaration.kind in PROVING else definitions
            target += (*tokens(body), end)
        spans = proof_spans(source, facts)
        for command in source.commands:
            if command.declaration is None and not command.members:
                target = definitions if command.kind in DEFINING else rest
                target += (*tokens(without(source.text, command.span, spans)), "\0")
        self.statements = Matcher(statements)
        self.definitions = Matcher(definitions)
        self.rest = Matcher(rest)
        self.everything = Matcher([*statements, *definitions, *rest])
        self.size = len(statements) + len(definitions) + len(rest)


def files(root: Path) -> list[Path]:
    """The Lean files below a directory, without those of packages and builds."""
    return [
        path
        for path in sorted(root.rglob("*.lean"))
        if not SKIPPED.intersection(path.relative_to(root).parts)
    ]


def proofs(source: Source) -> Iterator[tuple[str, list[str]]]:
    """The theorems of a file with the tokens of their proofs."""
    for declaration in source.declarations:
        if declaration.kind in ("theorem", "lemma") and declaration.body is not None:
            yield declaration.full_name, tokens(declaration.body.of(source.text))


def look(name: str, proof: list[str], shown: Shown, where: str) -> Hit | None:
    """The longest run of a proof that a file shows and that is not in a statement of it."""
    best: tuple[int, int, bool] = (0, 0, False)
    for matcher, defined in ((shown.rest, False), (shown.definitions, True)):
        length, end = matcher.longest(proof)
        run = proof[end - length : end]
        # A statement's own words, also where something else repeats them, say nothing new.
        if length > best[0] and shown.statements.longest(run)[0] < length:
            best = (length, end, defined)
    length, end, defined = best
    return (
        Hit(length, " ".join(proof[end - length : end]), name, where, defined) if length else None
    )


def measure(root: Path, imports: int, sample: int, rng: random.Random) -> tuple[str, list[Hit]]:
    """One row of the table, and the hits of the repository."""
    began = time.perf_counter()
    sources = {path: scan(path.read_text("utf-8", "replace")) for path in files(root)}
    facts = merge((facts_of(source) for source in sources.values()), complete=True)
    chosen = sorted(sources)
    if sample and len(chosen) > sample:
        chosen = sorted(rng.sample(chosen, sample))
    modules = {".".join(path.relative_to(root).with_suffix("").parts): path for path in sources}
    kept: dict[Path, Shown] = {}

    def shown(path: Path) -> Shown:
        if path not in kept:
            if len(kept) > 40:
                kept.clear()
            kept[path] = Shown(sources[path], facts)
        return kept[path]

    hits: list[Hit] = []
    count = size = 0
    longest_any = 0
    for path in chosen:
        source = sources[path]
        imported = [modules[name] for name in source.imports if name in modules]
        others = rng.sample(imported, min(imports, len(imported)))
        count += sum(1 for _ in proofs(source))
        for other in (path, *others):
            there = shown(other)
            size += there.size
            for name, proof in proofs(source):
                longest_any = max(longest_any, there.everything.longest(proof)[0])
                hit = look(name, proof, there, f"{other.relative_to(root)}")
                if hit is not None:
                    hits.append(hit)
    hits.sort(key=lambda hit: -hit.length)
    other_hits = [hit for hit in hits if not hit.also_defined]
    lengths = [hit.length for hit in hits]
    row = (
        f"{root.name:32} {len(chosen):6} {count:7} {size:10} {longest_any:6}"
        f" {lengths[0] if lengths else 0:6} {sum(n >= LEAST for n in lengths):6}"
        f" {other_hits[0].length if other_hits else 0:6}"
        f" {sum(hit.length >= LEAST for hit in other_hits):6}"
        f" {time.perf_counter() - began:7.1f}"
    )
    return row, hits


def main() -> None:
    """Prints a row for each directory, then the longest runs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--top", type=int, default=20, help="how many of the longest runs to print")
    parser.add_argument("--imports", type=int, default=2, help="imported files for each file")
    parser.add_argument("--sample", type=int, default=0, help="at most that many files of each DIR")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    print(
        f"{'':32} {'files':>6} {'proofs':>7} {'tokens':>10} {'any':>6}"
        f" {'longest':>6} {f'>={LEAST}':>6} {'rest':>6} {f'>={LEAST}':>6} {'s':>7}"
    )
    hits: list[Hit] = []
    for root in options.roots:
        row, found = measure(root, options.imports, options.sample, rng)
        print(row, flush=True)
        hits += (hit for hit in found if hit.length >= LEAST)
    hits.sort(key=lambda hit: -hit.length)
    for hit in hits[: options.top]:
        part = "definition" if hit.also_defined else "rest"
        print(f"{hit.length:4} {hit.theorem} in {hit.where} ({part}): {hit.text[:300]}")
    print(f"{sum(not hit.also_defined for hit in hits)} outside of definitions")


if __name__ == "__main__":
    main()
