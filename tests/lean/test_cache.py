"""What is kept on the disk: what to do where it cannot be."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache


def hint_of(target: Path, build: Callable[[Path], None]) -> str:
    with pytest.raises(EnvironmentUnavailable, match="cannot keep compiled files") as caught:
        cache.build_once(target, build)
    return str(caught.value.hint)


def test_a_file_that_is_missing_is_no_fault_of_the_cache(tmp_path: Path) -> None:
    source = tmp_path / "Demo.lean"

    def build(scratch: Path) -> None:
        (scratch / "copy").write_bytes(source.read_bytes())

    hint = hint_of(tmp_path / "cache" / "abc", build)
    assert "the file is needed to compile" in hint
    assert cache.VARIABLE not in hint


def test_what_was_being_built_is_removed_meanwhile(tmp_path: Path) -> None:
    def build(scratch: Path) -> None:
        scratch.rmdir()
        (scratch / "Demo.olean").write_bytes(b"")

    hint = hint_of(tmp_path / "cache" / "abc", build)
    assert "removed meanwhile" in hint
    assert str(tmp_path / "cache") in hint
    assert cache.VARIABLE not in hint


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "a directory that can be written"),
        (errno.EIO, "run this again"),
    ],
)
def test_the_hint_is_by_what_went_wrong(number: int, words: str, tmp_path: Path) -> None:
    def build(scratch: Path) -> None:
        raise OSError(number, os.strerror(number), str(scratch))

    hint = hint_of(tmp_path / "abc", build)
    assert words in hint
    assert cache.VARIABLE in hint
