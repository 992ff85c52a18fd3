"""``vsb report`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_samples import attempt, make_run, task
from test_report_analysis import small_run

from pytest_vsb.cli.main import main
from pytest_vsb.report.results import read_results


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return small_run(tmp_path / "run")


def test_a_run_directory_alone_is_folded(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run)]) == 0
    assert "verification benchmark" in capsys.readouterr().out
    assert len(read_results(run).tasks) == 6


def test_a_format_writes_no_results(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--format=md"]) == 0
    assert capsys.readouterr().out.startswith("### Overall (Table 3)\n")
    assert not (run / "results.json").exists()


def test_several_runs_and_their_paper(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = make_run(run.parent / "other", [task("new")], [attempt(task("new"))])
    assert main(["report", str(run), str(other)]) == 0
    out = capsys.readouterr().out
    assert "made-up (run)" in out
    assert "made-up (other)" in out
    assert main(["report", str(run), "--paper"]) == 0
    assert "paper: Gemini-3-Pro, curated" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["txt", "md", "tex", "csv", "json"])
def test_the_name_of_the_file_says_the_format(
    run: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run.parent / f"report.{suffix}"
    assert main(["report", str(run), f"--output={file}"]) == 0
    assert f"{file}: 1 run" in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    beginnings = {
        "txt": "Overall",
        "md": "### Overall",
        "tex": "% \\usepackage",
        "csv": "table,run",
        "json": "{",
    }
    assert text.startswith(beginnings[suffix])


def test_results_alone(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run)]) == 0
    (run / "run.json").unlink()
    capsys.readouterr()
    for path in (run, run / "results.json"):
        assert main(["report", str(path)]) == 0
        assert "only results are kept" in capsys.readouterr().out


def test_unknown_names_are_looked_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    repository = tmp_path / "repos" / "demo"
    (repository / "Demo").mkdir(parents=True)
    (repository / "lakefile.toml").write_text('name = "demo"\n[[lean_lib]]\nname = "Demo"\n')
    (repository / "Demo" / "Basic.lean").write_text("theorem Demo.a : True := trivial\n")
    (repository / "Demo" / "Other.lean").write_text("theorem Demo.far : True := trivial\n")
    failed = attempt(task("a"), error="Unknown identifier `far`")
    path = make_run(tmp_path / "run", [task("a")], [failed])
    repos = tmp_path / "repos"
    assert main(["report", str(path), "--format=json", f"--repos={repos}"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    assert found["errors"]["tasks"][0]["place"] == "not imported"
    assert found["by_scale"][0]["name"] == "regular"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output=report.xyz"], "says no format"),
        (["--output=report.latex"], "end it in one of .txt, .md, .tex"),
        (["--output=report"], "no suffix"),
        (["--output=gone/report.md"], "--output=gone/report.md: its directory is not there"),
        (["--repos=gone"], "no such directory"),
        (["--format=xml"], "invalid choice"),
    ],
)
def test_what_cannot_be_done(
    run: Path,
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(run.parent)
    assert main(["report", str(run), *arguments]) == 4
    assert said in capsys.readouterr().err


def test_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "gone"):
        assert main(["report", str(path)]) == 4
        assert "vsb: error:" in capsys.readouterr().err


def test_a_task_file_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.vsb.jsonl").write_text("{}\n")
    assert main(["report", str(tmp_path / "mine.vsb.jsonl")]) == 4
    assert "this is a task file, not a run" in capsys.readouterr().err
