"""Answers that are a whole file in one block."""

from __future__ import annotations

import pytest
from answer_samples import BY_LEMMA, LEMMA, PREFIX, PROOF, STATEMENT, TASK, fenced

from pytest_vsb.context import ParsedAnswer, format_answer, format_whole_file, parse_whole_file


def parse(text: str, *, strict: bool = False) -> ParsedAnswer:
    return parse_whole_file(text, TASK, prefix=PREFIX, strict=strict)


@pytest.mark.parametrize("proof", [PROOF, "rfl", "f\n  a", "| 0 => rfl\n| n + 1 => f n"])
@pytest.mark.parametrize("auxiliary", ["", LEMMA])
def test_the_exact_form_comes_back_as_it_is(proof: str, auxiliary: str) -> None:
    text = format_whole_file(proof, TASK, auxiliary, "A plan.")
    assert parse(text, strict=True) == ParsedAnswer(proof, auxiliary, "A plan.")


def test_the_last_block_with_the_target_counts() -> None:
    plan = f"Plan:\n{fenced(f'{STATEMENT} := by sorry', 'lean4')}\nthen"
    parsed = parse(f"{plan}\n{format_whole_file(BY_LEMMA, TASK, LEMMA)}")
    assert (parsed.proof, parsed.auxiliary) == (BY_LEMMA, LEMMA)


def test_what_the_file_has_is_left_out() -> None:
    code = (
        f"import Mathlib\nset_option maxRecDepth 900\n{PREFIX}{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}"
    )
    parsed = parse(fenced(code, "lean4"))
    assert parsed.proof == f"set_option maxRecDepth 900 in {BY_LEMMA}"
    assert LEMMA in parsed.auxiliary
    assert "twice_zero" not in parsed.auxiliary
    assert set(parsed.leniencies) == {
        "imports-dropped",
        "scoped-commands",
        "context-namespace",
        "restated-context",
    }


@pytest.mark.parametrize(
    ("text", "leniency"),
    [
        (fenced(PROOF, "lean4"), "statement-left-out"),
        (f"{STATEMENT} := {PROOF}", "no-block"),
        (f"<think>hm</think>{format_whole_file(PROOF, TASK)}", "thinking-tags"),
        (format_whole_file(PROOF, TASK).removesuffix("```"), "unclosed-fence"),
    ],
)
def test_what_is_forgiven(text: str, leniency: str) -> None:
    parsed = parse(text)
    assert parsed.proof == PROOF
    assert leniency in parsed.leniencies
    assert parse(text, strict=True).proof is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("No idea.", "no Lean code"),
        (fenced(LEMMA, "lean4"), "states or proves Box.target"),
        (fenced("theorem target : True := trivial", "lean4"), "states the target differently"),
        (format_answer("").replace("proof", "p"), "no Lean code"),
    ],
)
def test_what_holds_no_proof(text: str, why: str) -> None:
    parsed = parse(text)
    assert parsed.proof is None
    assert why in parsed.malformed
