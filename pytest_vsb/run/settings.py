"""What a run was asked to do, in one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_vsb.context.kinds import DEFAULT_CONTEXT, ContextKind
from pytest_vsb.context.tokens import ESTIMATE
from pytest_vsb.executor.address import LOCAL, is_remote
from pytest_vsb.judge.outside.levels import Assurance
from pytest_vsb.judge.policy import Profile
from pytest_vsb.judge.warm import SessionMode
from pytest_vsb.lean.process import Limits
from pytest_vsb.provers.base import ProverSpec
from pytest_vsb.run.loop import Protocol


@dataclass(frozen=True)
class Settings:
    """The settings that attempts depend on, and where things are.

    ``policy`` is the profile that candidates must keep to, ``sandbox`` how Lean is confined: one of
    ``pytest_vsb.lean.sandbox.box.MODES``. ``assurance`` is what an accepted proof must have passed.
    ``session`` says whether warm Leans refuse candidates, which changes no verdict.
    ``lean`` is the request for a Lean (``auto``, ``elan``, ``embedded`` or a path); ``repos`` the
    directory of the repositories that task files name; ``lean_jobs`` bounds Lean processes over
    all workers; ``cache`` is whether verdicts are kept on disk, and believed from there.
    ``context`` is what a prover may see of a repository, in at most
    ``context_tokens`` as ``tokenizer`` counts them. ``max_cost`` (US dollars) and ``max_tokens``
    bound what the whole run may spend. ``executor`` says where checks are made, as
    ``pytest_vsb.executor.address`` has it.
    """

    model: str
    spec: ProverSpec
    protocol: Protocol
    limits: Limits
    context: ContextKind = DEFAULT_CONTEXT
    context_tokens: int | None = None
    tokenizer: str = ESTIMATE
    policy: Profile = "strict"
    sandbox: str = "auto"
    assurance: Assurance = "standard"
    session: SessionMode = "auto"
    lean: str = "auto"
    repos: Path | None = None
    lean_jobs: int = 1
    cache: bool = True
    max_cost: float | None = None
    max_tokens: int | None = None
    executor: str = LOCAL
    prover_settings: Mapping[str, str] = field(default_factory=dict)

    def identity(self) -> dict[str, Any]:
        """What must be the same for two sessions to belong to one run.

        The number of samples is not part of it: a resumed run may add some.
        """
        return {
            "model": self.model,
            "prover": dict(self.prover_settings),
            "seed": self.protocol.seed,
            "repairs": self.protocol.repairs,
            "context": str(self.context),
            "context_tokens": self.context_tokens,
            "tokenizer": self.tokenizer,
            "check_timeout": self.limits.wall_seconds,
            "check_memory_mb": self.limits.memory_mb,
            "policy": self.policy,
            "assurance": self.assurance,
            "lean": self.lean,
            # Of the same task, a cluster and a judge here keep other digests in the journal.
            **({"executor": "dask"} if is_remote(self.executor) else {}),
        }
