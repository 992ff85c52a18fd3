"""The examples of docs/provers.md work as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prover_requests import make_request, make_task

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverUnavailable
from pytest_vsb.provers.recorded import RecordedAnswer, read_recording, write_recorded
from pytest_vsb.provers.registry import create, parse_spec

PAGE = (Path(__file__).parents[2] / "docs" / "provers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = next(text for kind, text in BLOCKS if kind == "python" and "class Closing" in text)
    (tmp_path / "my_provers.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "my_provers", raising=False)


@pytest.mark.usefixtures("module")
def test_the_example_is_a_prover() -> None:
    prover = create(parse_spec("my_provers:Closing", {"tactics": "rfl,simp"}))
    task = make_task()
    proofs = []
    for sample in range(3):
        answer = prover.prove(make_request(task, sample=sample))
        proofs.append(answer and answer.candidate and answer.candidate.proof)
    assert proofs == ["by\n  intros\n  rfl", "by\n  intros\n  simp", None]
    assert prover.settings() == {"tactics": "rfl,simp"}
    prover.close()
    with pytest.raises(UsageError, match="Valid options: tactics"):
        create(parse_spec("my_provers:Closing", {"tactic": "rfl"}))
    with pytest.raises(ProverUnavailable):
        create(parse_spec("my_provers:Closing", {"tactics": ""})).prove(make_request(task))


@pytest.mark.usefixtures("module")
def test_the_hook_offers_it() -> None:
    hook = next(text for kind, text in BLOCKS if kind == "python" and "def pytest_vsb" in text)
    scope: dict[str, object] = {}
    exec("\n".join(line[2:] for line in hook.splitlines()), scope)
    factories = scope["pytest_vsb_provers"](None)  # type: ignore[operator]
    assert create(parse_spec("closing"), factories).name == "closing"


def test_the_file_by_hand_is_read_and_the_header_is_true(tmp_path: Path) -> None:
    by_hand = next(text for kind, text in BLOCKS if kind == "json" and "double_zero" in text)
    path = tmp_path / "by hand.jsonl"
    path.write_text(by_hand, encoding="utf-8")
    assert [answer.sample for answer in read_recording(path).answers] == [0, 1]
    header = next(text for kind, text in BLOCKS if "vsb_recording" in text)
    answers = [
        RecordedAnswer(task="A", sample=n, proof="rfl", prover="automation") for n in range(2)
    ]
    write_recorded(path, answers)
    first, line, _ = path.read_text(encoding="utf-8").splitlines()
    assert first == header.strip().replace(": ", ":").replace(", ", ",")
    for key in re.findall(r'"(\w+)":', line):
        assert f"`{key}`" in PAGE
