"""The audit's questions, and reading the answers of Leans of all ages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from pytest_vsb.judge import audit
from pytest_vsb.judge.audit import Findings, Questions
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import parse
from pytest_vsb.source.scanner import scan

FILE = "VsbAudit.lean"
AXIOMS = 3
"""The line of the question for axioms."""
SOURCE = scan(
    "theorem a : p := q\nprivate theorem b : p := q\n"
    "mutual\ntheorem c : p := q\ntheorem d : p := q\nprivate theorem e : p := q\nend\n"
)
Form = Callable[[Questions, Sequence[tuple[int, str, str]]], tuple[str, str]]
ALLOWED = audit.STANDARD_AXIOMS


def questions(name: str, **how: object) -> Questions:
    return Questions("VsbSubmission", SOURCE.find(name), SOURCE, **how)  # type: ignore[arg-type]


def line_of(asked: Questions, text: str) -> int:
    return asked.text.split("\n").index(text) + 1


def as_text(asked: Questions, answers: Sequence[tuple[int, str, str]]) -> tuple[str, str]:
    """What a Lean without ``--json`` prints: information comes without its place."""
    said: dict[int, list[str]] = {}
    for number, line in enumerate(asked.text.split("\n"), 1):
        if line.startswith('#print "'):
            said[number] = [line.removeprefix('#print "').removesuffix('"')]
    for number, severity, message in answers:
        head = "" if severity == "info" else f"{FILE}:{number}:0: {severity}: "
        said.setdefault(number, []).append(head + message)
    text = "\n".join(each for number in sorted(said) for each in said[number]) + "\n"
    return text, text


def as_json(_asked: Questions, answers: Sequence[tuple[int, str, str]]) -> tuple[str, str]:
    lines = [
        json.dumps(
            {
                "fileName": FILE,
                "severity": "information" if severity == "info" else severity,
                "data": message,
                "pos": {"line": line, "column": 0},
                "endPos": None,
            }
        )
        for line, severity, message in answers
    ]
    return "\n".join(lines) + "\n", ""


def read(form: Form, asked: Questions, answers: Sequence[tuple[int, str, str]]) -> Findings | None:
    text, stdout = form(asked, answers)
    return asked.read(parse(text, file_name=FILE), stdout)


FORMATS = pytest.mark.parametrize("form", [as_text, as_json], ids=["text", "json"])


def test_the_questions_name_the_target_from_the_root() -> None:
    asked = questions("a")
    lines = asked.text.split("\n")
    assert lines[0] == "import VsbSubmission"
    assert "#print axioms _root_.a" in lines
    assert "#check @_root_.a" in lines
    assert "set_option pp.all true" in lines
    assert audit.probe(SOURCE.find("a"), SOURCE) == ""


def test_a_private_target_is_asked_for_by_its_probe() -> None:
    asked = questions("b")
    assert f"#check @_root_.{audit.PROBE}" in asked.text
    assert "_root_.b" not in asked.text
    assert f"_root_.{audit.PROBE} := @_root_.b" in audit.probe(SOURCE.find("b"), SOURCE)


def test_public_members_of_a_mutual_block_are_asked_for_too() -> None:
    asked = questions("c")
    assert "#check @_root_.d" in asked.text
    assert "_root_.e" not in asked.text


@FORMATS
def test_answers(form: Form) -> None:
    asked = questions("a")
    check = line_of(asked, "#check @_root_.a")
    answers = [
        (AXIOMS, "info", "'a' depends on axioms: [propext,\n Classical.choice,\n Quot.sound]"),
        (check, "info", "a : ∀ (n : Nat),\n  @Eq.{1} Nat n n"),
    ]
    found = read(form, asked, answers)
    assert found == Findings(
        ("Classical.choice", "Quot.sound", "propext"), ("a : ∀ (n : Nat),\n  @Eq.{1} Nat n n",)
    )
    answers[0] = (AXIOMS, "info", "'a' does not depend on any axioms")
    found = read(form, asked, answers)
    assert found is not None
    assert found.axioms == ()


@FORMATS
@pytest.mark.parametrize(
    "change",
    ["no axioms", "no type", "two types", "error", "odd axioms", "cut", "unprintable", "option"],
)
def test_answers_that_cannot_be_trusted(form: Form, change: str) -> None:
    asked = questions("a")
    check = line_of(asked, "#check @_root_.a")
    axioms = (AXIOMS, "info", "'a' does not depend on any axioms")
    kind = (check, "info", "a : p")
    changed = {
        "no axioms": [kind],
        "no type": [axioms],
        "two types": [axioms, kind, kind],
        "error": [axioms, kind, (check, "error", "ambiguous")],
        "odd axioms": [(AXIOMS, "info", "'a' depends on something"), kind],
        "cut": [axioms, (check, "info", "a : p ⋯")],
        "unprintable": [axioms, (check, "info", "a : [Error pretty printing expression]")],
        "option": [axioms, kind, (line_of(asked, "set_option pp.all true"), "error", "unknown")],
    }[change]
    found = read(form, asked, changed)
    # As text, two answers to one question are one that fits no other file's.
    assert found is None or (change == "two types" and found.types == ("a : p\na : p",))


def test_an_option_that_an_old_lean_lacks_is_no_matter() -> None:
    asked = questions("a")
    answers = [
        (AXIOMS, "info", "'a' does not depend on any axioms"),
        (line_of(asked, "set_option pp.deepTerms true"), "error", "unknown option"),
        (line_of(asked, "#check @_root_.a"), "info", "a : p"),
    ]
    assert read(as_text, asked, answers) is not None
    # With proofs hidden, `⋯` must stand for nothing else, so every option must be known.
    hidden = questions("a", proofs=False)
    assert read(as_text, hidden, answers) is None


@pytest.mark.parametrize(
    ("axioms", "kind"),
    [
        ((), VerdictKind.ACCEPTED),
        (("propext", "Classical.choice", "Quot.sound"), VerdictKind.ACCEPTED),
        (("sorryAx",), VerdictKind.INCOMPLETE),
        (("Lean.ofReduceBool", "sorryAx"), VerdictKind.INCOMPLETE),
        (("Lean.ofReduceBool",), VerdictKind.UNSOUND),
        (("Lean.trustCompiler",), VerdictKind.UNSOUND),
        (("A.propext",), VerdictKind.UNSOUND),
    ],
)
def test_axioms(axioms: tuple[str, ...], kind: VerdictKind) -> None:
    found, reason = audit.judge_axioms(axioms, ALLOWED)
    assert found is kind
    assert bool(reason) == (kind is not VerdictKind.ACCEPTED)


# The second look


def test_matchers_are_found_by_their_names() -> None:
    text = "a : A.match_1.{1} (x) (B.match_1_3 y) (C.match_1' z) (match_2) rematch_1"
    found = audit.matchers([text, "@D.match_2 A.match_1"])
    assert found == ("A.match_1", "B.match_1_3", "D.match_2")
    assert audit.matchers(["_private.M.0.a.match_1 x"]) == ()


def test_the_names_of_matchers_do_not_count_and_their_definitions_do() -> None:
    one = Findings((), ("a : A.match_1 n (A.match_2 m)",), ("def A.match_1 := f", "def A.match_2"))
    same = Findings((), ("a : B.match_1 n (A.match_1 m)",), ("def B.match_1 := f", "def A.match_1"))
    swapped = Findings((), ("a : A.match_1 n (A.match_1 m)",), ("def A.match_1 := f",))
    other = Findings(
        (), ("a : B.match_1 n (A.match_1 m)",), ("def B.match_1 := g", "def A.match_1")
    )
    assert audit.meaning(one) == audit.meaning(same)
    assert audit.meaning(one) != audit.meaning(swapped)
    assert audit.meaning(one) != audit.meaning(other)


def test_lemmas_that_lean_made_of_proofs_do_not_count() -> None:
    one = Findings((), ("a : f n a._proof_1.{1}",))
    same = Findings((), ("a : f n b._proof_12",))
    hidden = Findings((), ("a : f n ⋯",))
    other = Findings((), ("a : f n b._proof_1_data",))
    assert audit.meaning(one) == audit.meaning(same) == audit.meaning(hidden)
    assert audit.meaning(one) != audit.meaning(other)


def test_the_difference_shows_both() -> None:
    text = audit.difference(("a : p",), ("a : q",))
    assert "here:     a : p" in text
    assert "original: a : q" in text
    assert "members" in audit.difference(("a : p",), ("a : p", "b : q"))
