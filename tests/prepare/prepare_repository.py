"""A small repository with a theorem for every reason not to become a task."""

from __future__ import annotations

from pathlib import Path

LAKEFILE = 'name = "small"\n\n[[lean_lib]]\nname = "Small"\n'

TREE = """\
namespace Small

inductive Tree where
  | leaf : Tree
  | node : Tree → Tree → Tree

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l r => .node r.mirror l.mirror

def Tree.joined : Tree → Tree → Tree
  | .leaf, u => u
  | .node l r, u => .node l (r.joined u)

theorem mirror_leaf : Tree.leaf.mirror = Tree.leaf := rfl

theorem mirror_injective {s t : Tree} (h : s.mirror = t.mirror) : s = t := by
  have twice (t : Tree) : t.mirror.mirror = t := by
    induction t with
    | leaf => rfl
    | node l r hl hr => simp only [Tree.mirror, hl, hr]
  rw [← twice s, h, twice t]

theorem «left leaf» {t u : Tree} (h : t = u) :
    Tree.leaf.joined t = u := by
  subst h
  -- By computation.

  rfl

theorem plain : True ∧ True := ⟨trivial, trivial⟩

end Small
"""

TRUST = """\
import Small.Tree

namespace Small

axiom magic : ∀ p : Prop, p

notation "trust" => sorry

/-- No `sorry` here. -/
theorem by_magic : Tree.leaf.mirror = .node .leaf .leaf := magic _

theorem by_trust : Tree.leaf.mirror = .node .leaf .leaf := trust

theorem open_end (t : Tree) : t.mirror.mirror.mirror = t.mirror := by sorry

theorem on_it (t : Tree) : t.mirror.mirror.mirror.mirror = t.mirror.mirror := by
  rw [open_end]

theorem wrong : Tree.leaf.mirror = .node .leaf .leaf := rfl

theorem twice : Tree.leaf = Tree.leaf := rfl

theorem twice : Tree.leaf = Tree.leaf := rfl

theorem left_out : Tree.leaf.mirror = Tree.leaf := by
  rfl

end Small
"""

FAULT = """\
import Small.Tree

def fault : Nat := "no number"

theorem after_it : Small.Tree.leaf.mirror = .leaf := rfl
"""

FOREIGN = """\
import Small.Tree
import Elsewhere.Far

theorem foreign : Small.Tree.leaf.mirror = .leaf := rfl
"""

FILES = {
    "lakefile.toml": LAKEFILE,
    "Small/Tree.lean": TREE,
    "Small/Trust.lean": TRUST,
    "Small/Fault.lean": FAULT,
    "Small/Foreign.lean": FOREIGN,
}

REASONS = {
    "Small.mirror_leaf": "automation",
    "Small.mirror_injective": "",
    "Small.«left leaf»": "automation",
    "Small.plain": "no_definition",
    "Small.by_magic": "reference_axioms",
    "Small.by_trust": "reference_hole",
    "Small.open_end": "hole",
    "Small.on_it": "rests_on_hole",
    "Small.wrong": "reference_refused",
    "Small.twice": "ambiguous",
    "Small.left_out": "excluded",
    "after_it": "stub",
    "foreign": "cannot_be_judged",
}
"""What is to become of each theorem, with standard automation; an empty text for a task."""

CONFIG = 'exclude = ["*.left_out"]\n[categories]\n"Small.Trust" = "Trust"\n'


def write(root: Path, files: dict[str, str] = FILES) -> Path:
    """Files by their paths below ``root``."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    return root
