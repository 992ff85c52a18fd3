"""Small repositories to index."""

from __future__ import annotations

from pathlib import Path

LAKEFILE = 'name = "small"\n\n[[lean_lib]]\nname = "Small"\n'

BASIC = """\
/-! Basics. -/

namespace Small

/-- Doubles. -/
def double (n : Nat) : Nat := n + n

theorem double_zero : double 0 = 0 := by
  -- SECRET
  rfl

example : double 1 = 2 := SECRET

private lemma aux (h : 1 = 1) :
    double 2 = 4 := SECRET h

end Small
"""

MORE = """\
import Small.Basic
import Mathlib.Data.Nat.Basic

open Small

variable (n : Nat)

mutual
inductive Even
  | zero
  | next (o : Odd)

inductive Odd
  | next (e : Even)
end

instance : Inhabited Even := ⟨.zero⟩

theorem Small.double_pos : 0 < n → 0 < double n
  | h => SECRET h
"""


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Files by their paths below ``root``."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def small(root: Path) -> Path:
    """A repository of a library with two modules and its root."""
    return write(
        root,
        {
            "lakefile.toml": LAKEFILE,
            "Small.lean": "import Small.More\n",
            "Small/Basic.lean": BASIC,
            "Small/More.lean": MORE,
        },
    )
