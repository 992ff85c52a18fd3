from __future__ import annotations

import gzip
import json
import random
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prover_requests import make_request, make_task

from pytest_vsb.context.prompt import PromptBuilder
from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import Answer, Candidate, ProverUnavailable, Usage
from pytest_vsb.provers.recorded import RecordedAnswer, read_recording, write_recorded
from pytest_vsb.provers.registry import create, parse_spec
from pytest_vsb.provers.replay import RecordingChanged, ReplayProver
from pytest_vsb.run.recording import write_recording
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.tasks.dataset import task_digest


def replay(path: Path) -> ReplayProver:
    prover = create(parse_spec(f"replay:{path}"))
    assert isinstance(prover, ReplayProver)
    return prover


def ask(prover: ReplayProver, id: str, sample: int = 0, round: int = 0) -> Answer | None:
    return prover.prove(make_request(make_task(id), sample=sample, round=round))


def proof_of(answer: Answer | None) -> str:
    assert answer is not None
    assert answer.candidate is not None
    return answer.candidate.proof


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "by hand.jsonl"
    path.write_text(
        '\ufeff{"task": "A", "proof": "by rfl"}\n\n'
        '{"task": "B", "proof": "| ℝ => x", "auxiliary": "def d := 1"}\r\n'
        '{"task": "A", "proof": "by simp"}\n'
        '{"task": "A", "proof": "by simp_all", "round": 1}\n'
        '{"task": "dir/demo.vsb.jsonl::C", "malformed": "no fence"}',
        encoding="utf-8",
    )
    prover = replay(path)
    assert proof_of(ask(prover, "A")) == "by rfl"
    assert proof_of(ask(prover, "A", 1)) == "by simp"
    assert proof_of(ask(prover, "A", 1, 1)) == "by simp_all"
    assert ask(prover, "A", 0, 1) is None
    assert ask(prover, "A", 1, 2) is None
    b = ask(prover, "B")
    assert b is not None
    assert b.candidate == Candidate("| ℝ => x", "def d := 1")
    assert ask(prover, "C") == Answer(None, malformed="no fence")
    with pytest.raises(ProverUnavailable) as caught:
        ask(prover, "A", 2)
    assert "task 'A', sample 2" in str(caught.value)
    assert "It has 2 of it: 0, 1." in str(caught.value)
    with pytest.raises(ProverUnavailable):
        ask(prover, "D")
    assert prover.name == "replay:by hand.jsonl"
    assert prover.settings()["recording"] == "by hand.jsonl"


def test_the_suite_tells_tasks_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"task": "A", "suite": "other", "proof": "1"}\n'
        '{"task": "A", "suite": "demo", "proof": "2"}\n'
    )
    assert proof_of(ask(replay(path), "A")) == "2"
    path.write_text('{"task": "A", "suite": "other", "proof": "1"}\n')
    with pytest.raises(ProverUnavailable):
        ask(replay(path), "A")


