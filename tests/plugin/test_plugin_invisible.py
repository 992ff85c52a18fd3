"""Without a task file and an option of ours, the plugin is not there."""

from __future__ import annotations

import subprocess
import sys

from mini_project import MiniProject

OURS = {
    "pytest_vsb",
    "pytest_vsb.errors",
    "pytest_vsb.plugin",
    "pytest_vsb.plugin.collect",
    "pytest_vsb.plugin.fixtures",
    "pytest_vsb.plugin.hooks",
    "pytest_vsb.plugin.hookspecs",
    "pytest_vsb.plugin.option_table",
    "pytest_vsb.plugin.options",
}


def modules_after(code: str) -> set[str]:
    """What a new Python has imported after running some code."""
    printing = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", printing], capture_output=True, text=True, timeout=180, check=True
    )
    return set(done.stdout.split())


def test_import_of_the_plugin_is_small() -> None:
    added = modules_after("import pytest, pytest_vsb.plugin.hooks") - modules_after("import pytest")
    assert {name for name in added if name.startswith("pytest_vsb")} == OURS
    assert added - OURS == set()


def test_plain_session(quick: MiniProject) -> None:
    own = MiniProject(quick.path / "own", quick.cache, caching="")
    own.write("test_plain.py", "def test_plain(): pass\n")
    own.write(
        "conftest.py",
        "import pathlib, sys\n"
        "def pytest_unconfigure(config):\n"
        "    pathlib.Path('modules.txt').write_text('\\n'.join(sys.modules))\n",
    )
    own.run("-p", "no:vsb", model=None)
    without = set((own.path / "modules.txt").read_text().split())
    ended = own.run(model=None)
    assert ended.counts() == {"passed": 1}
    assert ended.errors == ""
    assert set((own.path / "modules.txt").read_text().split()) - without == OURS
    said = [line for line in ended.lines if "vsb" in line and not line.startswith("plugins: ")]
    assert said == []
    assert {path.name for path in own.path.iterdir()} - {"__pycache__", ".pytest_cache"} == {
        *("Mini.lean", "lakefile.toml", "pytest.ini", "test_plain.py", "conftest.py"),
        "modules.txt",
    }


def test_files_of_other_kinds_are_left_alone(quick: MiniProject) -> None:
    quick.write("data.jsonl", "{}\n")
    quick.write("vsb.jsonl", "{}\n")
    quick.write("test_plain.py", "def test_plain(): pass\n")
    assert quick.run(model=None).counts() == {"passed": 1}
