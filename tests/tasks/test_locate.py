"""Finding a task's project and file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from task_lines import task

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.tasks.locate import project_root, source_file
from pytest_vsb.tasks.model import Origin, Task


def project(root: Path, file: str = "Demo/Fold.lean", lakefile: str = "lakefile.toml") -> Path:
    (root / file).parent.mkdir(parents=True)
    (root / file).write_text("theorem x : True := trivial\n", encoding="utf-8")
    (root / lakefile).touch()
    return root.resolve()


def at(directory: Path, **changes: Any) -> Task:
    return task(origin=Origin(directory / "t.vsb.jsonl", 4), **changes)


def test_root_is_relative_to_the_task_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path / "my lean")
    assert project_root(at(tmp_path, root="my lean")) == root
    assert project_root(at(root, root=".")) == root
    (tmp_path / "tasks").mkdir()
    assert project_root(at(tmp_path / "tasks", root="../my lean")) == root
    monkeypatch.chdir(tmp_path)
    assert project_root(at(Path(), root="my lean")) == root
    assert source_file(at(Path(), root="my lean")) == root / "Demo/Fold.lean"


def test_root_wins_over_repository(tmp_path: Path) -> None:
    project(tmp_path / "repos" / "demo")
    root = project(tmp_path / "own")
    found = project_root(at(tmp_path, root="own", repository="demo"), tmp_path / "repos")
    assert found == root


def test_missing_root(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentUnavailable) as caught:
        project_root(at(tmp_path, root="gone"))
    assert str(caught.value) == (
        f"{tmp_path / 't.vsb.jsonl'}:4: the Lean project 'gone' is not there: "
        f"no directory {tmp_path / 'gone'}\n"
        "  hint: `root` is relative to the directory of the task file"
    )


def test_root_without_a_task_file() -> None:
    with pytest.raises(EnvironmentUnavailable, match="relative to a task file"):
        project_root(task(root=".", origin=None))


def test_repository_below_repos(tmp_path: Path) -> None:
    root = project(tmp_path / "demo")
    assert project_root(at(tmp_path, repository="demo"), tmp_path) == root
    assert project_root(at(tmp_path, repository="owner/demo"), tmp_path) == root


def test_repository_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path / "repos" / "demo")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert project_root(at(tmp_path, repository="demo"), Path("~/repos")) == root


def test_repos_is_the_repository(tmp_path: Path) -> None:
    named = project(tmp_path / "demo", lakefile="lean-toolchain")
    assert project_root(at(tmp_path, repository="demo"), named) == named
    other = project(tmp_path / "clone-of-it", lakefile="lakefile.lean")
    assert project_root(at(tmp_path, repository="demo"), other) == other


def test_repos_is_another_repository(tmp_path: Path) -> None:
    other = project(tmp_path / "other", file="Other/Basic.lean")
    with pytest.raises(EnvironmentUnavailable) as caught:
        project_root(at(tmp_path, repository="demo"), other)
    assert str(caught.value) == (
        f"Fold.sound: the repository demo is not in {other}\n"
        f"  hint: `vsb repos build demo --repos={other}` if it is one of the benchmark's; else "
        f"clone it to {other / 'demo'}, or give another place: --vsb-repos=DIR"
    )


def test_repos_is_missing_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "gone", "x" * 300):
        with pytest.raises(EnvironmentUnavailable, match="which is not a directory"):
            project_root(at(tmp_path, repository="demo"), tmp_path / name)


def test_no_place_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VSB_REPOS_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    usual = tmp_path / "data" / "pytest-vsb" / "repos"
    with pytest.raises(EnvironmentUnavailable) as caught:
        project_root(at(tmp_path, repository="o/demo"))
    assert caught.value.message.startswith(f"the repository o/demo is not in {usual}, and no other")
    assert "`vsb repos build demo`" in (caught.value.hint or "")
    root = project(usual / "demo")
    assert project_root(at(tmp_path, repository="o/demo")) == root
    # What the usual place is is no repository itself.
    (usual / "lakefile.toml").touch()
    with pytest.raises(EnvironmentUnavailable):
        project_root(at(tmp_path, repository="other", path="Demo/Fold.lean"))
    monkeypatch.setenv("VSB_REPOS_DIR", str(tmp_path / "mine"))
    mine = project(tmp_path / "mine" / "demo")
    assert project_root(at(tmp_path, repository="demo")) == mine
    monkeypatch.delenv("VSB_REPOS_DIR")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "")
    with pytest.raises(EnvironmentUnavailable, match="no home to look for it in"):
        project_root(at(tmp_path, repository="demo"))
    with pytest.raises(EnvironmentUnavailable, match="neither `root` nor `repository`"):
        project_root(at(tmp_path), tmp_path)


def test_missing_file(tmp_path: Path) -> None:
    root = project(tmp_path / "demo")
    lost = at(tmp_path, root="demo", path="Demo/Gone.lean", module="Demo.Gone")
    with pytest.raises(EnvironmentUnavailable) as caught:
        source_file(lost)
    assert caught.value.message == (
        f"the module Demo.Gone is not there: no file {root / 'Demo/Gone.lean'}"
    )
    (root / "Demo/Dir.lean").mkdir()
    with pytest.raises(EnvironmentUnavailable, match="is not a file"):
        source_file(at(tmp_path, root="demo", path="Demo/Dir.lean"))


def test_links(tmp_path: Path) -> None:
    root = project(tmp_path / "demo")
    (tmp_path / "outside.lean").touch()
    (root / "Out.lean").symlink_to(tmp_path / "outside.lean")
    (root / "In.lean").symlink_to(root / "Demo/Fold.lean")
    (root / "Loop.lean").symlink_to(root / "Loop.lean")
    (tmp_path / "link").symlink_to(root)
    assert source_file(at(tmp_path, root="link", path="In.lean")) == root / "In.lean"
    with pytest.raises(EnvironmentUnavailable, match="leads out of the project"):
        source_file(at(tmp_path, root="demo", path="Out.lean"))
    with pytest.raises(EnvironmentUnavailable, match="is not there"):
        source_file(at(tmp_path, root="demo", path="Loop.lean"))
