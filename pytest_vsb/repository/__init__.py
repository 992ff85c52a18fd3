"""A Lean repository as text: its modules, their order, and their declarations without proofs."""

from __future__ import annotations

from pytest_vsb.repository.index import Entry, Index, Piece, Ref, open_index
from pytest_vsb.repository.modules import Module, Modules, find_modules
from pytest_vsb.repository.store import Store, open_store

__all__ = [
    "Entry",
    "Index",
    "Module",
    "Modules",
    "Piece",
    "Ref",
    "Store",
    "find_modules",
    "open_index",
    "open_store",
]
