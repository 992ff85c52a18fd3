"""What the conclusion of a type says about it: a proposition, data, or a name that decides.

Lean's types are read by their tokens alone, so that the answer is three-valued: `Sort` holds what
is certain from the syntax (``a = b`` is a proposition, ``A × B`` is data) or else the name or
operator at the head of the conclusion, for someone who knows what that is.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.source.region import Region

#: Operators of Lean and Mathlib that make propositions of what stands beside them.
RELATIONS = frozenset(
    "= ≠ < > ≤ ≥ <= >= ↔ <-> ∧ /\\ ∨ \\/ ∈ ∉ ⊆ ⊇ ⊂ ⊃ ⊈ ⊉ ⊄ ∣ ∤ ≈ == != && || ≍ !=".split()
)
#: Those that make types of data.
_DATA_OPERATORS = frozenset("× ×' ×ˢ ⊕ ⊕' ⊕ₗ ⊗ ⊗[ ≃ ≃* ≃+ ≃+* ≃ₗ ≃ₐ ≃o ↪ ↪o ⟶ ≅ ⥤ ⇒".split())
_ARROWS = frozenset({"→", "->"})
# Behind one of these stands the argument of the head.
_APPLYING = frozenset({"<|", "$"})
# These make values; the head of a type is beside them.
_PLAIN_OPERATORS = frozenset("- + * / ! % ^ ∘ • ⁻¹ ↑ ↥ ↓ ⟦ ⟧ ' ++ - ₗ ₐ".split())
_PROPOSING = frozenset({"¬", "∃", "∄"})
_UNIVERSAL = frozenset({"∀", "forall"})
_COMMA = frozenset({","})
_COLON = frozenset({":"})
_ASSIGN = frozenset({":="})
_TYPES_OF_DATA = frozenset(
    "Nat Int Bool String Char Type Sort Prop List Array Option Unit PUnit Fin BitVec Float "
    "UInt8 UInt16 UInt32 UInt64 USize Int8 Int16 Int32 Int64 ISize Sum Prod Except StateM "
    "StateT ReaderT ExceptT OptionT StateRefT IO EIO BaseIO Id Name Expr MVarId FVarId Syntax "
    "TSyntax Decidable DecidableEq DecidablePred DecidableRel DecidableLT DecidableLE Inhabited "
    "Repr ToString BEq Hashable Ord Subtype Sigma PSigma Q Quote MetaM TermElabM CommandElabM "
    "TacticM CoreM MacroM UnexpandM Set Finset Multiset Rat Real Complex ℕ ℤ ℚ ℝ ℂ Vector "
    "Subarray Substring Thunk Task Equiv Functor Monad Applicative Alternative Pure Bind Coe "
    "CoeT CoeTail CoeHead CoeFun CoeSort CoeDep CoeOut FunLike Setoid Quot Quotient HashMap "
    "HashSet RBMap TreeMap PMF Fintype Encodable Trans Module Algebra Field Ring CommRing Group "
    "CommGroup Monoid AddMonoid Semiring CommSemiring Preorder PartialOrder LinearOrder Lattice "
    "Category Quiver TopologicalSpace MeasurableSpace Polynomial MvPolynomial Matrix Perm ℝ≥0 "
    "ℚ≥0 ENNReal NNReal ENat ℕ∞".split()
)
_PROPOSITIONS = frozenset(
    "True False And Or Not Iff Eq HEq Ne Exists ExistsUnique Nonempty Subsingleton Fact NeZero "
    "ReflBEq Function.Injective Function.Surjective Function.Bijective Injective Surjective "
    "Bijective Function.LeftInverse Function.RightInverse LeftInverse RightInverse Monotone "
    "Antitone StrictMono StrictAnti LinearIndependent WellFounded Equivalence Reflexive Symmetric "
    "Transitive Symm Acc Finite Infinite Continuous Measurable Disjoint Commute IsUnit Irreducible "
    "Prime Nat.Prime Nat.Coprime IsCoprime Set.Finite Set.Nonempty Finset.Nonempty Set.InjOn "
    "Set.SurjOn Set.BijOn Set.MapsTo List.Nodup List.Pairwise List.Sorted List.Chain List.Perm "
    "List.Forall List.Forall₂ SemiconjBy Countable CharP CharZero Nontrivial NoZeroDivisors "
    "ConvexOn ConcaveOn Summable HasSum Differentiable Filter.Tendsto Tendsto".split()
)


@dataclass(frozen=True)
class Sort:
    """What a type's conclusion tells.

    Attributes:
        proposition: True or False where the syntax says it, else None.
        name: the name, or the operators between double quotes, that the conclusion is made by;
            empty if there are none.
        quantified: whether it stands behind a ``∀``, as propositions mostly do.
        loose: operators before the last arrow; one that binds looser than that is the one that
            decides.
    """

    proposition: bool | None
    name: str = ""
    quantified: bool = False
    loose: str = ""


_UNKNOWN = Sort(None)


def sort_of(region: Region, lo: int, hi: int) -> Sort:
    """What the type of the tokens from ``lo`` to ``hi`` concludes."""
    words = region.words
    quantified, loose = False, ""
    while True:
        while region.encloses(lo, hi) and words[lo] == "(":
            lo, hi = lo + 1, hi - 1
        if lo >= hi:
            return _UNKNOWN
        word = words[lo]
        if word in _UNIVERSAL:
            comma = region.find(_COMMA, lo + 1, hi)
            if comma == hi:
                return Sort(None, "", True)
            quantified, lo = True, comma + 1
            continue
        if word[0] in _PROPOSING:
            return Sort(True, "", quantified)
        if word in ("let", "have", "fun", "λ", "if", "match"):
            return Sort(None, "", quantified)
        arrow, found = _conclusion(region, lo, hi)
        if arrow:
            lo, loose = arrow, found.name or loose
            continue
        return Sort(found.proposition, found.name, quantified, loose)


def _conclusion(region: Region, lo: int, hi: int) -> tuple[int, Sort]:
    """The index behind the first arrow, 0 without one, and then what the operators say."""
    words = region.words
    custom: list[str] = []
    relations: list[str] = []
    index, data = lo, False
    while index < hi:
        operator, end = region.operator(index, hi)
        if not operator:
            index = region.after(index)
            continue
        if operator in _ARROWS:
            return end, Sort(None, " ".join(custom))
        if operator in _APPLYING:
            break
        if operator[0] in _PROPOSING or (
            operator in RELATIONS and _stands_alone(region, index, end)
        ):
            relations.append(operator)
        elif operator in _DATA_OPERATORS or operator[0] in "→↪≃Σ":
            data = True
        elif operator not in _PLAIN_OPERATORS:
            custom.append(operator)
        index = end
    if data and "↔" not in relations:
        # All of these bind looser than relations do: `A × B = C` is a type of pairs.
        return 0, Sort(False)
    if relations:
        return 0, Sort(True, f'"{" ".join(relations)}"')
    head = lo + 1 if words[lo] == "@" and lo + 1 < hi else lo
    name = words[head] if region.kinds[head] == "ident" else ""
    if custom:
        return 0, Sort(None, f'"{" ".join(custom)}"')
    if words[head] == "{":
        return 0, Sort(False, "Subtype")
    if words[head][0] in "ΣΠ":
        return 0, Sort(False)
    return 0, Sort(None, name)


def _stands_alone(region: Region, start: int, end: int) -> bool:
    """Whether there is a space on both sides of an operator; not so in ``a -n> b`` and ``ℝ≥0``."""
    text = region.text
    before, after = text[region.starts[start] - 1], text[region.ends[end - 1] :][:1]
    return before.isspace() and (not after or after.isspace() or after == "(")


def library_says(name: str) -> bool | None:
    """Whether a type of a library is a proposition, by its name: a known one, or its spelling."""
    if name in _PROPOSITIONS or name in _TYPES_OF_DATA:
        return name in _PROPOSITIONS
    last = name.rsplit(".", 1)[-1]
    if last.startswith("Lawful") or (last[:2] == "Is" and last[2:3].isupper()):
        return True
    return None


def binders(region: Region, lo: int, hi: int) -> dict[str, bool | None]:
    """The names that brackets there bind, and whether their values are propositions or types.

    None for a name of any other type: it hides what the name may mean outside.
    """
    found: dict[str, bool | None] = {}
    words = region.words
    for index in region.level(lo, hi):
        end = region.mates[index]
        if words[index] not in ("(", "{", "⦃", "[") or end < 0:
            continue
        at = region.find(_COLON, index + 1, end)
        if at == end:
            continue
        value = _last_arrow(region, at + 1, region.find(_ASSIGN, at + 1, end))
        says = _UNIVERSES.get(words[value]) if value < end else None
        for name in range(index + 1, at):
            if region.kinds[name] == "ident":
                found[words[name]] = says
    return found


def colon_of(region: Region, lo: int, hi: int) -> int:
    """The colon before the type of what is declared from ``lo`` on, or ``hi``."""
    return region.find(_COLON, lo, hi)


_UNIVERSES = {"Prop": True, "Type": False, "Sort": False}


def _last_arrow(region: Region, lo: int, hi: int) -> int:
    last = lo
    for index in region.level(lo, hi):
        if region.words[index] in _ARROWS:
            last = index + 1
    return last
