from __future__ import annotations

import pytest

from pytest_vsb.run.changes import UNTOLD, causes, changes

BASIS = {
    "statement": "s",
    "judge": "23",
    "policy": "strict",
    "lean": "elan 4.9.0 abc",
    "options": "o",
    "text": "t",
    "imports": "i",
}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"statement": "other"}, ("its line in the task file",)),
        ({"text": "x"}, ("the text of its file before the theorem",)),
        ({"imports": "x"}, ("the compiled modules that its file imports",)),
        ({"options": "x"}, ("the options of Lean",)),
        ({"lean": "elan 4.10.0 d"}, ("the Lean (elan 4.9.0 abc, now elan 4.10.0 d)",)),
        ({"policy": "permissive"}, ("the policy (strict, now permissive)",)),
        (
            {"judge": "24", "imports": "x"},
            (
                "the compiled modules that its file imports",
                "the version of the judge (23, now 24)",
            ),
        ),
        # Nothing is told of what has no name here, or of what one session does not tell.
        ({}, (UNTOLD,)),
        ({"text": "", "more": "x"}, (UNTOLD,)),
    ],
)
def test_what_has_changed(changed: dict[str, str], told: tuple[str, ...]) -> None:
    assert changes(BASIS, {**BASIS, **changed}) == told


def test_a_journal_that_does_not_tell() -> None:
    assert changes({}, BASIS) == (UNTOLD,)


def test_causes_of_several_tasks() -> None:
    assert causes([("the Lean",)]) == "the Lean"
    assert causes([("a",), ("b", "a"), ("a",)]) == "a; b (1 of them)"
    many = [(f"cause {number}",) for number in range(8)]
    assert causes(many).count("(1 of them)") == 6
    assert causes(many).endswith("; and 2 more causes")
