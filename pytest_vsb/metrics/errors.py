"""What kind of error a message of Lean's is, by its kind tag or its wording.

The five classes are those of the VeriSoftBench paper's Table 7; the finer ones are ours. Wordings
are those of Lean v4.8 to v4.35 and of Mathlib's tactics: names were first quoted by ' and later by
`, the first word was first in lower case, and since v4.20 or so some messages carry a tag.
"""

from __future__ import annotations

import re
from typing import Literal

ErrorClass = Literal[
    "unknown identifier", "type mismatch", "unsolved goals", "tactic failure", "other"
]
CLASSES: tuple[ErrorClass, ...] = (
    "unknown identifier",
    "type mismatch",
    "unsolved goals",
    "tactic failure",
    "other",
)

FINE: dict[str, ErrorClass] = {
    "unknown identifier": "unknown identifier",
    "unknown field": "unknown identifier",
    "unknown namespace": "unknown identifier",
    "type mismatch": "type mismatch",
    "argument mismatch": "type mismatch",
    "function expected": "type mismatch",
    "type expected": "type mismatch",
    "unsolved goals": "unsolved goals",
    "rewrite failed": "tactic failure",
    "motive": "tactic failure",
    "no progress": "tactic failure",
    "apply failed": "tactic failure",
    "arithmetic": "tactic failure",
    "search failed": "tactic failure",
    "decide failed": "tactic failure",
    "rfl failed": "tactic failure",
    "case analysis": "tactic failure",
    "intro failed": "tactic failure",
    "no goals": "tactic failure",
    "case names": "tactic failure",
    "other tactic": "tactic failure",
    "syntax": "other",
    "instance": "other",
    "universe": "other",
    "ambiguous": "other",
    "anonymous constructor": "other",
    "placeholder": "other",
    "invalid field": "other",
    "named argument": "other",
    "missing cases": "other",
    "elimination": "other",
    "termination": "other",
    "already declared": "other",
    "deterministic timeout": "other",
    "recursion depth": "other",
    "kernel": "other",
    "compilation": "other",
    "import": "other",
    "sorry": "other",
    "timeout": "other",
    "memory": "other",
    "crash": "other",
    "policy": "other",
    "malformed": "other",
    "unsupported": "other",
    "incomplete": "other",
    "unsound": "other",
    "no message": "other",
    "other": "other",
}
"""The finer classes, and the class of Table 7 that each is a part of."""

_TAGS = {
    "lean.unknownIdentifier": "unknown identifier",
    "lean.synthInstanceFailed": "instance",
    "lean.invalidDottedIdent": "placeholder",
    "lean.inferBinderTypeFailed": "placeholder",
    "lean.inferDefTypeFailed": "placeholder",
    "lean.inductionWithNoAlts": "syntax",
    "lean.dependsOnNoncomputable": "compilation",
    "lean.propRecLargeElim": "elimination",
    "lean.projNonPropFromProp": "elimination",
    "Tactic.unsolvedGoals": "unsolved goals",
    "runtime.maxHeartbeats": "deterministic timeout",
    "runtime.maxRecDepth": "recursion depth",
}

_TACTIC = r"(?:the )?(?:tactic )?[`']?{}[`']?(?: tactic)? failed"


def _tactic(names: str) -> str:
    """Matches what says that one of the tactics failed, old or new."""
    return _TACTIC.replace("{}", f"(?:{names})")