HEADER = '{"vsb_recording": 1, "answers": 1}'
LINE = '{"task": "A", "proof": "rfl"}'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("{", 1, "no JSON"),
        (f"{LINE}\n\n[1]", 3, "no JSON object"),
        ("[" * 100_000, 1, "no JSON"),
        ('{"task": "A"}', 1, "neither 'proof' nor 'malformed'"),
        ('{"task": "A", "proof": "x", "malformed": "y"}', 1, "both"),
        ('{"proof": "rfl"}', 1, "missing required field `task`"),
        ('{"task": 3, "proof": "rfl"}', 1, "Expected `str`"),
        ('{"task": "A", "proof": "rfl", "sample": true}', 1, "Expected `int | null`"),
        ('{"task": "A", "proof": "rfl", "sample": -1}', 1, "count from 0"),
        ('{"task": "A", "proof": "rfl", "round": 1}', 1, "comes before its round 0"),
        ('{"task": "A", "proof": "rfl", "auxilliary": ""}', 1, "unknown key 'auxilliary'"),
        ('{"task": "A", "proof": "rfl", "usage": {"tokens": 1}}', 1, "unknown key 'tokens'"),
        (f'{LINE}\n{{"task": "A", "proof": "x", "sample": 0}}', 2, "the first is in line 1"),
        ('{"vsb_recording": 3}\n', 1, "has version 3; this pytest-vsb reads versions 1 and 2"),
        ('{"vsb_recording": true}\n', 1, "has version True"),
        ('{"vsb_recording": 1, "metadata": 5}\n', 1, "the header is wrong"),
        (f"{HEADER}\n{HEADER}", 2, "unknown key 'vsb_recording'"),
        ('{"task": "A", "nothing": true, "malformed": "y"}', 1, "'malformed' and 'nothing'"),
        ('{"vsb_response": "ab"}', 1, "missing required field `text`"),
        ('{"vsb_response": "ab", "text": "c"}', 1, "not the one that its digest names"),
        (
            '{"vsb_recording": 2, "responses": 2}\n' + LINE,
            None,
            "2 responses, but the file holds 0",
        ),
        (f"{HEADER}\n{LINE}\n{LINE}", None, "speaks of 1 answers, but the file holds 2"),
        ("", None, "no answers"),
        ('{"vsb_recording": 1}', None, "no answers"),
    ],
)
def test_lines_that_are_wrong(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        replay(path)
    assert message in str(caught.value)
    assert caught.value.where == (f"{path}:{line}" if line else str(path))


def test_a_file_of_version_1_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(
        '{"vsb_recording":1,"provers":["p"],"answers":1,"metadata":{"model":"p"}}\n'
        '{"task":"A","sample":0,"round":0,"suite":"demo","auxiliary":"","proof":"rfl",'
        '"reasoning":"","malformed":"","usage":{"input_tokens":3,"output_tokens":0,'
        '"cached_tokens":0,"cost_usd":null,"seconds":0.5},"prompt_digest":"d","prover":"p"}\n'
    )
    prover = replay(path)
    assert prover.name == "replay:p"
    usage = Usage(input_tokens=3, seconds=0.5)
    assert ask(prover, "A") == Answer(Candidate("rfl"), usage=usage, prompt_digest="d")


def changed_file(path: Path, **more: object) -> Path:
    answers = [
        RecordedAnswer(task="T", sample=n, proof="rfl", **more)  # type: ignore[arg-type]
        for n in range(2)
    ]
    write_recorded(path, answers)
    return path


def test_a_task_that_has_changed_is_told_once_or_refused(tmp_path: Path) -> None:
    path = changed_file(tmp_path / "r.jsonl", task_digest=task_digest(make_task("T")))
    same = make_request(make_task("T", "theorem T : 1 = 1", category="moved"))
    other = make_task("T", "theorem T : 1 = 2")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert proof_of(replay(path).prove(same)) == "rfl"
    prover = replay(path)
    with pytest.warns(RecordingChanged, match="the task of 'T' has changed"):
        first = prover.prove(make_request(other))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = prover.prove(make_request(other, sample=1))
    assert (proof_of(first), proof_of(second)) == ("rfl", "rfl")
    strict = create(parse_spec(f"replay:{path}", {"changed": "refuse"}))
    assert strict.prove(same) is not None
    with pytest.raises(ProverUnavailable, match="has changed since"):
        strict.prove(make_request(other))


def test_prompts_are_compared_if_asked_for(tmp_path: Path) -> None:
    task, prefix = make_task("T"), "def d := 1\n"
    digest = PromptBuilder().build(task, prefix).digest
    path = changed_file(tmp_path / "r.jsonl", prompt_digest=digest)
    request = make_request(task, prefix=prefix)

    def ask_with(**options: str) -> None:
        create(parse_spec(f"replay:{path}", {"changed": "refuse", **options})).prove(request)

    ask_with()
    ask_with(prompts="default")
    with pytest.raises(ProverUnavailable, match="the prompt of 'T' has changed"):
        ask_with(prompts="whole-file")
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "system.j2").write_text("Prove it.")
    with pytest.raises(ProverUnavailable, match="the prompt of 'T' has changed"):
        ask_with(prompts="default", templates=str(templates))
    for options, message in (
        ({"prompts": "no-such-style"}, "no-such-style"),
        ({"templates": str(templates)}, "comparing prompts"),
        ({"changed": "refused"}, "Did you mean 'refuse'"),
        ({"change": "warn"}, "no option 'change'"),
    ):
        with pytest.raises(UsageError, match=message):
            ask_with(**options)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such recording"):
        replay(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        replay(tmp_path)
    with pytest.raises(UsageError, match="takes no model id"):
        create(parse_spec("replay/x"))
    with pytest.raises(UsageError, match="needs a recording"):
        create(parse_spec("replay"))
    binary = tmp_path / "b.jsonl"
    binary.write_bytes(b'{"task": "\xff", "proof": "x"}')
    with pytest.raises(UsageError, match=r"b\.jsonl:1"):
        replay(binary)
    data = gzip.compress((LINE + "\n").encode() * 50)
    for cut in (data[: len(data) // 2], data[:-4], data[:15] + b"\0\0\0\0" + data[19:]):
        binary.write_bytes(cut)
        with pytest.raises(UsageError):
            replay(binary)


def test_a_missing_folder_of_the_target_is_made_and_a_file_there_is_an_error(
    tmp_path: Path,
) -> None:
    answers = [RecordedAnswer(task="A", sample=0, proof="rfl")]
    write_recorded(tmp_path / "new" / "a.jsonl", answers)
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["a.jsonl"]
    with pytest.raises(UsageError, match="cannot be written"):
        write_recorded(tmp_path / "new" / "a.jsonl" / "b.jsonl", answers)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        write_recorded(tmp_path / "folder", answers)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "new"]


TEXT = st.text(max_size=30)
ANSWERS = st.lists(
    st.builds(
        RecordedAnswer,
        task=st.text(min_size=1, max_size=10).filter(lambda text: ".jsonl::" not in text),
        sample=st.integers(0, 3),
        round=st.integers(0, 3),
        suite=TEXT,
        auxiliary=TEXT,
        proof=TEXT,
        reasoning=TEXT,
        usage=st.builds(
            Usage,
            input_tokens=st.integers(0, 10**9),
            cost_usd=st.none() | st.floats(0, 100),
            seconds=st.floats(0, 1e6),
        ),
        prompt_digest=TEXT,
        prover=TEXT,
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda answer: answer.key,
)


@settings(deadline=None)
@given(answers=ANSWERS, metadata=st.dictionaries(TEXT, TEXT), packed=st.booleans())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    answers: list[RecordedAnswer],
    metadata: dict[str, str],
    packed: bool,
) -> None:
    path = tmp_path_factory.mktemp("r") / ("a.jsonl.gz" if packed else "a.jsonl")
    write_recorded(path, answers, metadata)
    recording = read_recording(path)
    assert set(recording.answers) == set(answers)
    assert recording.metadata == metadata
    before = path.read_bytes()
    write_recorded(path, reversed(recording.answers), recording.metadata)
    assert path.read_bytes() == before


def attempt(nodeid: str, sample: int, round: int, **more: object) -> Attempt:
    fields: dict[str, object] = {
        "verdict": Verdict(VerdictKind.REJECTED),
        "candidate": Candidate(f"by {nodeid} {sample} {round}", "lemma a : True := ⟨⟩", "why"),
        "usage": Usage(10, 20, 5, 0.25, 1.5),
        "prover": "claude/opus",
        "prompt_digest": "abc",
        "started": float(sample * 10 + round),
        **more,
    }
    return Attempt(nodeid=nodeid, sample=sample, round=round, **fields)  # type: ignore[arg-type]


def facts(*nodeids: str) -> dict[str, TaskFacts]:
    return {n: TaskFacts(id=n.partition("::")[2], nodeid=n, suite="demo") for n in nodeids}


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_recording_of_a_recording_is_the_same_file(tmp_path: Path, name: str) -> None:
    a, b = "x/demo.vsb.jsonl::A.one", "x/demo.vsb.jsonl::B"
    attempts = [attempt(node, s, r) for node in (a, b) for s in range(3) for r in range(2)]
    attempts.append(
        attempt(b, 3, 0, candidate=None, verdict=Verdict(VerdictKind.MALFORMED, "no proof"))
    )
    random.Random(0).shuffle(attempts)
    first = tmp_path / name
    assert write_recording(first, attempts, facts(a, b), {"samples": "4"}) == 13

    prover = replay(first)
    assert prover.name == "replay:claude/opus"
    again = []
    for old in attempts:
        answer = ask(prover, old.nodeid.partition("::")[2], old.sample, old.round)
        assert answer is not None
        verdict = (
            Verdict(VerdictKind.ACCEPTED)
            if answer.candidate
            else Verdict(VerdictKind.MALFORMED, answer.malformed)
        )
        again.append(
            Attempt(
                nodeid=old.nodeid,
                sample=old.sample,
                round=old.round,
                verdict=verdict,
                candidate=answer.candidate,
                usage=answer.usage,
                prover=prover.name,
                prompt_digest=answer.prompt_digest,
            )
        )
    second = tmp_path / f"again-{name}"
    write_recording(second, again, facts(a, b), prover.recording.metadata)
    assert second.read_bytes() == first.read_bytes()


def test_the_header_and_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_recording(path, [attempt("d.vsb.jsonl::A", 0, 0)], {}, {"seed": "1"})
    header, line = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert header == {
        "vsb_recording": 2,
        "provers": ["claude/opus"],
        "answers": 1,
        "responses": 0,
        "metadata": {"seed": "1"},
    }
    assert line["task"] == "A"
    assert line["proof"] == "by d.vsb.jsonl::A 0 0"
    assert line["usage"]["cost_usd"] == 0.25


def test_attempts_that_are_no_answers_are_left_out(tmp_path: Path) -> None:
    node = "d.vsb.jsonl::A"
    attempts = [
        attempt(node, 0, 0, candidate=None, verdict=Verdict(VerdictKind.UNAVAILABLE)),
        attempt(node, 1, 0, candidate=None, verdict=Verdict(VerdictKind.CRASHED)),
        # Lean was broken, then the run was resumed: the later attempt counts.
        attempt(node, 2, 0, started=9.0, candidate=Candidate("late")),
        attempt(node, 2, 0, started=1.0, candidate=Candidate("early")),
    ]
    path = tmp_path / "a.jsonl"
    assert write_recording(path, attempts, facts(node)) == 1
    assert [a.proof for a in read_recording(path).answers] == ["late"]
