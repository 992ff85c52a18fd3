"""What a run may spend, over all its workers and sessions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import filelock
import msgspec

from pytest_vsb.errors import VsbError
from pytest_vsb.files import write_atomically
from pytest_vsb.provers.base import Usage


class BudgetExhausted(VsbError):
    """Nothing more may be asked of the prover: a limit of the run is reached."""


@dataclass(frozen=True)
class Spent:
    """What a run has spent so far: tokens in and out together, and US dollars. ``unpriced``
    counts tokens whose price is not known."""

    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def plus(self, usage: Usage) -> Spent:
        tokens = usage.input_tokens + usage.output_tokens
        return Spent(
            tokens=self.tokens + tokens,
            cost_usd=self.cost_usd + (usage.cost_usd or 0.0),
            unpriced=self.unpriced + (tokens if usage.cost_usd is None else 0),
        )


@dataclass(frozen=True)
class Budget:
    """The limits of a run and its account, ``budget.json``, which all workers share.

    Each worker looks before it asks, so a run goes over a limit by no more than what is under
    way at that moment.

    Args:
        path: the account; made when first needed.
        max_cost: US dollars, or ``None`` for no limit.
        max_tokens: tokens in and out, or ``None`` for no limit.
    """

    path: Path
    max_cost: float | None = None
    max_tokens: int | None = None
    _lock: filelock.FileLock = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lock = filelock.FileLock(self.path.with_name(self.path.name + ".lock"), thread_local=False)
        object.__setattr__(self, "_lock", lock)

    @property
    def limited(self) -> bool:
        return self.max_cost is not None or self.max_tokens is not None

    def check(self) -> None:
        """Raise ``BudgetExhausted`` if nothing more may be asked."""
        if not self.limited:
            return
        spent = self.spent()
        if self.max_tokens is not None and spent.tokens >= self.max_tokens:
            raise BudgetExhausted(
                f"budget: {spent.tokens} tokens spent of --vsb-max-tokens={self.max_tokens}"
            )
        if self.max_cost is None:
            return
        if spent.unpriced:
            raise BudgetExhausted(
                "budget: the price of the model is not known, so --vsb-max-cost cannot be kept",
                hint="give its price, or a limit in tokens: --vsb-max-tokens",
            )
        if spent.cost_usd >= self.max_cost:
            raise BudgetExhausted(
                f"budget: ${spent.cost_usd:.2f} spent of --vsb-max-cost={self.max_cost:g}"
            )

    def add(self, usage: Usage) -> None:
        """Charge one answer."""
        if not self.limited:
            return
        with self._lock:
            spent = self.spent().plus(usage)
            write_atomically(self.path, msgspec.json.encode(spent))

    def spent(self) -> Spent:
        """The account as it stands."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Spent)
        except FileNotFoundError:
            return Spent()
