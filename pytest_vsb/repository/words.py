"""The words of Lean's terms and tactics that name nothing a repository could declare."""

from __future__ import annotations

from pytest_vsb.source.grammar import KEYWORDS

WORDS = KEYWORDS | frozenset(
    "_ true false Type Prop Sort this mut rec only using generalizing hiding renaming unless "
    "return break continue try catch finally nomatch nofun if let_fun suffices forall exists "
    "termination_by decreasing_by deriving extends infix macro elab default_instance lhs rhs arg "
    "enter conv in at structural".split()
)
