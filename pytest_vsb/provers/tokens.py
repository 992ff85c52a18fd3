"""Tokens as a provider counted them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tokens:
    """What a provider counted: ``input`` is all input; what was read from a cache, or written to
    one for its usual or a longer time, are parts of it."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_write: int = 0
    long_cache_write: int = 0
