"""pytest-vsb: measure how well AI provers prove software-verification theorems in Lean 4."""

__version__ = "0.1.0"
