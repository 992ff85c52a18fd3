"""What is nearest to a word that the command does not know; nothing where nothing is near."""

from __future__ import annotations

import shlex

import pytest

from pytest_vsb.cli import main


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("cach info", "did you mean cache? vsb --help"),
        ("cache inf", "did you mean info? vsb cache --help"),
        ("dataset stat", "did you mean stats? vsb dataset --help"),
        ("export run --format=parq", "did you mean parquet? vsb export --help"),
        ("report run --formt=csv", "did you mean --format? vsb --help"),
        ("report run more --formt csv", "did you mean --format? vsb --help"),
        ("nothing-like-it", "vsb --help"),
        ("cache zzz", "vsb cache --help"),
        ("report run --zzzzz", "vsb --help"),
        # An option of another command is none of this one.
        ("cache info --formt=csv", "vsb --help"),
        ("cache info zzz", "vsb --help"),
    ],
)
def test_the_hint(command: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 4
    assert capsys.readouterr().err.splitlines()[-1] == f"  hint: {hint}"
