"""Repositories that switch the kernel off around their theorems."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_bench import Bench

from pytest_vsb.judge.located import with_kernel

OFF = "set_option debug.skipKernelTC true"
ON = "set_option debug.skipKernelTC false"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{OFF} in\ntheorem a : p := q", f"{ON} in\ntheorem a : p := q"),
        ("set_option «debug».skipKernelTC\n true\n", "set_option «debug».skipKernelTC\n false\n"),
        (f"{OFF.replace(' debug', ' /- x -/ debug')} -- {OFF}", None),
        (f"-- {OFF}\n", f"-- {OFF}\n"),
        (f'def a := "{OFF}"', f'def a := "{OFF}"'),
        (f"{ON}\n{OFF}\n", f"{ON}\n{ON}\n"),
        ("set_option debug.skipKernelTC", "set_option debug.skipKernelTC"),
        ("def debug.skipKernelTC := true", "def debug.skipKernelTC := true"),
    ],
)
def test_the_text(text: str, expected: str | None) -> None:
    expected = expected or text.replace("true", "false", 1)
    assert with_kernel(text) == expected


@given(
    st.lists(st.sampled_from([OFF, ON, "debug.skipKernelTC", "true", " ", "\n", "--", '"', "in"]))
)
def test_nothing_else_changes(pieces: list[str]) -> None:
    text = "".join(pieces)
    changed = with_kernel(text)
    assert changed.replace("false", "true") == text.replace("false", "true")
    assert with_kernel(changed) == changed


@pytest.mark.lean
def test_a_tactic_that_leaves_the_work_to_the_kernel(bench: Callable[..., Bench]) -> None:
    text = f"def twice (n : Nat) : Nat := n + n\n{OFF} in\ntheorem wrong : twice 1 = 3 := sorry\n"
    project = bench({"K.lean": text})
    verdict = project.judge("wrong", "by decide +kernel", path="K.lean")
    assert str(verdict.kind) == "rejected", verdict.reason
    assert project.judge("wrong", "by rfl", path="K.lean").kind == verdict.kind
