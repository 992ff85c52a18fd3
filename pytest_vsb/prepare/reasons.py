"""Why a theorem is no task: every reason has a code and words for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

STATIC = {
    "unnamed": "has no name",
    "ambiguous": "another declaration of its module has the same name",
    "not_included": "not among those to include",
    "excluded": "excluded by the configuration",
    "hole": "has a hole in statement or proof",
    "rests_on_hole": "rests on something with a hole",
    "unproved": "has no proof",
    "unusable": "cannot be cut out of its file and found there again",
    "too_short": "its proof is too short",
    "too_long": "its proof is too long",
    "no_definition": "uses no definition of the repository",
}
"""The filters that need no Lean, in the order in which they are applied."""

JUDGED = {
    "cannot_be_judged": "cannot be judged: the environment fails",
    "stub": "its file does not compile with `sorry` for the proof",
    "reference_hole": "rests on a hole, as Lean finds",
    "reference_axioms": "rests on axioms of its own",
    "reference_refused": "its proof is not accepted",
    "automation": "standard automation proves it",
}
"""The filters that ask the judge, in the order in which they are applied."""

NOT_DRAWN = "not_drawn"
"""The code of a theorem that could be a task, for all that is known, but is not needed."""

NOT_DRAWN_WORDS = "passes all filters that need no Lean, but was not drawn"


@dataclass(frozen=True)
class Rejection:
    """A theorem that is no task.

    Attributes:
        module: its module.
        name: its full name, if it has one.
        line: the 1-based line of its keyword.
        reason: a code, of :data:`STATIC`, :data:`JUDGED`, or :data:`NOT_DRAWN`.
        words: what exactly is wrong.
    """

    module: str
    name: str
    line: int
    reason: str
    words: str


BROKEN = ("cannot_be_judged", "stub", "reference_hole", "reference_axioms", "reference_refused")
"""The reasons that speak of something wrong in the repository or around it."""


def causes(rejected: Iterable[Rejection], most: int = 5) -> tuple[str, ...]:
    """What is wrong with the repository or its surroundings, in lines, the most frequent first.

    Args:
        rejected: the theorems that are no tasks.
        most: how many lines there may be, and one that counts the rest.
    """
    counted: Counter[str] = Counter()
    for one in rejected:
        if one.reason == "cannot_be_judged":
            counted[one.words] += 1  # mostly the same for all theorems of a module
        elif one.reason == "stub":
            # "... as the proof of NAME: 3:19: ..." is the same but for the name.
            what = one.words.partition(f" {one.name}: ")[2] or one.words
            counted[f"{one.module}: {JUDGED[one.reason]}: {what}"] += 1
        elif one.reason in BROKEN:
            name = one.name or f"line {one.line}"
            counted[f"{name} in {one.module}: {JUDGED[one.reason]}: {one.words}"] += 1
    told = [f"{count:,}: {words}" for words, count in counted.most_common(most)]
    rest = counted.total() - sum(count for _, count in counted.most_common(most))
    return (*told, f"{rest:,}: for other causes") if rest else tuple(told)
