"""Tokens: what a provider counted, and about how many a text has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(r"[^\r\n\w]?[^\W\d_]+|\d| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


@dataclass(frozen=True)
class Tokens:
    """What a provider counted: ``input`` is all input; what was read from a cache, or written to
    one for its usual or a longer time, are parts of it."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_write: int = 0
    long_cache_write: int = 0


def estimate_tokens(texts: Iterable[str]) -> int:
    """About how many tokens the texts have.

    A text is cut as the tokenizers of the GPT and Qwen families first cut it; a word then counts
    one token for every seven letters, a run of signs one for every three, a character beyond ASCII
    one for every two bytes of its UTF-8 form. For this project's Lean files and documents that is
    within 8 % of what Qwen's tokenizer counts, and 1 % over it on average.
    """
    return sum(map(_estimate, texts))


@lru_cache(maxsize=256)
def _estimate(text: str) -> int:
    # Cached: a task's context is the same for all its samples and rounds.
    total = 0
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece.isascii():
            letters = sum(map(str.isalpha, piece))
            signs = 0 if letters else len(piece.strip())
            tokens = math.ceil(letters / 7) + math.ceil(signs / 3)
        else:
            letters = sum(c.isascii() and c.isalpha() for c in piece)
            tokens = math.ceil(letters / 7) + sum(
                math.ceil(len(c.encode("utf-8", "replace")) / 2) for c in piece if not c.isascii()
            )
        total += max(1, tokens)
    return total
