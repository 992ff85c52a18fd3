"""What tells that a term is a proof, or may be one, by its words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from pytest_vsb.source.knowledge import Knowledge
from pytest_vsb.source.model import Span
from pytest_vsb.source.region import Region

ARROWS = frozenset({"=>", "↦"})
"""What stands between the binders of a function and its value."""
FUNCTIONS = frozenset({"fun", "λ"})
"""What begins a function."""

#: Terms that are proofs whatever they are applied to.
_PROOF_HEADS = frozenset(
    "rfl Eq.refl Iff.rfl HEq.rfl Iff.refl HEq.refl Eq.symm Eq.trans Iff.intro trivial propext "
    "funext proof_irrel Subsingleton.elim le_rfl le_refl Nat.le_refl Nat.lt_irrefl Nat.zero_le "
    "congrArg congrFun congr Nat.le_of_lt Nat.lt_of_lt_of_le Nat.lt_of_le_of_lt Nat.succ_lt_succ "
    "Nat.lt_succ_self Nat.mod_lt Nat.zero_lt_succ Nat.pos_of_ne_zero of_decide_eq_true "
    "Nat.lt_trans Nat.le_trans lt_of_lt_of_le lt_of_le_of_lt le_trans lt_trans And.intro "
    "not_lt_of_ge Nat.not_lt_zero eq_of_heq heq_of_eq mt id_eq".split()
)
#: What may follow the name of a theorem after a dot so that it is still a proof.
_PROOF_FIELDS = frozenset(
    "symm trans mp mpr le lt ne ge gt not_le not_lt left right elim_left congr comp refl ne' "
    "le' lt' pos antisymm resolve_left resolve_right".split()
)
# Applied by these a proof makes data.
_DATA_OF_PROOFS = frozenset({"▸", "|>.", "|>", "::", ";", "++"})
# These choose what a proof says there is: which theorem it is belongs to the data.
_CHOOSING = re.compile(r"(?:.*\.)?(?:choose|find|epsilon|some|indefiniteDescription|ofNonempty)\Z")
# How a proof is named where it has no type that tells, but for the names of data that look alike.
_NAMED_PROOF = re.compile(r"(?!h[di]\b)(?:this|_|ih.*|[hH](?:[^a-z].*)?|h[a-z]{1,3}[\d'₀-₉]*)\Z")
_CAMEL = re.compile(r"(?:.*\.)?[a-z][^_.]*[a-z][A-Z][^_.]*\Z")
_COLON = frozenset({":"})

# Without one of these a body holds no proof, but for a theorem in brackets.
_SUSPECT = re.compile(
    r"(?<![\w.])(?:by|calc|have|haveI|suffices|show|where|decreasing_by|rfl|trivial|funext|propext"
    r"|Eq|Iff|HEq|Subsingleton|Nat|le_\w+|lt_\w+|congr\w*|And|mt)(?!\w)|⟨|:=|\.rfl(?!\w)"
    # A type ascription to more than a name.
    r"|\((?![^\s():]+\s*:)[^():]*:|\)\s+:\s[^()]*[=<>≤≥≠∈∧∨¬∀∃↔⊆∣]"
)
# A program of another language, in syntax that the repository declares: `[llvm| … ]`.
_FOREIGN = re.compile(r"\s*\[\w+(?:\s*\([^()]*\))?\|[^\[\]]*\]\s*\Z")
_BLOCK = re.compile(r"(?<![\w.])by(?!\w)")
_NAME = re.compile(r"[^\W\d][\w'!?]*")


def may_prove(text: str, body: Span, facts: Knowledge) -> bool:
    """Whether there may be a proof in the body of a definition; a quick look at its text."""
    start = body.start + (2 if text.startswith(":=", body.start) else 0)
    if _FOREIGN.match(text, start, body.end):
        return _BLOCK.search(text, start, body.end) is not None
    if _SUSPECT.search(text, start, body.end):
        return True
    return facts.may_name_theorem(_NAME.findall(text, start, body.end))


def evident(region: Region, lo: int, hi: int, names: Callable[[str], bool]) -> bool:
    """Whether a term is a proof by its first word, behind the binders of functions.

    Args:
        names: whether a name is that of a proof.
    """
    words = region.words
    while lo < hi:
        if words[lo] in FUNCTIONS:
            arrow = region.find(ARROWS, lo + 1, hi)
            if arrow == hi or words[lo + 1] == "|":
                return False
            lo = arrow + 1
        elif words[lo] == "(" and region.encloses(lo, hi):
            if region.find(_COLON, lo + 1, hi - 1) < hi - 1:
                return False
            lo, hi = lo + 1, hi - 1
        else:
            break
    if lo < hi and words[lo] == "@":
        lo += 1
    if lo >= hi:
        return False
    if words[lo] == "." and lo + 1 < hi:
        return words[lo + 1] == "rfl"
    if region.kinds[lo] != "ident" or not names(words[lo]):
        return False
    return region.find(_DATA_OF_PROOFS, lo + 1, hi) == hi


def names_proof(
    name: str, facts: Knowledge, local: Mapping[str, bool | None], spaces: Collection[str]
) -> bool:
    """Whether a name is that of a theorem, or of one with ``.symm`` and its like behind it.

    Args:
        local: names bound around it, which hide what they may mean outside.
        spaces: the namespaces that it is looked up in.
    """
    while name:
        if name.split(".", 1)[0] in local:
            return False
        if name in _PROOF_HEADS or facts.is_theorem(name, spaces):
            return True
        name, _, last = name.rpartition(".")
        if last not in _PROOF_FIELDS:
            return False
    return False


def seems_proof(region: Region, first: int, colon: int, sign: int) -> bool:
    """Whether a ``have`` whose type does not tell binds a proof.

    Args:
        first: the token behind ``have``.
        colon: that before its type; from ``sign`` on if it has none.
        sign: its ``:=``.
    """
    words = region.words
    named = region.kinds[first] == "ident" and bool(_NAMED_PROOF.match(words[first]))
    if colon < sign:
        # Of an unknown class there may be an instance.
        unknown_class = words[colon + 1][:1].isupper()
        return (named and colon > first) or (colon == first and not unknown_class)
    if sign > first and not (named and sign == first + 1):
        return False
    # Functions are named in camel case, theorems are not.
    head = words[sign + 1] if sign + 1 < len(region) else ""
    return not _CAMEL.match(head)


def chooses(region: Region, lo: int, hi: int) -> bool:
    """Whether something is chosen by what stands in the bracket around these tokens."""
    if lo > 1 and region.kinds[lo - 2] == "ident" and _CHOOSING.match(region.words[lo - 2]):
        return True
    follows = region.text[region.ends[hi] :][:1] if hi < len(region) else ""
    field = region.words[hi + 2] if hi + 2 < len(region) else ""
    return follows == "." and field.split(".", 1)[0] not in _PROOF_FIELDS


def touched(region: Region, bracket: int) -> str:
    """The word that a bracket touches: syntax of its own, as ``q(…)``. Empty if there is none."""
    before = bracket - 1
    touches = bracket > 0 and region.ends[before] == region.starts[bracket]
    return region.words[before] if touches and region.kinds[before] == "ident" else ""


def is_foreign(region: Region, lo: int) -> bool:
    """Whether a bracket is that of a program in another language: ``[llvm| … ]``."""
    bar = lo + 2
    if region.words[lo] != "[" or bar >= len(region) or region.kinds[lo + 1] != "ident":
        return False
    if region.words[bar] == "(":
        bar = region.after(bar)
    return bar < len(region) and region.words[bar] == "|"
