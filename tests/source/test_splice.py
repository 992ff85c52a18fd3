"""Splicing, the normal form of proofs, and the checks of a candidate's text."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.source import (
    auxiliary_declarations,
    check_parts,
    check_submission,
    normalise_proof,
    scan,
    splice,
    stub,
)

FILE = """\
import A

namespace N
/-- First. -/
theorem a : p := q

open Nat in
/-- Second. -/
@[simp] theorem b : ∀ n, n = n -- by cases
  | 0 => rfl
  | n + 1 => rfl
  -- over

theorem after : p := q
mutual
theorem c : p := d

/-- Middle. -/
theorem d : q :=
  e

theorem e : r := c
end

section
  variable (x : Nat)
  theorem f : x = x := rfl
end
instance : Inhabited T where
  default := t
theorem g : p
"""

TARGETS = ["N.a", "N.b", "N.c", "N.d", "N.e", "N.f"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", TARGETS)
def test_the_reference_body_gives_the_file_back(name: str, newline: str) -> None:
    text = FILE.replace("\n", newline)
    source = scan(text)
    target = source.find(name)
    assert target.body is not None
    submission = splice(source, target, auxiliary="", proof=target.body.of(text))
    end = (target.mutual or target.span).end
    assert submission.text == text[:end] + newline
    assert submission.target == name
    assert check_submission(submission)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", [*TARGETS, "N.g"])
@pytest.mark.parametrize(
    ("proof", "body"),
    [
        ("by\nintro x\nexact y", ":= by\n  intro x\n  exact y"),
        ("\n\n  := foo\n\n", ":= foo"),
        ("| 0 => x\n| n + 1 => y", "| 0 => x\n  | n + 1 => y"),
        ("where\n  a := b\n", "where\n  a := b"),
    ],
)
def test_a_candidate_in_place(name: str, newline: str, proof: str, body: str) -> None:
    source = scan(FILE.replace("\n", newline))
    target = source.find(name)
    submission = splice(source, target, auxiliary="\nlemma aux : p := by\n  simp\n\n", proof=proof)
    text = submission.text
    assert "".join(r.span.of(text) for r in submission.regions) == text
    context, auxiliary, statement, found = (
        submission.region(kind) for kind in ("context", "auxiliary", "statement", "proof")
    )
    assert context is not None
    assert auxiliary is not None
    assert statement is not None
    assert found is not None
    assert source.text.startswith(context.of(text))
    assert auxiliary.of(text) == "lemma aux : p := by\n  simp\n\n".replace("\n", newline)
    written = source.text[target.span.start : target.statement.end]
    assert statement.of(text).strip().startswith(written)
    assert found.of(text).rstrip() == body.replace("\n", newline)
    assert check_submission(submission)
    again = scan(text)
    place = again.find(name)
    assert place.statement.of(text) == target.statement.of(source.text)
    assert again.declarations[-1] == place or target.mutual is not None
    assert "after" not in text or target.span.start > source.find("N.after").span.start
    assert submission.digest == hashlib.sha256(text.encode()).hexdigest()


def test_the_other_members_of_a_mutual_block_stay() -> None:
    source = scan(FILE)
    target = source.find("N.d")
    assert target.mutual is not None
    submission = splice(source, target, auxiliary="theorem aux : p := q", proof="by simp")
    before, after = target.mutual.of(FILE).split(target.span.of(FILE))
    assert [(r.kind, r.span.of(submission.text)) for r in submission.regions][1:] == [
        ("auxiliary", "theorem aux : p := q\n\n"),
        ("mutual", before),
        ("statement", "/-- Middle. -/\ntheorem d : q "),
        ("proof", ":= by simp"),
        ("mutual", f"{after}\n"),
    ]


def test_auxiliary_declarations_go_before_every_prefix_of_the_target() -> None:
    source = scan(FILE)
    text = splice(source, source.find("N.b"), auxiliary="theorem x : p := q", proof="y").text
    assert "theorem x : p := q\n\nopen Nat in\n/-- Second. -/" in text


def test_an_indented_target_keeps_its_indentation() -> None:
    source = scan(FILE)
    text = splice(source, source.find("N.f"), auxiliary="theorem x : p := q", proof="y").text
    assert text.endswith("  variable (x : Nat)\ntheorem x : p := q\n\n  theorem f : x = x := y\n")


def test_a_target_in_the_middle_of_a_line() -> None:
    source = scan("theorem a : p := q theorem b : p := r")
    submission = splice(source, source.find("b"), auxiliary="theorem x : p := q", proof="y")
    assert submission.text == "theorem a : p := q \ntheorem x : p := q\n\ntheorem b : p := y\n"
    assert check_submission(submission)


def test_the_stub() -> None:
    source = scan(FILE)
    assert stub(source, source.find("N.a")).text.endswith("theorem a : p := sorry\n")
    assert stub(source, source.find("N.g")).text.endswith("theorem g : p := sorry\n")
    assert "theorem d : q :=\n  e\n" in stub(source, source.find("N.e")).text
    instance = next(d for d in source.declarations if d.kind == "instance")
    submission = stub(source, instance)
    assert submission.text.endswith("instance : Inhabited T := sorry\n")
    assert check_submission(submission)


def test_regions_by_position() -> None:
    source = scan("theorem α : p :=\n  q\ntheorem b : p := q\n")
    submission = splice(source, source.find("b"), auxiliary="theorem x : p :=\n  y", proof="by\nz")
    # 1-2: before; 3-4: auxiliary; 6-7: the target.
    at = submission.region_at
    assert [at(1, 0), at(2, 3), at(3, 0), at(4, 2)] == ["context"] * 2 + ["auxiliary"] * 2
    assert [at(6, 0), at(6, 13), at(6, 14), at(7, 2)] == ["statement"] * 2 + ["proof"] * 2
    assert [at(0, 0), at(2, 999), at(99, 0), at(7, -1)] == ["context"] * 2 + ["proof"] * 2
    assert submission.offset_at(1, 8) == submission.text.index("α")


def test_places_in_regions() -> None:
    source = scan("theorem α : p :=\n  q\n  theorem b : p := q\n")
    submission = splice(source, source.find("b"), auxiliary="\n  lemma x\n  y", proof="by\nz")
    at = submission.local_at
    assert [at(1, 8), at(3, 0), at(3, 2), at(4, 1)] == [(1, 8), (1, 0), (1, 2), (2, 1)]
    assert [at(6, 2), at(6, 16), at(7, 2)] == [(1, 2), (1, 0), (2, 2)]
    # On a line with other text before it, the auxiliary text begins with a line end.
    source = scan("namespace N theorem b : p := q\n")
    submission = splice(source, source.find("N.b"), auxiliary="lemma x", proof="q")
    assert submission.text.split("\n")[1] == "lemma x"
    assert submission.local_at(2, 6) == (1, 6)


@pytest.mark.parametrize(
    ("proof", "body"),
    [
        ("by simp", ":= by simp"),
        (":= by simp", ":= by simp"),
        ("  fun x =>\n    x", ":= fun x =>\n    x"),
        ("  by\n    simp\n    rfl", ":= by\n    simp\n    rfl"),
        ("by\r\nsimp\r\n", ":= by\n  simp"),
        ("by\n· simp\n  done\n\n· rfl", ":= by\n  · simp\n    done\n\n  · rfl"),
        ("by\nexact\n  foo\nwhere\n  foo := 1", ":= by\n  exact\n    foo\n  where\n    foo := 1"),
        ('by\ntrace "a\nb"\nsimp', ':= by\n  trace "a\nb"\n  simp'),
        ("where\n  a := 1", "where\n  a := 1"),
        ("where' x", ":= where' x"),
        ("|x|", ":= |x|"),
        ("|| x", ":= || x"),
        ("| 0 => a", "| 0 => a"),
        ("", ":="),
    ],
)
def test_normal_form_of_a_proof(proof: str, body: str) -> None:
    assert normalise_proof(proof) == body
    assert normalise_proof(body) == body


@given(st.text(alphabet=st.sampled_from("ab \n\"'|:=>-/.·\t")))
def test_the_normal_form_is_one(proof: str) -> None:
    body = normalise_proof(proof)
    assert normalise_proof(body) == body
    assert squeezed(body) == squeezed(proof)


def squeezed(proof: str) -> str:
    """All characters of a proof but spaces and the separator it may begin with."""
    return "".join(proof.lstrip().removeprefix(":=").split())


def problems(auxiliary: str, proof: str) -> list[tuple[str, str, int, int]]:
    return [(p.part, p.kind, p.line, p.column) for p in check_parts(auxiliary, proof)]


@pytest.mark.parametrize(
    ("auxiliary", "proof"),
    [
        ("", "by simp"),
        ("theorem x : p := by\n  simp\n\n@[simp] lemma y : q := r", "by\n  exact x"),
        ("open Nat in\n/-- d -/ private def x := 1", "| 0 => a\n| _ => b"),
        ("mutual\ntheorem x : p := y\ntheorem y : p := x\nend", ":= x\ntermination_by n => n"),
        ("namespace A\ntheorem x : p := q\nend A", "by\n  open Nat in\n  simp"),
        ("-- only a comment", 'by\ntrace "theorem x : p := q /-"\n-- end\nsimp'),
    ],
)
def test_sound_parts_have_no_problems(auxiliary: str, proof: str) -> None:
    assert problems(auxiliary, proof) == []


@pytest.mark.parametrize(
    ("auxiliary", "proof", "expected"),
    [
        ("", " \n", ("proof", "empty", 1, 0)),
        ("", "by\n  simp /- open", ("proof", "open_comment", 2, 7)),
        ("", 'by simp "', ("proof", "open_string", 1, 8)),
        ("", "by (simp", ("proof", "brackets", 1, 3)),
        ("", "by simp)", ("proof", "brackets", 1, 7)),
        ("", "by simp\n\ntheorem x : p := q", ("proof", "command", 3, 0)),
        ("", "by simp theorem x : p := q", ("proof", "command", 1, 8)),
        ("", ":= by simp\nend N", ("proof", "command", 2, 0)),
        ("", "by\nsimp\n  @[simp] lemma x : p := q", ("proof", "command", 3, 2)),
        ("", "by simp\n#eval 1", ("proof", "command", 2, 0)),
        ("", "trivial end N", ("proof", "command", 1, 8)),
        ("", "trivial open Nat", ("proof", "command", 1, 8)),
        ("", "by simp\nset_option a true", ("proof", "command", 2, 0)),
        ("", "by simp\n/-! text -/", ("proof", "command", 2, 0)),
        ("theorem x : p := q /- a", "y", ("auxiliary", "open_comment", 1, 19)),
        ("\nexact h", "y", ("auxiliary", "unknown_command", 2, 0)),
        ("theorem x : p := q\n\nnonsense x", "y", ("auxiliary", "unknown_command", 3, 0)),
        ("theorem x : p := q\n@[simp]", "y", ("auxiliary", "prefix", 2, 0)),
        ("private", "y", ("auxiliary", "prefix", 1, 0)),
        ("open Nat in", "y", ("auxiliary", "prefix", 1, 0)),
        ("theorem x : p := q\n/-- doc -/", "y", ("auxiliary", "prefix", 2, 0)),
        ("namespace N\ntheorem x : p := q", "y", ("auxiliary", "scope", 2, 18)),
        ("mutual\ntheorem x : p := q", "y", ("auxiliary", "scope", 2, 18)),
        ("theorem x : p := q\nend N", "y", ("auxiliary", "scope", 2, 0)),
    ],
)
def test_problems(auxiliary: str, proof: str, expected: tuple[str, str, int, int]) -> None:
    assert problems(auxiliary, proof) == [expected]


def test_an_unfinished_quotation_hides_what_follows() -> None:
    assert ("auxiliary", "prefix") in [p[:2] for p in problems("def x := `(", "y")]


@given(st.text(), st.text())
def test_checks_take_any_text(auxiliary: str, proof: str) -> None:
    for problem in check_parts(auxiliary, proof):
        given_text = auxiliary if problem.part == "auxiliary" else proof
        assert 1 <= problem.line <= given_text.count("\n") + 1
        assert problem.column >= 0


def test_a_submission_whose_proof_escapes_is_noticed() -> None:
    source = scan(FILE)
    target = source.find("N.a")
    assert not check_submission(splice(source, target, auxiliary="", proof="x\ntheorem y : p := q"))
    assert not check_submission(splice(source, target, auxiliary="@[simp]", proof="x"))
    assert not check_submission(splice(source, target, auxiliary="/-", proof="x"))
    assert not check_submission(splice(source, target, auxiliary="namespace M", proof="x"))


def test_what_auxiliary_text_declares() -> None:
    source = auxiliary_declarations("@[simp] private theorem x : p := q\naxiom y : False\n")
    assert [(c.keyword, c.modifiers, c.attributes) for c in source.commands] == [
        ("theorem", ("private",), ("simp",)),
        ("axiom", (), ()),
    ]
