"""``vsb show`` on a small repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from pytest_vsb import cli

LEAN = """\
import Lib

/-- Twice. -/
def twice (n : Nat) : Nat := n + half n

theorem twice_zero : twice 0 = 0 := SECRET

theorem twice_half (n : Nat) : twice n = n + half n := by
  have := half_le n
  SECRET
"""
LIB = """\
def half (n : Nat) : Nat := n / 2

theorem half_le (n : Nat) : half n ≤ n := by
  SECRET
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "A.lean").write_text(LEAN)
    (tmp_path / "Lib.lean").write_text(LIB)
    (tmp_path / "Aside.lean").write_text("theorem aside : True := SECRET\n")
    task = {
        "id": "twice_half",
        "module": "A",
        "path": "A.lean",
        "root": ".",
        "name": "twice_half",
        "statement": "theorem twice_half (n : Nat) : twice n = n + half n",
        "reference_proof": ":= by\n  have := half_le n\n  SECRET",
    }
    (tmp_path / "a.vsb.jsonl").write_text(json.dumps(task) + "\n")
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def show(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["show", "a.vsb.jsonl::twice_half", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "SECRET" not in out
    return out


@pytest.mark.parametrize("context", ["curated", "full", "full-limited", "same-file", "retrieved:1"])
def test_what_is_shown(
    project: Path,
    context: str,
    capsys: pytest.CaptureFixture[str],
    snapshot: SnapshotAssertion,
) -> None:
    out = show(capsys, "--context", context, "--context-tokens", "1000")
    system, _, rest = out.partition("==== context")
    assert system.startswith("==== system\n")
    assert rest == snapshot


def test_counts_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = show(capsys)
    counts = show(capsys, "--counts")
    assert counts.startswith("==== tokens (estimate), context curated\n")
    assert whole.endswith(counts)


def test_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(show(capsys, "--json", "--context", "full"))
    assert found["context"] == "full"
    assert len(found["digest"]) == 64
    assert set(found["tokens"]) == {"system", "context", "task"}
    assert [part["name"] for part in found["parts"]] == [
        "repository",
        "file before the target",
        "headings",
    ]
    assert "theorem aside" in found["prompt"]["context"]


def test_what_was_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = "".join(f"theorem number_{n} : True := SECRET\n" for n in range(50))
    (project / "Lib.lean").write_text(LIB + many)
    arguments = ("--context", "full-limited", "--context-tokens", "160", "--counts")
    out = show(capsys, *arguments)
    assert "lines more: --omitted" in out
    everything = show(capsys, *arguments, "--omitted")
    assert everything.count(" of Lib: budget, ") > 40
    assert "all 1 of Aside: not imported, " in everything


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--context", "fll"], "--context: there is no context 'fll'"),
        (["--context", "full-limited"], "hint: --context-tokens=N: "),
        (["--context", "full", "--context-tokens", "3"], "the full context has about"),
        (["--context", "full", "--context-tokens", "3"], "hint: --context=full-limited cuts"),
        (["--context-tokens", "few"], "--context-tokens: 'few' is not a number"),
        (["--tokenizer", "abacus"], "tiktoken has no encoding 'abacus'"),
        (["--templates", "nowhere"], "no such directory of prompt templates"),
        (["--style", "haiku"], "there is no prompt style 'haiku'"),
    ],
)
def test_errors(
    project: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", "a.vsb.jsonl::twice_half", *arguments]) == 4
    assert message in capsys.readouterr().err


def test_another_statement_is_not_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "A.lean").write_text(LEAN.replace("n + half n :=", "half n + n :="))
    assert cli.main(["show", "a.vsb.jsonl::twice_half"]) == 4
    assert "is not the one in the task file" in capsys.readouterr().err
