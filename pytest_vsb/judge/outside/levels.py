"""The levels of assurance that can be asked for."""

from __future__ import annotations

from typing import Literal

Assurance = Literal["standard", "replay", "comparator"]
ASSURANCES: tuple[Assurance, ...] = ("standard", "replay", "comparator")
"""``standard`` is what the judge does by itself. ``replay`` accepts nothing that no kernel has
checked a second time, and asks every replaying judge that is installed. ``comparator`` asks
comparator as well, and accepts nothing that it does not."""
