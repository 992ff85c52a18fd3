"""Which reference proofs the policy on candidate text would refuse, by construct.

    python bench/refusals.py DIRECTORY... [--policy PROFILE] [--definitions] [--samples N]

Every theorem and lemma with a body of every Lean file below the directories is judged as a
candidate twice: its body as a proof, and all of it as the one auxiliary declaration. A refusal of
what does not really use the refused construct is a fault of the policy.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.judge.policy import PROFILES, find_forbidden
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.scanner import scan

LEMMAS = frozenset({"theorem", "lemma"})
DEFINITIONS = frozenset({"def", "abbrev", "instance", "example"})
SKIPPED = frozenset({"build", "lake-packages"})


@dataclass(frozen=True)
class Found:
    """One refusal: of which construct, as which part, and the line that holds it."""

    construct: str
    part: str
    place: str
    line: str


def files_below(directory: Path) -> Iterator[Path]:
    """The Lean files that are a project's own: nothing hidden and nothing built."""
    for path in sorted(directory.rglob("*.lean")):
        inner = path.relative_to(directory).parts
        if not any(part.startswith(".") or part in SKIPPED for part in inner) and path.is_file():
            yield path


def measure(path: Path, profile: str, kinds: frozenset[str]) -> tuple[int, list[Found]]:
    """How many declarations of a file have a body, and what is refused of them."""
    try:
        source = scan(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError) as error:
        print(f"skipped: {path}: {error}", file=sys.stderr)
        return 0, []
    count, found = 0, []
    for declaration in source.declarations:
        if declaration.kind in kinds and declaration.body is not None:
            count += 1
            found += _refusals(path, source, declaration, profile)
    return count, found


def _refusals(
    path: Path, source: Source, declaration: Declaration, profile: str
) -> Iterator[Found]:
    assert declaration.body is not None
    for auxiliary, proof, span in (
        ("", declaration.body.of(source.text), declaration.body),
        (declaration.span.of(source.text), "", declaration.span),
    ):
        refusal = find_forbidden(auxiliary, proof, profile=profile)
        if refusal is not None:
            text = auxiliary or proof
            line = text.split("\n")[refusal.line - 1].strip()
            number = source.line_of(span.start) + refusal.line - 1
            yield Found(refusal.construct, refusal.part, f"{path}:{number}", line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIRECTORY")
    parser.add_argument("--policy", choices=sorted(PROFILES), default="strict")
    parser.add_argument("--definitions", action="store_true", help="definitions and examples, too")
    parser.add_argument("--samples", type=int, default=3, help="lines shown per construct")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    kinds = LEMMAS | DEFINITIONS if options.definitions else LEMMAS
    total, by_part = 0, {"proof": defaultdict(list), "auxiliary": defaultdict(list)}
    paths = [path for directory in options.directories for path in files_below(directory)]
    with ProcessPoolExecutor(options.jobs) as pool:
        work = pool.map(
            measure,
            paths,
            [options.policy] * len(paths),
            [kinds] * len(paths),
            chunksize=50,
        )
        for count, found in work:
            total += count
            for each in found:
                by_part[each.part][each.construct].append(each)
    print(f"{len(paths)} files, {total} declarations with a body, policy {options.policy}")
    for part, constructs in by_part.items():
        refused = sum(map(len, constructs.values()))
        print(f"\nas {part}: {refused} refused ({refused / max(total, 1):.3%})")
        counts = Counter({construct: len(found) for construct, found in constructs.items()})
        for construct, number in counts.most_common():
            print(f"  {number:6}  {construct}")
            for each in constructs[construct][: options.samples]:
                print(f"            {each.place}: {each.line[:120]}")


if __name__ == "__main__":
    main()
