"""The prover that answers with the task's own proof: a check of task files and installations."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
)
from pytest_vsb.provers.options import check_no_argument, check_no_model, check_options


class ReferenceProver:
    """Gives the reference proof for every sample, and has nothing to add in repair rounds."""

    needs_reference = True
    deterministic = True
    default_samples = 1
    default_repairs = 0

    def __init__(self, spec: ProverSpec) -> None:
        check_no_model(spec)
        check_no_argument(spec)
        check_options(spec)
        self.name = "reference"

    def settings(self) -> Mapping[str, str]:
        return {}

    def prove(self, request: ProofRequest) -> Answer | None:
        """The reference proof in round 0.

        Raises:
            ProverUnavailable: the task file has none.
        """
        if request.round > 0:
            return None
        proof = request.task.reference_proof
        if proof is None or not proof.strip():
            origin = request.task.origin
            raise ProverUnavailable(
                f"the task file has no reference proof of {request.task.id!r}",
                where=str(origin) if origin else None,
            )
        return Answer(Candidate(proof=proof))

    def close(self) -> None:
        pass
