"""What a run neither reads nor keeps before, or after, it needs to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mini_project import MINI, MiniProject

WATCHING = """
import pathlib, sys

HERE = pathlib.Path(__file__).parent
FILE = open(HERE.parent / "opened.txt", "w", encoding="utf-8")

def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and not FILE.closed:
        FILE.write(f"{arguments[0]}\\n")

sys.addaudithook(watch)

def pytest_unconfigure(config):
    FILE.close()
    (HERE.parent / "modules.txt").write_text("\\n".join(sys.modules))
"""

HEAVY = {"jinja2", "distributed", "dask", "pyarrow", "tiktoken", "requests", "aristotlelib"}
HEAVY |= {"scipy", "numpy", "pandas"}
RUNNING = {
    "pytest_vsb.plugin.setup",
    "pytest_vsb.judge.check",
    "pytest_vsb.run.session",
    "tabulate",
}


def official(number: int) -> dict[str, object]:
    """A record as the benchmark's own file has them, with the text of its file before it."""
    return {
        "id": number,
        "thm_name": "Mini.mirror_leaf",
        "thm_stmt": "theorem mirror_leaf : Tree.leaf.mirror = Tree.leaf",
        "lean_root": "mini",
        "rel_path": "Mini.lean",
        "imports": ["Init"],
        "used_lib_defs": [],
        "used_repo_defs": [],
        "lib_lemmas": [],
        "repo_lemmas": [],
        "local_ctx": MINI,
        "ground_truth_proof": ":= rfl",
        "nesting_depth": 1,
        "transitive_dep_count": 1,
        "category": "Semantics",
        "is_aristotle": False,
    }


@pytest.mark.parametrize("model", [None, "reference"])
def test_collecting_reads_no_repository(tmp_path: Path, model: str | None) -> None:
    repository = MiniProject(tmp_path / "repos" / "mini", tmp_path / "cache", caching="")
    project = MiniProject(tmp_path / "own", tmp_path / "cache", caching="")
    project.write("verisoftbench.jsonl", f"{json.dumps(official(1))}\n")
    project.write("conftest.py", WATCHING)
    ended = project.run(
        "--collect-only", "-q", f"--vsb-repos={repository.path.parent}", model=model
    )
    assert "1 test collected" in ended.text
    opened = (tmp_path / "opened.txt").read_text("utf-8").splitlines()
    assert any(path.endswith("verisoftbench.jsonl") for path in opened)
    assert [path for path in opened if str(repository.path) in path] == []
    loaded = set((tmp_path / "modules.txt").read_text("utf-8").split())
    assert "pytest_vsb.plugin.items" in loaded
    assert HEAVY & loaded == set()
    if model is None:
        assert RUNNING & loaded == set()


KEEPING = """
import pathlib

BIG = "x" * 100_000

def answer(request):
    return Answer(None, malformed=BIG)

def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = [r for reports in reporter.stats.values() for r in reports if hasattr(r, "vsb")]
    items = config.pluginmanager.get_plugin("session").items
    note("kept.txt", f"{len(reports)} {sum(len(r.vsb.encode()) for r in reports)}")
    note("kept.txt", f"{len(items)} {sum(len(item.attempts) for item in items)}")
"""


def test_what_was_journaled_is_not_kept_in_memory(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover(KEEPING)
    ended = near.run("--vsb-run=run", "--vsb-samples=4", "--vsb-repairs=0")
    assert ended.counts() == {"failed": 2}
    reports, size, items, attempts = map(int, (near.path / "kept.txt").read_text().split())
    assert (reports, items, attempts) == (2, 2, 0)
    assert size < 20_000
    journal = near.path / "run" / "journal" / "main.jsonl"
    assert journal.stat().st_size > 8 * 100_000
