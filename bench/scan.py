"""How fast Lean files are scanned, and how much of them is recognised.

    python bench/scan.py DIR [DIR...] [--worst N] [--check]

Each DIR is a repository, or a folder of repositories with --each. All ``.lean`` files below it,
but not those below ``.lake``, ``build`` and hidden folders, are read first; what is timed is
scanning alone, by the processor time of this one process. A repository's own commands are looked
for in all its files before, and that time counts. The goals: 3 MB of UTF-8 a second, and less than
0.5 % of the bytes in commands that are not recognised.

Options:
    --each      take each folder in each DIR for a repository
    --worst N   list the N commonest first words of commands that are not recognised
    --check     also check that the spans of each file's commands are the file (not timed)
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_vsb.source import Source, commands_introduced, scan

SKIPPED = {"build", "lake-packages"}


@dataclass
class Measured:
    """What was found in one repository, or in all."""

    name: str
    files: int = 0
    skipped: int = 0
    size: int = 0
    unknown: int = 0
    commands: int = 0
    declarations: int = 0
    custom: int = 0
    seconds: float = 0.0
    first_words: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, other: Measured) -> None:
        for name in (
            *("files", "skipped", "size", "unknown", "commands", "declarations", "custom"),
            "seconds",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.first_words.update(other.first_words)
        for word, place in other.examples.items():
            self.examples.setdefault(word, place)

    def row(self) -> str:
        speed = self.size / self.seconds / 1e6 if self.seconds else 0.0
        share = 100 * self.unknown / self.size if self.size else 0.0
        return (
            f"{self.name:32.32} {self.files:6} {self.size / 1e6:7.2f} {self.commands:8} "
            f"{self.declarations:8} {self.custom:7} {self.seconds:8.2f} {speed:6.2f} {share:8.3f}"
        )


HEADER = (
    f"{'':32} {'files':>6} {'MB':>7} {'commands':>8} {'declar.':>8} {'custom':>7} "
    f"{'seconds':>8} {'MB/s':>6} {'unknown %':>8}"
)


def lean_files(root: Path) -> Iterator[Path]:
    """The Lean files below ``root``, in order."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith("."))
        for name in sorted(files):
            if name.endswith(".lean"):
                yield Path(folder, name)


def measure(root: Path, *, check: bool) -> Measured:
    """Reads and scans one repository."""
    found = Measured(root.name)
    texts: list[tuple[Path, str]] = []
    for path in lean_files(root):
        try:
            texts.append((path, path.read_bytes().decode("utf-8")))
        except (OSError, UnicodeDecodeError):
            found.skipped += 1
    began = time.process_time()
    own = frozenset().union(*(commands_introduced(text) for _, text in texts))
    found.seconds += time.process_time() - began
    for path, text in texts:
        began = time.process_time()
        source = scan(text, commands=own)
        found.seconds += time.process_time() - began
        count(found, path, source)
        if check and "".join(c.span.of(text) for c in source.commands) != text:
            raise SystemExit(f"{path}: the spans of its commands are not the file")
    return found


def count(found: Measured, path: Path, source: Source) -> None:
    """Adds what one file holds."""
    found.files += 1
    found.size += len(source.text.encode())
    found.commands += len(source.commands)
    found.declarations += len(source.declarations)
    for command in source.commands:
        found.custom += command.kind == "custom"
        if command.kind != "unknown":
            continue
        piece = command.span.of(source.text)
        size = len(piece.encode())
        found.unknown += size
        word = first_word(piece)
        found.first_words[word] += size
        found.examples.setdefault(word, f"{path}:{source.line_of(command.span.start)}")


def first_word(piece: str) -> str:
    """The first word of a command's text, whatever it is."""
    words = piece.split(None, 1)
    return words[0][:40] if words else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("roots", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--worst", type=int, default=0, metavar="N")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    roots: list[Path] = []
    for root in options.roots:
        if not root.is_dir():
            parser.error(f"{root} is not a folder")
        roots += sorted(p for p in root.iterdir() if p.is_dir()) if options.each else [root]
    print(HEADER)
    total = Measured("total")
    for root in roots:
        found = measure(root, check=options.check)
        if found.files or found.skipped:
            total.add(found)
            print(found.row(), flush=True)
    print(total.row())
    if total.skipped:
        print(f"not UTF-8 or not readable: {total.skipped} files")
    for word, size in total.first_words.most_common(options.worst):
        print(f"{size:9} bytes  {word:40} {total.examples[word]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
