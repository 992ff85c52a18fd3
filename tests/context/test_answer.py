"""Reading answers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from answer_samples import BAD, GOOD, LEMMA, PREFIX, PROOF, STATEMENT, TASK, fenced
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_vsb.context import LENIENCIES, ParsedAnswer, format_answer, parse_answer
from pytest_vsb.context.answer import MAX_CODE
from pytest_vsb.source import check_submission, normalise_proof, scan, splice
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"


def parse(text: str, *, strict: bool = False) -> ParsedAnswer:
    return parse_answer(text, TASK, prefix=PREFIX, strict=strict)


@pytest.mark.parametrize("name", GOOD)
def test_what_is_forgiven(name: str) -> None:
    text, leniencies = GOOD[name]
    parsed = parse(text)
    assert parsed.malformed == ""
    assert parsed.proof
    assert set(parsed.leniencies) == set(leniencies)
    assert set(leniencies) <= LENIENCIES.keys()


@pytest.mark.parametrize("name", GOOD)
def test_strict_takes_the_exact_form_only(name: str) -> None:
    text, leniencies = GOOD[name]
    strict, lenient = parse(text, strict=True), parse(text)
    if not leniencies:
        assert strict == lenient
    else:
        assert strict.proof is None
        assert strict.auxiliary == ""
        assert strict.leniencies == lenient.leniencies
        assert "not in the exact form" in strict.malformed
        assert LENIENCIES[lenient.leniencies[0]] in strict.malformed


@pytest.mark.parametrize("name", GOOD)
def test_a_repeated_reading_finds_the_same(name: str) -> None:
    parsed = parse(GOOD[name][0])
    assert parsed.proof is not None
    again = parse(format_answer(parsed.proof, parsed.auxiliary, parsed.reasoning))
    assert again.proof == parsed.proof
    assert again.reasoning == parsed.reasoning


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("strict", [False, True])
def test_what_holds_no_proof(name: str, strict: bool) -> None:
    text, why = BAD[name]
    parsed = parse(text, strict=strict)
    assert parsed.proof is None
    assert parsed.auxiliary == ""
    assert why in parsed.malformed


def test_the_parts_of_an_answer() -> None:
    parsed = parse(
        f"<reasoning>\nWhy\n so.\n</reasoning>\n<auxiliary>\n{LEMMA}\n</auxiliary>\n"
        f"<proof>\n{PROOF}\n</proof>"
    )
    assert parsed == ParsedAnswer(PROOF, LEMMA, "Why\n so.")


@pytest.mark.parametrize(
    ("name", "proof", "auxiliary"),
    [
        ("no by", PROOF, ""),
        ("separator, indented", PROOF, ""),
        ("the whole file", "by\n  exact ⟨foo n m h, rfl⟩", f"/-! Things. -/\n\n{LEMMA}"),
        ("restated", PROOF, ""),
        (
            "imports and open",
            "open Nat in by\n  exact ⟨foo n m h, rfl⟩",
            f"section\n\nopen Nat\n{LEMMA}\n\nend",
        ),
        (
            "a namespace of its own",
            "open Nat in open Mine in by\n  exact ⟨foo n m h, rfl⟩",
            f"namespace Mine\nopen Nat\n{LEMMA}\n\nend Mine",
        ),
        ("lemmas after the proof", "by\n  exact ⟨foo n m h, rfl⟩", LEMMA),
        ("a draft of something else", "by\n  exact ⟨foo n m h, rfl⟩", LEMMA),
        ("a set_option in front", f"set_option maxRecDepth 1000 in {PROOF}", ""),
    ],
)
def test_what_becomes_of_an_answer(name: str, proof: str, auxiliary: str) -> None:
    parsed = parse(GOOD[name][0])
    assert (parsed.proof, parsed.auxiliary) == (proof, auxiliary)


@pytest.mark.parametrize(
    "proof",
    [
        "rfl",
        "foo.trans bar",
        "left.elim h",
        "fun x => by\n  simp",
        "have e := f h\ng e",
        "show p from h",
        "let x := 1\nfoo x",
        "calc a = b := h\n  _ = c := k",
        "| 0 => rfl\n| n + 1 => foo n",
        "where\n  one := rfl",
        "match h with\n| .inl a => f a\n| .inr b => g b",
        "by simp [\n  foo]",
        "by induction n with\n  | zero => rfl\n  | succ n ih => simp",
        "by exact foo\n          (bar baz)",
        "foo\n  (bar)\n  baz",
        'by\n  have s := "a\nb"\n  exact s',
        "by simp\ntermination_by n\ndecreasing_by simp",
    ],
)
def test_bodies_that_stay_as_they_are(proof: str) -> None:
    parsed = parse(format_answer(proof))
    assert (parsed.proof, parsed.leniencies) == (proof, ())


@pytest.mark.parametrize(
    ("proof", "expected"),
    [
        ("simp", "by\n  simp"),
        ("omega", "by\n  omega"),
        ("decide", "by\n  decide"),
        ("rfl\ndone", "by\n  rfl\n  done"),
        ("calc a = b := h\nexact k", "by\n  calc a = b := h\n  exact k"),
        ("my_tactic\nsimp", "by\n  my_tactic\n  simp"),
        ("-- first\nsimp", "by\n  -- first\n  simp"),
        (
            "induction n with\n| zero => rfl\n| succ n ih => rfl",
            "by\n  induction n with\n  | zero => rfl\n  | succ n ih => rfl",
        ),
        ('have s := "a\nb"\nsimp', 'by\n  have s := "a\nb"\n  simp'),
        ("by intro h\n                  simp", "by\n  intro h\n  simp"),
        ("by have e : p := by\n    simp\n  exact e", "by\n  have e : p := by\n    simp\n  exact e"),
    ],
)
def test_bodies_made_ready(proof: str, expected: str) -> None:
    assert parse(format_answer(proof)).proof == expected


def test_other_members_of_a_mutual_block() -> None:
    task = Task("t", "M", "M.lean", "b", "theorem b : Odd n → p n")
    block = "mutual\ntheorem a : Even n → p n := x\ntheorem b : Odd n → p n := y\nend"
    parsed = parse_answer(fenced(block), task)
    assert parsed.proof == "y"
    assert parsed.auxiliary == ""
    assert "mutual-members-dropped" in parsed.leniencies


def test_a_namesake_elsewhere_is_a_lemma() -> None:
    task = Task("t", "M", "M.lean", "Demo.Tree.size_map", "theorem Tree.size_map : p t")
    lemma = "theorem Forest.size_map : p f := trivial"
    parsed = parse_answer(format_answer("by\n  simp", lemma), task, prefix="namespace Demo\n")
    assert (parsed.proof, parsed.auxiliary) == ("by\n  simp", lemma)


def test_a_truncated_statement_agrees_with_what_goes_on() -> None:
    task = Task("t", "M", "M.lean", "t", "theorem t : let x :=")
    parsed = parse_answer(fenced("theorem t : let x := 1; x = 1 := by rfl"), task)
    assert parsed.proof == "by rfl"


def test_what_the_file_says_is_not_said_again() -> None:
    prefix = (
        'open List\nvariable (q : Nat)\nnotation "two" => 2\ninstance : Inhabited A := ⟨a⟩\n'
        "mutual\ndef ev := 1\ndef od := 2\nend\nsection\nopen Nat\nend\n"
    )
    task = Task("t", "M", "M.lean", "t", "theorem t : p")
    parsed = parse_answer(fenced(f"{prefix}theorem t : p := by simp"), task, prefix=prefix)
    assert parsed.auxiliary == ""
    assert parsed.proof == "by simp"
    assert "restated-context" in parsed.leniencies
    assert "scoped-commands" not in parsed.leniencies


def test_another_definition_of_the_same_name_is_kept() -> None:
    # Lean says that it is declared already; to drop it would be to prove something else.
    parsed = parse(format_answer(PROOF, "def twice (n : Nat) : Nat := 2 * n"))
    assert parsed.auxiliary == "def twice (n : Nat) : Nat := 2 * n"
    assert parsed.leniencies == ()


@pytest.mark.parametrize(
    "text",
    [
        format_answer("by\n" + "  simp\n" * MAX_CODE),
        "```lean\n" + "theorem a : p := q\n" * (MAX_CODE // 18) + "```",
        "by simp\n" + "x" * MAX_CODE,
    ],
)
def test_a_runaway_is_no_proof(text: str) -> None:
    assert "characters of Lean code" in parse(text).malformed


@pytest.mark.parametrize(
    "piece", ["<proof>", "</proof>", "```\n", "```lean\n`", "~~~\n", "<think>", "<proof>`"]
)
def test_much_markup(piece: str) -> None:
    parsed = parse(piece * (1_000_000 // len(piece)))
    assert parsed.proof is None
    assert parsed.malformed


@pytest.mark.parametrize("task", read_tasks(DEMO / "demo.vsb.jsonl").tasks[::3], ids=lambda t: t.id)
def test_the_reference_proofs_of_the_demo(task: Task) -> None:
    source = scan((DEMO / task.path).read_bytes().decode())
    target = source.find(task.name)
    start = (target.mutual or target.span).start
    prefix = source.text[:start]
    assert task.reference_proof is not None
    proof = task.reference_proof.removeprefix(":=").strip().replace("\r\n", "\n")
    exact = parse_answer(format_answer(proof, "", "x"), task, prefix=prefix, strict=True)
    assert exact == ParsedAnswer(proof, "", "x")
    again = parse_answer(
        fenced(f"import Mathlib\n{source.text[: target.statement.end]} {task.reference_proof}"),
        task,
        prefix=prefix,
    )
    assert again.proof is not None
    # What stands in front of the declaration is said once more in front of the proof.
    assert normalise_proof(again.proof).endswith(normalise_proof(proof).removeprefix(":= "))
    assert scan(again.auxiliary).declarations == ()
    assert check_submission(splice(source, target, auxiliary=again.auxiliary, proof=again.proof))


PIECES = [
    "<proof>",
    "</proof>",
    "<auxiliary>",
    "</auxiliary>",
    "<reasoning>",
    "</reasoning>",
    "<think>",
    "</think>",
    "<PROOF >",
    "```lean\n",
    "```\n",
    "~~~",
    "\n",
    "\n\n",
    "  ",
    "\t",
    "\r\n",
    "\x00",
    f"{STATEMENT} := {PROOF}\n",
    f"{STATEMENT} := by sorry\n",
    STATEMENT,
    LEMMA,
    PROOF,
    "by",
    ":=",
    "theorem target : True := trivial\n",
    "theorem Box.target : False := h\n",
    "lemma target",
    "namespace Box\n",
    "namespace Box.target\n",
    "end Box\n",
    "end\n",
    "section\n",
    "mutual\n",
    "open Nat\n",
    "open Nat in\n",
    "variable (x : Nat)\n",
    "import Mathlib\n",
    "#eval 1\n",
    "private ",
    "@[simp] ",
    "/-- doc -/\n",
    "/-",
    "-/",
    "-- c\n",
    '"',
    "«",
    "(",
    ")",
    "⟨",
    "|",
    "simp\n",
    "intro x\n",
    "exact h\n",
    "· rfl\n",
    "have h : p := by simp\n",
    "None",
    "where\n",
    "\ufeff",
    "\ud800",
    "\u2028",
    "_root_.Box.target",
    "example : True := trivial\n",
]
answers = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=20).map("".join))


@given(answers, st.booleans(), st.booleans())
@example("<proof>\n" + STATEMENT + " := x\ntheorem target : True := trivial\n</proof>", False, True)
@settings(deadline=None, max_examples=120)
def test_no_answer_changes_the_statement(text: str, strict: bool, known: bool) -> None:
    prefix = PREFIX if known else ""
    parsed = parse_answer(text, TASK, prefix=prefix, strict=strict)
    assert (parsed.proof is None) == bool(parsed.malformed)
    assert set(parsed.leniencies) <= LENIENCIES.keys()
    assert len(set(parsed.leniencies)) == len(parsed.leniencies)
    if parsed.proof is None:
        assert parsed.auxiliary == ""
        return
    assert parsed.proof.strip()
    assert not (strict and parsed.leniencies)
    # Put in its place, the statement is the task's, and nothing before it has its name.
    names = [d.full_name for d in scan(f"{PREFIX}{parsed.auxiliary}").declarations]
    assert "Box.target" not in names
    source = scan(f"{PREFIX}{STATEMENT} := sorry\n\nend Box\n")
    spliced = splice(source, source.find("Box.target"), auxiliary="", proof=parsed.proof)
    statement = spliced.region("statement")
    assert statement is not None
    assert statement.of(spliced.text).strip() == STATEMENT


lines = st.sampled_from(
    ["simp", "exact h", "rw [a]", "· rfl", "have h : p := by omega", "next => rfl"]
)
blocks = st.lists(lines, min_size=1, max_size=5).map(
    lambda found: "".join(f"\n  {x}" for x in found)
)
bodies = st.one_of(
    blocks.map("by{}".format), st.sampled_from(["rfl", "fun x => f x", "⟨a, b⟩", "f\n  a"])
)
lemmas = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3).flatmap(
    lambda names: bodies.map(
        lambda body: "\n\n".join(f"theorem {name}' (x : p) : q :=\n  {body}" for name in names)
    )
)
words = st.text(st.characters(codec="ascii", exclude_characters="<>`\r\0"), max_size=40).map(
    str.strip
)


@given(bodies, lemmas, words)
@settings(deadline=None, max_examples=50)
def test_an_exact_answer_comes_back_as_it_is(proof: str, auxiliary: str, reasoning: str) -> None:
    parsed = parse(format_answer(proof, auxiliary, reasoning), strict=True)
    assert parsed == ParsedAnswer(proof, auxiliary, reasoning)


def test_every_leniency_is_met() -> None:
    met = {name for _, names in GOOD.values() for name in names}
    elsewhere = {
        "truncated",
        "mutual-members-dropped",
        "restated-context",
        "no-block",
        "statement-left-out",
    }
    assert met | elsewhere == LENIENCIES.keys()


def test_a_parsed_answer_is_a_record() -> None:
    parsed = parse(format_answer(PROOF))
    assert dataclasses.replace(parsed, reasoning="x") != parsed


def test_the_documentation_lists_every_leniency() -> None:
    page = (Path(__file__).parents[2] / "docs" / "prompts.md").read_text("utf-8")
    assert all(f"| `{name}` | {meaning} |" in page for name, meaning in LENIENCIES.items())
