"""What accepted proofs look like: the measures of the VeriSoftBench paper's section 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_vsb.provers.base import Candidate
from pytest_vsb.report.tactics import COMBINATORS, tactics

UNFOLDING = frozenset("unfold delta unfold_let".split())
SIMPLIFYING = frozenset(
    "simp simpa simp_all simp_arith simp_all_arith simp! simp_all! simpa! simp? simpa? simp_all? "
    "dsimp dsimp! dsimp?".split()
)
AUTOMATION = SIMPLIFYING | frozenset(
    "omega bv_omega decide native_decide bv_decide grind aesop aesop? tauto itauto linarith "
    "nlinarith polyrith positivity norm_num norm_num1 norm_cast push_cast ring ring_nf ring1 "
    "field_simp abel group module linear_combination solve_by_elim fun_prop gcongr measurability "
    "continuity cutsat lia cc finish exact? apply? hint duper canonical infer_instance "
    "interval_cases sat_decide trivial".split()
)
"""Tactics that search or decide on their own, simplification among them."""

BRANCHING = frozenset(
    "cases cases' rcases induction induction' fun_induction fun_cases match split split_ifs "
    "by_cases constructor fin_cases interval_cases casesm cases_type and_intros split_ands "
    "if case case' next \u00b7".split()
)
"""Tactics that part a proof into branches, or focus on one."""

_DOT = "\u00b7"
_MOST = 30


@dataclass(frozen=True)
class Patterns:
    """Measures of some proofs. All but the first three and the histogram are fractions of one,
    None where there is nothing to divide by.

    Attributes:
        tasks: how many tasks the proofs are of.
        proofs: different accepted proofs; two of one task that read alike count once.
        tactic_uses: tactics in them, without focus dots and combinators.
        term_proofs: have no tactic at all.
        opens_with_unfold: their first tactic is ``unfold`` or ``delta``.
        closes_with_simp: their last one is of the ``simp`` family.
        automation_share: of the tactic uses, those that search or decide on their own.
        single_automation_call: are one tactic and nothing else, and that one is automation.
        branching: part into cases or goals, or focus on one.
        with_auxiliary: come with auxiliary declarations.
        mean_tactics: tactic uses a proof, no fraction.
        histogram: uses of each tactic, the most frequent first, 30 of them at most.
        first: the same of first tactics.
        last: the same of last ones.
    """

    tasks: int
    proofs: int
    tactic_uses: int
    term_proofs: float | None = None
    opens_with_unfold: float | None = None
    closes_with_simp: float | None = None
    automation_share: float | None = None
    single_automation_call: float | None = None
    branching: float | None = None
    with_auxiliary: float | None = None
    mean_tactics: float | None = None
    histogram: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, int] = field(default_factory=dict)
    last: Mapping[str, int] = field(default_factory=dict)


MEASURES: Mapping[str, str] = {
    "opens_with_unfold": "opens with unfold",
    "closes_with_simp": "closes with simp",
    "automation_share": "automation, of tactic uses",
    "single_automation_call": "one automation call",
    "branching": "branching",
    "term_proofs": "a term, no tactics",
    "with_auxiliary": "auxiliary declarations",
}


def patterns(proofs: Mapping[str, Iterable[Candidate]]) -> Patterns:
    """The measures of accepted proofs by task."""
    tasks = 0
    found: list[tuple[tuple[str, ...], bool]] = []
    for candidates in proofs.values():
        different = {
            (" ".join(each.proof.split()), " ".join(each.auxiliary.split())): each
            for each in candidates
        }
        found += [(tactics(c.proof), bool(c.auxiliary.strip())) for c in different.values()]
        tasks += bool(different)
    uses = [_uses(names) for names, _ in found]
    total = sum(map(len, uses))
    if not found:
        return Patterns(0, 0, 0)
    some = [names for names in uses if names]

    def share(count: int) -> float:
        return count / len(found)

    automatic = sum(name in AUTOMATION for names in uses for name in names)
    return Patterns(
        tasks=tasks,
        proofs=len(found),
        tactic_uses=total,
        term_proofs=share(sum(not names for names, _ in found)),
        opens_with_unfold=share(sum(names[0] in UNFOLDING for names in some)),
        closes_with_simp=share(sum(names[-1] in SIMPLIFYING for names in some)),
        automation_share=automatic / total if total else None,
        single_automation_call=share(
            sum(len(names) == 1 and names[0] in AUTOMATION for names in some)
        ),
        branching=share(sum(not BRANCHING.isdisjoint(names) for names, _ in found)),
        with_auxiliary=share(sum(auxiliary for _, auxiliary in found)),
        mean_tactics=total / len(found),
        histogram=_counts(name for names in uses for name in names),
        first=_counts(names[0] for names in some),
        last=_counts(names[-1] for names in some),
    )


def _uses(names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in COMBINATORS and name != _DOT]


def _counts(names: Iterable[str]) -> dict[str, int]:
    counted = Counter(names)
    order = sorted(counted, key=lambda name: (-counted[name], name))
    return {name: counted[name] for name in order[:_MOST]}
