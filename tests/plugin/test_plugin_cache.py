"""Runs with verdicts of earlier runs at hand."""

from __future__ import annotations

import pytest
from mini_project import MiniProject

from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.toolchain import find

pytestmark = pytest.mark.lean

ANSWERS = """\
def answer(request):
    return right(request) if request.sample == 2 else proof(":= by exact nothing")
"""


@pytest.fixture
def fresh(mini: MiniProject) -> MiniProject:
    """The project with a cache that holds what is compiled and no verdict."""
    own = mini.path / "cache"
    own.mkdir()
    for path in mini.cache.iterdir():
        if path.is_dir():
            (own / path.name).symlink_to(path)
    mini.cache, mini.caching = own, ""
    mini.prover(ANSWERS)
    mini.tasks("mirror_leaf")
    return mini


def test_an_equal_candidate_is_judged_in_one_run_only(fresh: MiniProject) -> None:
    ended = [fresh.bench("--vsb-samples=3", run=name) for name in ("a", "b")]
    assert [each.counts() for each in ended] == [{"passed": 1}] * 2, ended[1].text
    found, again = (fresh.by_task(name)["mirror_leaf"] for name in ("a", "b"))
    # The second sample says what the first one said.
    assert found["cached_verdicts"] == 1
    assert "attempts: 3 (1 accepted, 2 rejected); 1 judged before" in ended[0].text
    # Without a sandbox, an accepted proof is judged anew.
    confined = choose("auto", find("auto")).assurance != "unsandboxed"
    assert again["cached_verdicts"] == 2 + confined
    assert f"2 rejected); {2 + confined} judged before" in ended[1].text
    assert found["lean_seconds"] > 0
    assert (again["lean_seconds"] == 0) == ("time: Lean 0.0 s" in ended[1].text) == confined
    assert fresh.results("b")["summary"]["total"]["cached_verdicts"] == 2 + confined
    for key in ("solved", "n", "c", "c_first", "pass_at", "verdicts", "attempts", "first_error"):
        assert found[key] == again[key], key
    verdicts = [event["attempt"]["verdict"] for event in fresh.events("b") if "attempt" in event]
    assert [verdict["cached"] for verdict in verdicts] == [True, True, confined]
    # What it took when it was judged stays known.
    assert all(verdict["lean_seconds"] > 0 for verdict in verdicts)
    assert (fresh.cache / "verdicts-1.sqlite3").is_file()


@pytest.mark.slow
def test_without_the_database_equal_samples_are_judged_once_all_the_same(
    fresh: MiniProject,
) -> None:
    # A run that touched it would warn.
    (fresh.cache / "verdicts-1.sqlite3").mkdir()
    ended = fresh.bench("--vsb-samples=2", "--vsb-no-cache")
    assert ended.counts() == {"failed": 1}, ended.text
    assert fresh.by_task()["mirror_leaf"]["cached_verdicts"] == 1
