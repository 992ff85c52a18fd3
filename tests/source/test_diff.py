"""Taking a candidate out of a changed file."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded, process
from pytest_vsb.lean.toolchain import Toolchain, find
from pytest_vsb.source import Submission, check_submission, scan, splice
from pytest_vsb.source.diff import DiffRefused, Extraction, extract
from pytest_vsb.source.units import ancestors, parts, significant, units, words

FILE = """\
import Init

namespace A
variable (n : Nat)
def x := 1
theorem first : x = 1 := rfl
namespace C
theorem inner : True := trivial
end C
end A

namespace B
open Nat
instance : Inhabited Nat := ⟨0⟩
theorem T : A.x = 1 := by sorry

theorem later : A.x = 1 := T
def tail := 2
end B
"""

MUTUAL = """\
namespace A
mutual
def ev : Nat → Bool
  | 0 => true
  | n + 1 => od n
def od : Nat → Bool
  | 0 => false
  | n + 1 => ev n
end
mutual
theorem T : ∀ n : Nat, ev n = ev n := by sorry
theorem od_ok : ∀ n : Nat, od n = od n
  | 0 => rfl
  | n + 1 => by
    have := T n
    rfl
end
theorem later : True := trivial
end A
"""


def taken(original: str, returned: str, name: str = "B.T") -> tuple[Extraction, Submission]:
    source = scan(original)
    target = source.find(name)
    found = extract(source, target, returned)
    proof = found.proof or ":= sorry"
    return found, splice(source, target, auxiliary=found.auxiliary, proof=proof)


def changed(*pairs: tuple[str, str], text: str = FILE) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


PROVED = ("by sorry", "by\n  exact rfl")


def test_unchanged_file_has_no_proof() -> None:
    found, _ = taken(FILE, FILE)
    assert found == Extraction("", "", ())


def test_comments_and_spaces_are_no_change() -> None:
    returned = FILE.replace(":= rfl", ":=   /- so -/ rfl -- it is").replace(
        "by sorry", "by\n sorry"
    )
    assert taken(FILE, returned)[0] == Extraction("", "", ())


def test_body_is_the_proof() -> None:
    found, submission = taken(FILE, changed(PROVED))
    assert found == Extraction(":= by\n  exact rfl", "", ())
    assert submission.text == FILE[: FILE.index("by sorry")] + "by\n  exact rfl\n"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param("theorem T :", "theorem new : A.x = 1 := rfl", id="before the target"),
        pytest.param("theorem first", "theorem _root_.A.new : A.x = 1 := rfl", id="elsewhere"),
        pytest.param("theorem inner", "theorem _root_.A.C.new : A.x = 1 := rfl", id="deeper"),
        pytest.param("namespace A", "theorem _root_.new : A.x = 1 := rfl", id="at the root"),
        pytest.param("theorem later", "theorem new : A.x = 1 := rfl", id="after the target"),
        pytest.param("def tail", "theorem new : A.x = 1 := rfl", id="at the end"),
    ],
)
def test_new_declaration(place: str, expected: str) -> None:
    new = "theorem new : A.x = 1 := rfl"
    found, submission = taken(
        FILE, changed((place, f"{new}\n{place}"), ("by sorry", "by exact new"))
    )
    assert found.proof == ":= by exact new"
    assert expected in found.auxiliary.splitlines()
    assert check_submission(submission)


def test_unused_declaration_after_the_target_is_left() -> None:
    returned = changed(PROVED, ("def tail", "theorem corollary : A.x = 1 := T\n\ndef tail"))
    assert taken(FILE, returned)[0].auxiliary == ""


def test_used_declaration_that_rests_on_the_target_stays() -> None:
    """It cannot be moved, and so Lean will have the last word on the proof that uses it."""
    returned = changed(
        ("by sorry", "by exact loop"), ("def tail", "theorem loop : A.x = 1 := T\n\ndef tail")
    )
    found, _ = taken(FILE, returned)
    assert found.auxiliary == ""
    assert found.proof == ":= by exact loop"


def test_later_declarations_go_in_order_of_use() -> None:
    returned = changed(
        ("by sorry", "by exact one"),
        ("def tail", "theorem two : A.x = 1 := three\ndef tail"),
        ("tail := 2", "tail := 2\ntheorem one : A.x = 1 := two\ntheorem three : A.x = 1 := rfl"),
    )
    names = [d.name for d in scan(taken(FILE, returned)[0].auxiliary).declarations]
    assert names == ["three", "two", "one"]


def test_target_moved_behind_what_it_uses() -> None:
    original = "theorem T : True := by sorry\ntheorem a : True := trivial\n"
    returned = "theorem a : True := trivial\ntheorem b := a\ntheorem T : True := b\n"
    found, submission = taken(original, returned, "T")
    assert found.auxiliary == "theorem a : True := trivial\n\ntheorem b := a"
    assert "target-moved" in found.notes
    assert check_submission(submission)


def test_scope_of_a_declaration_comes_with_it() -> None:
    new = "open Classical\nset_option maxRecDepth 900\ntheorem new : x = 1 := rfl\n"
    found, _ = taken(FILE, changed(PROVED, ("namespace C", f"{new}namespace C")))
    assert found.auxiliary == (
        "section\nopen _root_.A\nvariable (n : Nat)\nopen Classical\nset_option maxRecDepth 900\n\n"
        "theorem _root_.A.new : x = 1 := rfl\n\nend"
    )
    assert "moved-declarations" in found.notes


def test_scope_of_the_target_comes_with_it() -> None:
    returned = changed(PROVED, ("theorem T", "open Classical\n\ntheorem T"))
    assert taken(FILE, returned)[0].auxiliary == "open Classical"


def test_inner_namespace_stays_one() -> None:
    new = "namespace D\ntheorem new : True := trivial\nend D\n"
    found, submission = taken(FILE, changed(PROVED, ("theorem T", f"{new}theorem T")))
    assert found.auxiliary == "namespace D\n\ntheorem new : True := trivial\n\nend D"
    assert scan(submission.text).find("B.D.new")


def test_noncomputable_section() -> None:
    new = "noncomputable section\ndef new := A.x\nend\n"
    found, _ = taken(FILE, changed(PROVED, ("theorem T", f"{new}theorem T")))
    assert found.auxiliary == "noncomputable section\n\ndef new := A.x\n\nend"


def test_prefix_of_the_target_goes_into_the_proof() -> None:
    returned = changed(
        PROVED, ("theorem T", "set_option maxHeartbeats 9 in\nopen Classical in\ntheorem T")
    )
    found, submission = taken(FILE, returned)
    assert found.proof == (
        ":=\n  set_option maxHeartbeats 9 in\n  open Classical in by\n  exact rfl"
    )
    assert found.notes == ("target-prefix",)
    assert check_submission(submission)


def test_prefix_before_equations_goes_before_the_target() -> None:
    original = "theorem T : ∀ n : Nat, n = n := by sorry\n"
    returned = "open Classical in\ntheorem T : ∀ n : Nat, n = n\n  | 0 => rfl\n  | _ => rfl\n"
    found, submission = taken(original, returned, "T")
    assert found.auxiliary == "open Classical"
    assert found.proof == "| 0 => rfl\n  | _ => rfl"
    assert check_submission(submission)


def test_what_only_shows_is_left() -> None:
    returned = (
        FILE.replace("by sorry", "by\n  exact rfl\n#print axioms T") + "#eval 1\n/-! End. -/\n"
    )
    assert taken(FILE, returned)[0] == Extraction(":= by\n  exact rfl", "", ())


def test_new_import_is_noted() -> None:
    found, _ = taken(FILE, changed(PROVED, ("import Init", "import Init\nimport Other")))
    assert found.notes == ("new-imports",)


def test_other_proof_may_change() -> None:
    found, submission = taken(FILE, changed(PROVED, ("x = 1 := rfl", "x = 1 := by\n  exact rfl")))
    assert found.notes == ("changed-proofs",)
    assert "theorem first : x = 1 := rfl\n" in submission.text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def x := 1", "def x := 2", "A.x, which comes before the target, was changed"),
        ("def x := 1\n", "", "A.x, which comes before the target, is gone or was changed"),
        ("first : x = 1", "first : 1 = 1", "A.first, which comes before the target, was changed"),
        ("⟨0⟩", "⟨1⟩", "an anonymous instance, which comes before the target, is gone or was"),
        ("T : A.x = 1", "T : A.x = A.x", "the statement of B.T was changed"),
        ("theorem T :", "theorem T' :", "the returned file has no declaration B.T"),
        ("theorem T : A.x = 1 := by sorry", "theorem T : A.x = 1", "left without a body"),
        ("theorem T : A.x = 1 := by", "def T : A.x = 1 := by", "B.T was made def, and it was theo"),
        ("namespace B", "namespace BB", "the returned file has no declaration B.T"),
        ("def x := 1", "@[simp] def x := 1", "A.x, which comes before the target, was changed"),
        ("def x := 1", "private def x := 1", "A.x, which comes before the target, was changed"),
    ],
)
def test_refused(old: str, new: str, said: str) -> None:
    text = changed((old, new)).replace("end B", "end BB" if new == "namespace BB" else "end B")
    with pytest.raises(DiffRefused, match=re.escape(said)):
        taken(FILE, text)


def test_changes_after_the_target_do_not_matter() -> None:
    found, _ = taken(FILE, changed(PROVED, ("tail := 2", "tail := 3")))
    assert found.notes == ("changed-later",)
    found, _ = taken(FILE, changed(PROVED, ("def tail := 2\n", "")))
    assert found.notes == ("missing-later",)


def test_axiom_for_the_target_is_refused() -> None:
    with pytest.raises(DiffRefused, match="without a body"):
        taken(FILE, changed(("theorem T : A.x = 1 := by sorry", "axiom T : A.x = 1")))


def test_second_declaration_of_the_name_is_passed_over() -> None:
    fake = "namespace Fake\ntheorem _root_.B.T : True := trivial\nend Fake\n"
    found, _ = taken(FILE, changed(PROVED, ("namespace B", f"{fake}namespace B")))
    assert found.proof == ":= by\n  exact rfl"


def test_declaration_in_the_mutual_block_goes_before_it() -> None:
    returned = changed(
        ("by sorry", "by\n  have := free\n  intro n; rfl\ntheorem free : True := trivial"),
        text=MUTUAL,
    )
    found, submission = taken(MUTUAL, returned, "A.T")
    assert found.auxiliary == "theorem free : True := trivial"
    assert submission.text.index("theorem free") < submission.text.rindex("mutual\n")
    assert check_submission(submission)


HELPED = changed(
    (
        " := by sorry",
        "\n  | 0 => rfl\n  | n + 1 => by\n    have := H n\n    rfl\n\n"
        "private theorem H : ∀ n : Nat, ev n = ev n\n  | 0 => rfl\n"
        "  | n + 1 => by\n    have := od_ok n\n    rfl",
    ),
    text=MUTUAL,
)


def test_recursive_declaration_in_the_mutual_block_goes_into_the_proof() -> None:
    found, submission = taken(MUTUAL, HELPED, "A.T")
    assert found.auxiliary == ""
    assert found.notes == ("where-helpers",)
    assert "\nwhere\n  H : ∀ n : Nat, ev n = ev n\n    | 0 => rfl\n" in found.proof
    assert check_submission(submission)


def test_recursive_declaration_that_cannot_be_moved_is_refused() -> None:
    returned = HELPED.replace("private theorem H", "@[simp] theorem H")
    with pytest.raises(DiffRefused, match=r"A\.H was added to the target's mutual block"):
        taken(MUTUAL, returned, "A.T")


def test_new_mutual_block() -> None:
    block = "mutual\ntheorem p : True := q\n\ntheorem q : True := p\nend"
    found, submission = taken(FILE, changed(PROVED, ("theorem first", f"{block}\ntheorem first")))
    assert "mutual\n\ntheorem _root_.A.p : True := q\n\ntheorem _root_.A.q" in found.auxiliary
    assert check_submission(submission)


def test_target_taken_out_of_its_block() -> None:
    returned = MUTUAL.replace("mutual\ntheorem T", "theorem T").replace("by sorry", "fun _ => rfl")
    returned = returned.replace("theorem od_ok", "mutual\ntheorem od_ok")
    found, submission = taken(MUTUAL, returned, "A.T")
    assert found == Extraction(":= fun _ => rfl", "", ())
    assert check_submission(submission)


def test_declarations_of_other_modules() -> None:
    source = scan(FILE)
    given = "import Init\ndef known := 1\n"
    pairs = [
        ("", "namespace A\ntheorem fresh : True := trivial\nend A\n"),
        (given, given + "theorem more : True := A.fresh\n"),
    ]
    found = extract(source, source.find("B.T"), changed(PROVED), imported=pairs)
    assert "theorem _root_.A.fresh : True := trivial" in found.auxiliary
    assert "theorem _root_.more : True := A.fresh" in found.auxiliary
    assert found.auxiliary.index("fresh") < found.auxiliary.index("more")
    assert "other-modules" in found.notes
    with pytest.raises(DiffRefused, match="known"):
        extract(source, source.find("B.T"), FILE, imported=[(given, "def known := 2\n")])


def test_line_ends() -> None:
    original = FILE.replace("\n", "\r\n")
    new = changed(PROVED, ("theorem first", "theorem new : True := trivial\ntheorem first"))
    for returned in (new, new.replace("\n", "\r\n")):
        found, submission = taken(original, returned)
        assert "theorem _root_.A.new : True := trivial" in found.auxiliary
        assert check_submission(submission)
        assert not re.search(r"(?<!\r)\n", submission.text)


def test_units() -> None:
    found = units(scan(FILE))
    assert [u.name for u in found] == [
        *("A.x", "A.first", "A.C.inner", "", "B.T", "B.later", "B.tail"),
    ]
    assert [u.namespace for u in found] == ["A", "A", "A.C", "B", "B", "B", "B"]
    assert [[c.text for c in u.scope] for u in found[2:4]] == [["variable (n : Nat)"], ["open Nat"]]


def test_names() -> None:
    assert parts("A.«b.c».d") == ["A", "«b.c»", "d"]
    assert ancestors("A.B.C") == ["A", "A.B", "A.B.C"]
    assert words('f (a.b c) s!"{x.y}" -- z') == {"f", "a", "b", "c", "x", "y"}
    assert significant("/-- d -/ a  b -- c") == ("a", "b")


# Generated files


@dataclass(frozen=True)
class Files:
    original: str
    returned: str
    target: str
    added: tuple[str, ...]


_SCOPES = ("open Nat", "variable (k : Nat)", "set_option maxRecDepth 700")


@st.composite
def files(draw: st.DrawFn) -> Files:
    """A file of nested scopes and declarations, and the same with the target proved and
    declarations added before it, anywhere."""
    count = draw(st.integers(1, 9))
    place = draw(st.integers(0, count - 1))
    original: list[str] = []
    returned: list[str] = []
    stack: list[tuple[str, str]] = []
    added: list[str] = []
    target = ""

    def full(name: str) -> str:
        return ".".join([*(n for kind, n in stack if kind == "namespace"), name])

    def both(line: str) -> None:
        original.append(line)
        returned.append(line + draw(st.sampled_from(["", "\n", "  -- so", "\n/- a\nb -/"])))

    for number in range(count):
        for _ in range(draw(st.integers(0, 2))):
            move = draw(st.sampled_from(["namespace", "section", "end", "scope"]))
            if move == "end" and stack:
                _, name = stack.pop()
                both(f"end {name}" if name else "end")
            elif move == "scope":
                both(draw(st.sampled_from(_SCOPES)))
            elif move != "end":
                name = draw(st.sampled_from(["A", "B", "C.D"])) if move == "namespace" else ""
                stack.append((move, name))
                both(f"{move} {name}".strip())
        if number <= place and draw(st.booleans()):
            scope = draw(st.booleans())
            if scope:
                returned.append("section\nopen Classical")
            name = f"new{number}"
            added.append(full(name))
            returned.append(f"/-- new -/\ntheorem {name} : True := by\n  trivial")
            if scope:
                returned.append("end")
        if number == place:
            target = full("goal")
            original.append("theorem goal (a : Nat) : a = a := by sorry")
            returned.append("theorem goal (a : Nat) :\n    a = a := by\n  exact rfl")
        else:
            both(draw(st.sampled_from(["def", "theorem"])) + f" d{number} : True := trivial")
    while stack:
        _, name = stack.pop()
        both(f"end {name}" if name else "end")
    return Files("\n".join(original), "\n".join(returned), target, tuple(added))


@settings(max_examples=150, deadline=None)
@given(files())
def test_round_trip(case: Files) -> None:
    found, submission = taken(case.original, case.returned, case.target)
    assert found.proof == ":= by\n  exact rfl"
    assert check_submission(submission)
    # What was added has the names that it had, in their order, and all that was in force.
    placed = {u.name: u for u in units(scan(submission.text))}
    before = {u.name: u for u in units(scan(case.returned))}
    assert [n for n in placed if n in case.added] == list(case.added)
    for name in case.added:
        there = [c.key for c in placed[name].scope]
        assert all(c.key in there for c in before[name].scope)
        # Each namespace it stood in is open where it is now.
        opened = {"".join(key[1:]).removeprefix("_root_.") for key in there if key[0] == "open"}
        opened |= set(ancestors(placed[name].namespace))
        assert set(ancestors(before[name].namespace)) <= opened
    # The rest is the original's, to the target.
    context = submission.region("context")
    assert case.original.startswith(context.of(submission.text) if context else "")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(FILE.split("\n") + MUTUAL.split("\n")), max_size=30))
@example(["end"] * 400)
@example(["mutual"] * 400)
def test_any_text_is_taken_or_refused(lines: list[str]) -> None:
    for original, name in ((FILE, "B.T"), (MUTUAL, "A.T")):
        try:
            found, submission = taken(original, "\n".join(lines), name)
        except DiffRefused:
            continue
        assert submission.target == name
        assert not found.proof or check_submission(submission)


# Lean


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    try:
        return find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


SCATTERED = changed(
    ("namespace A", "open Nat in\ndef start := 0\n\nnamespace A"),
    ("theorem first", "private theorem helper : x = 1 := rfl\n\ntheorem first"),
    (
        "end C",
        "theorem deep : x = 1 := helper\n\n"
        "theorem A.odd : x = 1 := deep\n\ndef count : Nat → Nat\n  | 0 => start\n"
        "  | n + 1 => count n\nend C",
    ),
    ("theorem T", "structure P where\n  a : A.x = 1\n\nset_option maxRecDepth 900 in\ntheorem T"),
    ("by sorry", "by\n  have p : P := ⟨A.C.A.odd⟩\n  have := A.C.count 3\n  exact p.a"),
)


@pytest.mark.lean
@pytest.mark.parametrize(
    ("original", "returned", "name"),
    [
        pytest.param(FILE, SCATTERED, "B.T", id="scattered"),
        pytest.param(MUTUAL, HELPED, "A.T", id="mutual"),
    ],
)
def test_lean_takes_the_candidate(
    original: str,
    returned: str,
    name: str,
    lean: Toolchain,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("diff")
    _, submission = taken(original, returned, name)
    # The returned file first: else the test would be of no use.
    for text in (returned, submission.text):
        (place / "X.lean").write_text(text, encoding="utf-8")
        done = process.run(
            lean.argv("X.lean"),
            cwd=place,
            env=lean.environment(()),
            limits=process.Limits(wall_seconds=120.0),
        )
        assert (done.exit_code, done.stdout) == (0, "")
