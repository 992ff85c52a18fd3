"""Candidates kept as files: a head of comments, the auxiliary text, the proof."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class CandidateFile:
    """One candidate, its target, and the verdict that it must get."""

    name: str
    verdict: str
    target: str
    trick: str
    auxiliary: str
    proof: str


def read(path: Path) -> CandidateFile:
    """Read a file: ``-- key: value`` lines, ``--- auxiliary`` and ``--- proof`` parts."""
    # Not as text, which would lose the line ends that some candidates are about.
    head, _, proof = path.read_bytes().decode().partition("--- proof\n")
    facts, _, auxiliary = head.partition("--- auxiliary\n")
    pairs = dict(line.removeprefix("-- ").split(": ", 1) for line in facts.splitlines())
    return CandidateFile(path.stem, auxiliary=auxiliary, proof=proof, **pairs)


def read_all(directory: str) -> list[CandidateFile]:
    """The candidates of a directory beside this file, by name."""
    return [read(path) for path in sorted((HERE / directory).glob("*.lean"))]
