"""The same project at another place is the same project."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.judge.check import Checker
from pytest_vsb.lean.project import open_project


@pytest.mark.lean
def test_a_fingerprint_does_not_depend_on_places(
    bench: Callable[..., Bench], tmp_path: Path
) -> None:
    one = bench(
        {
            "Lib.lean": "def k : Nat := 4\n",
            "Main.lean": "import Lib\n\ntheorem t : k = 4 := rfl\n",
        }
    )
    task = one.task("t", "Main.lean")
    elsewhere = tmp_path / "other machine" / "checkout"
    shutil.copytree(one.root, elsewhere)
    other = Checker(open_project(elsewhere, one.lean, cache=tmp_path / "its cache"), LIMITS)
    assert other.fingerprint(task) == one.checker.fingerprint(task)

    # What the module means still counts.
    (elsewhere / "Lib.lean").write_text("def k : Nat := 2 + 2\n", encoding="utf-8")
    changed = Checker(open_project(elsewhere, one.lean, cache=tmp_path / "its cache"), LIMITS)
    assert changed.fingerprint(task) != one.checker.fingerprint(task)
