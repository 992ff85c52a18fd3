"""What the judge says of one candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from pytest_vsb.lean.diagnostics import Diagnostic


class VerdictKind(str, Enum):
    """The outcomes of judging one candidate.

    Only ``accepted`` is a proof. ``unavailable`` says that the environment or the prover is
    broken: it leaves the pass@k denominator and is never a failure of the prover.
    """

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCOMPLETE = "incomplete"
    FORBIDDEN = "forbidden"
    UNSOUND = "unsound"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    MALFORMED = "malformed"
    UNAVAILABLE = "unavailable"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Verdict:
    """The judgement of one candidate.

    ``lean_seconds`` is the wall-clock time Lean ran, without waiting for a free slot;
    ``cpu_seconds`` the processor time it got in that, 0 where nobody knows; ``peak_memory_mb`` the
    resident memory of the largest process tree. ``assurance`` names the
    checks that really ran, weakest first, so that a reader knows what a verdict rests on.
    ``checker`` says what ran them: Lean processes of the candidate's own (``batch``), or a warm one
    that many share (``session``), which never accepts; ``cached`` that it is the verdict on an
    earlier, equal candidate, with the seconds and memory that it took then. ``compared`` says that
    a warm session was asked too, whose answer was held against it; it is no part of the verdict.
    """

    kind: VerdictKind
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    axioms: tuple[str, ...] = ()
    assurance: tuple[str, ...] = ()
    lean_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    toolchain: str = ""
    submission: str = ""
    checker: str = "batch"
    cached: bool = False
    compared: bool = field(default=False, compare=False)

    @property
    def accepted(self) -> bool:
        return self.kind is VerdictKind.ACCEPTED

    @property
    def spent_seconds(self) -> float:
        """Seconds that Lean ran for this candidate, not for an equal one before."""
        return 0.0 if self.cached else self.lean_seconds

    @property
    def counts(self) -> bool:
        """Whether the attempt belongs in the pass@k denominator."""
        return self.kind is not VerdictKind.UNAVAILABLE