# In order: the first that matches the beginning of the message decides. Matched against the first
# line in lower case, or with (?s) against all of it.
_RULES: tuple[tuple[str, str], ...] = (
    ("deterministic timeout", r"(?s).*(?:maximum number of heartbeats|\(deterministic\) timeout)"),
    ("recursion depth", r"(?s).*(?:maximum recursion depth|stack overflow detected)"),
    ("sorry", r"declaration uses [`']?sorry"),
    ("kernel", r"\(kernel\)"),
    (
        "unknown field",
        r"(?s)invalid field [`'].*?the environment does not contain [`']",
    ),
    ("unknown namespace", r"unknown namespace"),
    ("universe", r".*universe level|.*stuck at solving universe|.*universe constraint"),
    (
        "unknown identifier",
        r".*\bunknown (?:identifier|constant|declaration|id\b|free variable)"
        r"|.*the environment does not contain [`']",
    ),
    ("ambiguous", r"ambiguous|overloaded, errors"),
    ("motive", r".*motive is not type correct|.*motive is dependent"),
    ("argument mismatch", r"application type mismatch"),
    (
        "type mismatch",
        r"type mismatch|.*\btype mismatch|.*has type\b.*but is expected to have type"
        r"|.*\bnot definitionally equal to target",
    ),
    ("function expected", r"function expected"),
    ("type expected", r"type expected"),
    ("unsolved goals", r"unsolved goals|.*there are unsolved goals|.*unsolved goals\b"),
    (
        "rewrite failed",
        _tactic(r"rw|rewrite|rwa|erw|nth_rewrite|nth_rw|rw_mod_cast|simp_rw|subst")
        + r"|.*did not find (?:an )?(?:instance|occurrence) of (?:the )?pattern"
        + r"|.*equality or iff proof expected",
    ),
    ("no progress", r".*made no progress|.*failed to simplify|.*tactic [`']unfold[`'] failed"),
    (
        "arithmetic",
        _tactic(
            r"linarith|nlinarith|polyrith|omega|bv_omega|positivity|norm_num|ring|ring_nf|ring1"
            r"|linear_combination|field_simp|abel|lia|cutsat|bv_decide|interval_cases|bound|gcongr"
        )
        + r"|omega could not|.*failed to prove positivity|the prover found a.*counterexample"
        + r"|the omega algorithm|.*\bring failed",
    ),
    (
        "search failed",
        _tactic(
            r"aesop|grind|tauto|itauto|exact\?|apply\?|solve_by_elim|assumption|contradiction"
            r"|trivial|duper|hammer|canonical|simp_arith|simp_all\?|finish|first|fun_prop"
            r"|measurability|continuity|set_solver|sat"
        )
        + r"|aesop:|.*could not close the goal",
    ),
    (
        "decide failed",
        _tactic(r"decide|native_decide|decide!|decide\+kernel") + r"|.*tactic [`']decide[`']",
    ),
    (
        "rfl failed",
        _tactic(r"rfl|eq_refl|exact_rfl|apply_rfl|refl|symm|trans")
        + r"|.*\brfl failed|the rfl tactic failed|the equality .* does not hold by|not a def-?eq",
    ),
    (
        "apply failed",
        _tactic(r"apply|exact|refine|refine'|eapply|constructor|use|exists|specialize|convert|ext")
        + r"|.*could not unify the conclusion|.*failed to unify",
    ),
    ("elimination", r".*can only eliminate into|.*index in target's type|.*large elimination"),
    (
        "case analysis",
        _tactic(r"cases|induction|rcases|obtain|split|injection|casesm|fin_cases|cases'")
        + r"|dependent elimination failed|(?:the )?[`'](?:induction|cases)[`'] tactic"
        + r"|could not split|.*major premise",
    ),
    ("intro failed", _tactic(r"intro|intron|intros|rintro|revert|generalize")),
    ("no goals", r"no goals"),
    (
        "case names",
        r".*alternative [`'].*(?:not (?:been )?(?:provided|needed)|unused|invalid)"
        r"|(?:invalid|unknown) alternative name|.*case tag [`']|.*tag not found"
        r"|(?:wildcard )?alternative (?:is )?not (?:provided|needed)|too many variable names"
        r"|.*unnecessary 'cases' arguments|unused alternative",
    ),
    ("missing cases", r"missing cases|.*redundant alternative"),
    (
        "termination",
        r"fail(?:ed)? to show termination|failed to prove termination|.*decreasing measure"
        r"|.*structural recursion|.*well-founded recursion|failed to infer structural",
    ),
    ("already declared", r".*has already been declared|.*already contains"),
    (
        "anonymous constructor",
        r"invalid [`']?\u27e8\.\.\.\u27e9[`']? notation"
        r"|insufficient number of (?:fields|arguments)|invalid constructor \u27e8",
    ),
    (
        "invalid field",
        r"invalid field|invalid projection|.*is not a field of structure|fields missing",
    ),
    ("named argument", r"invalid argument name|unexpected named argument|.*too many arguments"),
    ("instance", r".*failed to synthesize|typeclass instance problem is stuck"),
    (
        "placeholder",
        r"don't know how to synthesize|failed to infer|.*cannot be inferred"
        r"|invalid dotted identifier|invalid constructor|invalid {.*notation"
        r"|.*metavariables|(?:the )?expected type (?:must|could|contains)",
    ),
    ("compilation", r".*\bnoncomputable\b|failed to compile|code generator|.*compiler ir"),
    ("import", r".*object file .* does not exist|unknown module prefix|.*unknown package"),
    (
        "syntax",
        r"unexpected|expected |unterminated|invalid binder|.*expected (?:token|command|term)"
        r"|<input>:|unknown (?:tactic|attribute|option)|.*elaboration function for .* not been impl"
        r"|missing end|invalid 'end'|.*cannot be used here|invalid pattern|invalid (?:use|occurr)",
    ),
    (
        "other tactic",
        r"(?:the )?(?:conv )?tactic [`']|[`']?[a-z_?!']+[`']?(?: tactic)? failed|.*\btactic failed"
        r"|tactic .* failed|.*failed to (?:find a contradiction|close|split|solve|intro|rewrite)"
        r"|failed\Z|.*no applicable|could not (?:split|find|un|take)|nothing to "
        r"|.*did not (?:apply|solve)"
        r"|[`'].*[`'] (?:is not|failed)|target is not|insufficient|.*induction hypothes"
        r"|(?:unknown|no) goal|failed to|.*no local hypothes",
    ),
)
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _RULES)
_READ = 4000  # characters of a message: what it is stands at its beginning


def classify(message: str, kind: str = "") -> str:
    """The finer class of an error by its message and, where it has one, its kind tag.

    Never raises, and takes time linear in what it reads, the first 4,000 characters.
    """
    tagged = _TAGS.get(kind)
    if tagged is not None:
        return tagged
    text = message[:_READ].strip().lower()
    if not text:
        return "no message"
    first = text.partition("\n")[0]
    for name, pattern in _COMPILED:
        if pattern.match(text if pattern.flags & re.DOTALL else first):
            return name
    return "other"


_UNKNOWN_NAME = re.compile(
    r"(?:[Uu]nknown (?:identifier|constant|declaration|namespace)|does not contain)\s+"
    r"(?:`(?P<new>[^`\n]+)`|'(?P<old>[^\s]+)'|(?P<bare>[^\s'`]+))"
)


def unknown_name(message: str) -> str:
    """The name that a message says is unknown, as Lean shows it; empty where it says none."""
    found = _UNKNOWN_NAME.search(message[:_READ])
    if found is None:
        return ""
    # Old messages end a sentence behind the closing quote, and names end in quotes themselves.
    name = found["new"] or found["old"] or found["bare"]
    return name.removeprefix("_root_.").rstrip(".,")
