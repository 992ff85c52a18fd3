"""Candidates kept as files: a head of comments, the auxiliary text, the proof."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.source.splice import normalise_proof

HERE = Path(__file__).parent


@dataclass(frozen=True)
class CandidateFile:
    """One candidate, its target, and the verdict that it must get: one kind, or ``A or B`` where
    it depends on how much library the Lean has. One that must be judged ``alone`` is about where
    a proof or the auxiliary text begins and ends, or about what cannot stand in a namespace."""

    name: str
    verdict: str
    target: str
    trick: str
    auxiliary: str
    proof: str
    alone: str = ""

    @property
    def verdicts(self) -> list[str]:
        """The kinds of verdict that are right."""
        return self.verdict.split(" or ")


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


def batch(candidates: list[CandidateFile], statement: str) -> str:
    """Auxiliary text that holds candidates for one statement, each in a namespace of its own."""
    pieces = []
    for candidate in candidates:
        space = f"Odd_{candidate.name}"
        theorem = f"theorem the_odd_one : {statement} {normalise_proof(candidate.proof)}"
        pieces.append(
            f"namespace {space}\n{candidate.auxiliary.rstrip()}\n{theorem}\nend {space}\n"
        )
    return "\n".join(pieces)
