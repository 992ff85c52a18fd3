"""Programs as provers: the contract, its limits, and the examples that keep to it."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prover_requests import make_request, make_task

import pytest_vsb.provers
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Feedback,
    Problem,
    ProofRequest,
    ProverUnavailable,
    Usage,
)
from pytest_vsb.provers.command import CommandProver, _BrokenContract, read_answer, request_json
from pytest_vsb.provers.registry import create, parse_spec
from pytest_vsb.tasks.model import Dependency, Task

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(
    Path(pytest_vsb.provers.__file__).with_name("command.schema.json").read_text(encoding="utf-8")
)


def validator(part: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{part}"}]})


REQUEST, ANSWER = validator("request"), validator("answer")

Make = Callable[..., CommandProver]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Make]:
    """Makes provers that are closed after the test, with ``tmp_path`` as pytest's directory."""
    monkeypatch.chdir(tmp_path)
    made: list[CommandProver] = []

    def command(text: str, **options: str) -> CommandProver:
        prover = create(parse_spec(f"command:{text}", options))
        assert isinstance(prover, CommandProver)
        made.append(prover)
        return prover

    yield command
    for prover in made:
        prover.close()


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Writes a program in Python, which has the request in ``r``; gives the command to run it."""
    numbers = iter(range(99))

    def write(text: str) -> str:
        path = tmp_path / f"program {next(numbers)}.py"
        path.write_text(f"import json, os, sys, time\nr = json.load(sys.stdin)\n{text}\n")
        return f"{sys.executable} -I {shlex.quote(str(path))}"

    return write


def answer_of(prover: CommandProver, request: ProofRequest | None = None) -> Answer:
    answer = prover.prove(request or make_request(make_task()))
    assert answer is not None
    return answer


def says(text: str) -> str:
    """A command that reads its request and prints a text."""
    return "sh -c " + shlex.quote(f"cat > /dev/null; printf %s {shlex.quote(text)}")


HISTORY = (
    Feedback(
        0,
        Candidate("by rfl", "lemma a : True := trivial"),
        "rejected",
        "1 error",
        (
            Problem(
                Diagnostic(
                    Severity.ERROR, "no ⊢", Position(3, 2), Position(3, 5), "k", "proof", "⊢ 1 = 1"
                ),
                "3 | by rfl",
            ),
            Problem(Diagnostic(Severity.WARNING, "hm", Position(1, 0))),
        ),
    ),
    Feedback(1, None, "malformed", "no fence"),
)


def full_task() -> Task:
    return make_task(
        "T",
        "theorem T : ∀ n : Nat, n = n",
        number=3,
        category="c",
        subsets=("easy",),
        dependencies=(Dependency("d", "M", "file", "definition", "def d := 1"),),
        reference_proof=":= by SECRET PROOF",
        extra={"solution": "SECRET PROOF"},
    )


# What a program gets


def test_the_request_is_what_the_schema_says(make: Make, script: Callable[[str], str]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    program = script(
        "open('seen.json', 'w').write(json.dumps([r, os.listdir(r['scratch']), os.getcwd()]))\n"
        "open(r['scratch'] + '/mine', 'w').write('x')\n"
        "print(json.dumps({'proof': ':= rfl'}))"
    )
    request = make_request(
        full_task(), prefix="def d := 1 -- ℝ\n", sample=1, samples=2, round=2, history=HISTORY
    )
    assert answer_of(make(program), request).candidate == Candidate(":= rfl")
    seen, entries, directory = json.loads(Path("seen.json").read_text())
    REQUEST.validate(seen)
    assert entries == []
    assert Path(directory) == Path.cwd()
    assert not Path(seen["scratch"]).exists()
    assert "SECRET" not in json.dumps(seen)
    assert seen["prefix"] == "def d := 1 -- ℝ\n"
    assert (seen["sample"], seen["samples"], seen["round"], seen["root"]) == (1, 2, 2, None)
    assert seen["task"]["dependencies"][0]["text"] == "def d := 1"
    rejected, malformed = seen["history"]
    assert rejected["problems"][0] == {
        "severity": "error",
        "message": "no ⊢",
        "line": 3,
        "column": 2,
        "end_line": 3,
        "end_column": 5,
        "region": "proof",
        "goal": "⊢ 1 = 1",
        "excerpt": "3 | by rfl",
    }
    assert (malformed["outcome"], malformed["proof"]) == ("malformed", None)


@given(
    st.text(st.characters(), max_size=20),
    st.text(st.characters(), max_size=20),
    st.integers(0, 2**31),
)
@settings(deadline=None, max_examples=50)
def test_any_text_makes_a_request(prefix: str, message: str, seed: int) -> None:
    problem = Problem(Diagnostic(Severity.ERROR, message, Position(1, 0)))
    history = (Feedback(0, Candidate(message), "rejected", message, (problem,)),)
    request = ProofRequest(make_task(), prefix, 0, 1, 1, seed, history)
    data = request_json(request, Path("/s"), None)
    assert data.count(b"\n") == 1
    read = json.loads(data)
    REQUEST.validate(read)
    assert read["prefix"] == prefix.encode("utf-8", "replace").decode("utf-8")


PROJECT = "def d := 1\n\ntheorem T : 1 = 1 := by\n  rfl\n\ntheorem after : 2 = 2 := rfl\n"


@pytest.mark.parametrize("project", ["copy", "path", "none"])
def test_the_project_holds_the_proof_only_if_asked_for(
    make: Make, script: Callable[[str], str], tmp_path: Path, project: str
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "M.lean").write_text(PROJECT)
    (root / "lakefile.toml").write_text('name = "m"\n\n[[lean_lib]]\nname = "M"\n')
    program = script(
        "text = r['root'] and open(r['root'] + '/M.lean').read()\n"
        "print(json.dumps({'proof': 'rfl', 'reasoning': json.dumps([r['root'], text])}))"
    )
    request = ProofRequest(make_task("T"), "def d := 1\n\n", 0, 1, 0, 0, root=root)
    answer = answer_of(make(program, project=project), request)
    assert answer.candidate is not None
    seen, text = json.loads(answer.candidate.reasoning)
    if project == "none":
        assert (seen, text) == (None, None)
    elif project == "path":
        assert (seen, text) == (str(root), PROJECT)
    else:
        assert Path(seen) != root
        assert text == PROJECT.replace("by\n  rfl", "by\n  sorry")
        assert not Path(seen).exists()


def test_a_project_that_cannot_be_copied_is_told(make: Make, tmp_path: Path) -> None:
    request = ProofRequest(make_task("T"), "", 0, 1, 0, 0, root=tmp_path)
    with pytest.raises(ProverUnavailable, match="cannot be copied"):
        make("true").prove(request)


# What a program answers

GOOD: list[dict[str, Any]] = [
    {"proof": ":= rfl"},
    {"proof": "by simp", "auxiliary": "lemma a : True := trivial", "reasoning": "ℝ"},
    {"malformed": "the model refused", "stop": "refusal"},
    {"give_up": True},
    {
        "proof": "rfl",
        "usage": {"input_tokens": 3, "output_tokens": 4, "cached_tokens": 2, "cost_usd": 0.5},
        "model": "m",
        "stop": "end",
        "prompt_digest": "abc",
        "retries": 2,
        "notes": {"anything": [1, None]},
    },
    {"proof": "rfl", "usage": {"cost_usd": None}, "notes": None},
    {"proof": "rfl", "usage": {}},
]


@pytest.mark.parametrize("given", GOOD)
def test_good_answers_fit_the_schema_and_are_read(given: dict[str, Any]) -> None:
    ANSWER.validate(given)
    read_answer(json.dumps(given))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "but it has none"),
        ({"auxiliary": "x"}, "but it has none"),
        ({"proof": "x", "malformed": "y"}, "'proof' and 'malformed'"),
        ({"proof": "x", "give_up": True}, "'proof' and 'give_up'"),
        ({"give_up": False}, "can only be true"),
        ({"give_up": "yes"}, "Expected `bool`"),
        ({"proof": ""}, "length >= 1"),
        ({"malformed": ""}, "length >= 1"),
        ({"proof": None}, "Expected `str`"),
        ({"proof": ["rfl"]}, "Expected `str`"),
        ({"proof": "x", "auxilliary": ""}, "Did you mean 'auxiliary'"),
        ({"proof": "x", "usage": {"tokens": 1}}, "unknown field `tokens`"),
        ({"proof": "x", "usage": {"input_tokens": -1}}, ">= 0"),
        ({"proof": "x", "usage": {"input_tokens": True}}, "Expected `int`"),
        ({"proof": "x", "usage": {"cost_usd": -0.5}}, ">= 0"),
        ({"proof": "x", "usage": None}, "Expected `object`"),
        ({"proof": "x", "retries": "2"}, "Expected `int`"),
        ([{"proof": "x"}], "no object"),
        ("rfl", "no object"),
    ],
)
def test_bad_answers_break_the_schema_and_are_refused(given: Any, message: str) -> None:
    assert not ANSWER.is_valid(given)
    with pytest.raises(_BrokenContract, match=message):
        read_answer(json.dumps(given))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "rfl"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
KEYS = st.sampled_from([*SCHEMA["$defs"]["answer"]["properties"], "other"])


@given(st.dictionaries(KEYS, VALUES, max_size=3))
@settings(deadline=None)
def test_the_schema_and_the_reader_agree(value: dict[str, Any]) -> None:
    try:
        read_answer(json.dumps(value))
    except _BrokenContract:
        assert not ANSWER.is_valid(value)
    else:
        assert ANSWER.is_valid(value)


@given(st.text(max_size=20))
@settings(max_examples=50)
def test_words_are_no_answer(text: str) -> None:
    with pytest.raises(_BrokenContract):
        read_answer(f"proof: {text}")


def test_a_bottomless_answer_is_refused() -> None:
    with pytest.raises(_BrokenContract, match="no JSON object"):
        read_answer("[" * 100_000)


def test_an_answer_in_full(make: Make) -> None:
    answer = answer_of(make(says(json.dumps(GOOD[4])) + " x"))
    assert answer.candidate == Candidate("rfl")
    assert answer.usage.seconds > 0
    assert answer.usage == Usage(3, 4, 2, 0.5, answer.usage.seconds)
    assert (answer.model, answer.stop, answer.prompt_digest) == ("m", "end", "abc")
    assert answer.retries == 2
    assert json.loads(json.loads(answer.response)["stdout"]) == GOOD[4]


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("", "printed nothing"),
        ("Here it is:\n{}", "no JSON object .*; it printed 'Here it is: {}'"),
        ('{"proof": "by', "no JSON object"),
        ('{"proof": "\\ud800"}', "no JSON object"),
        ('{"proof": "a"} {"proof": "b"}', "no JSON object"),
        ("[1]", r"no object; it printed '\[1\]'"),
        ('{"answer": "' + "by " * 90 + '"}', "unknown key 'answer'.*; it began '{.{99}'$"),
    ],
)
def test_output_that_is_no_answer_is_malformed_and_kept(
    make: Make, printed: str, message: str
) -> None:
    answer = answer_of(make(says(printed)))
    assert answer.candidate is None
    assert re.search(message, answer.malformed)
    assert json.loads(answer.response)["stdout"] == printed


def test_a_program_may_leave_its_request_unread(make: Make) -> None:
    request = make_request(make_task(), prefix="x" * 500_000)
    answer = answer_of(make("""sh -c 'echo "{\\"proof\\": \\"rfl\\"}"'"""), request)
    assert answer.candidate == Candidate("rfl")


def test_giving_up_fails_the_round_and_ends_the_sample(make: Make) -> None:
    given = {"give_up": True, "reasoning": "too hard", "usage": {"output_tokens": 5}}
    prover = make(says(json.dumps(given)))
    answer = answer_of(prover)
    assert answer.candidate is None
    assert answer.malformed == "the program gave up: too hard"
    assert answer.usage.output_tokens == 5
    history = (Feedback(0, None, "malformed", answer.malformed),)
    assert prover.prove(make_request(make_task(), round=1, history=history)) is None
    other = (Feedback(0, None, "malformed", "the model gave up"),)
    assert prover.prove(make_request(make_task(), round=1, history=other)) is not None


# Programs that fail


def test_an_exit_code_is_no_failure_to_prove(make: Make) -> None:
    shell = "for i in 1 2 3 4 5 6 7 8 9; do echo line $i >&2; done; echo {}; exit 3"
    with pytest.raises(ProverUnavailable) as caught:
        make(f"sh -c {shlex.quote(shell)}").prove(make_request(make_task()))
    text = str(caught.value)
    assert "ended with exit code 3; the end of its stderr:\nline 2\nline 3" in text
    assert text.endswith("line 9")
    with pytest.raises(ProverUnavailable, match="exit code 1, with nothing on stderr"):
        make("false").prove(make_request(make_task()))
    with pytest.raises(ProverUnavailable, match="killed by signal 11"):
        make("sh -c 'kill -SEGV $$'").prove(make_request(make_task()))


def test_stderr_is_kept_bounded(make: Make, script: Callable[[str], str]) -> None:
    program = script(
        "sys.stderr.write('ℝ' * 100_000 + 'the end')\nprint(json.dumps({'malformed': 'none'}))"
    )
    kept = json.loads(answer_of(make(program)).response)
    assert kept["stderr"].endswith("ℝthe end")
    assert len(kept["stderr"]) == 65536
    assert kept["stderr_cut"] is True


def test_limits_fail_the_attempt(make: Make, script: Callable[[str], str]) -> None:
    answer = answer_of(make("sh -c 'echo working >&2; sleep 60'", timeout="3"))
    assert (answer.candidate, answer.stop) == (None, "timeout")
    assert answer.malformed == "no answer within 3 s"
    assert json.loads(answer.response)["stderr"] == "working\n"
    hungry = script("held = b'x' * (300 << 20)\ntime.sleep(60)")
    answer = answer_of(make(hungry, memory="150"))
    assert (answer.candidate, answer.stop) == (None, "memory")
    assert answer.malformed == "the program needed more than 150 MiB of memory"


def test_too_much_output_is_malformed(make: Make) -> None:
    answer = answer_of(make("sh -c 'head -c 20000000 /dev/zero | tr \"\\\\0\" 7'"))
    assert answer.candidate is None
    assert "longer than" in answer.malformed


# The run around it


def alive(mark: str) -> list[str]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if mark in words:
            found.append(" ".join(words))
    return found


def test_abandoning_kills_all_programs(make: Make) -> None:
    mark = f"97.{os.getpid()}"
    text = f'[ -e quick ] && exec echo \'{{"proof": "rfl"}}\'; sleep {mark} & exec sleep {mark}'
    prover = make(f"sh -c {shlex.quote(text)}", concurrency="3")
    assert prover.concurrency == 3
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(prover.prove, make_request(make_task())) for _ in range(2)]
        end = time.monotonic() + 60
        while len(alive(mark)) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        assert len(alive(mark)) == 4
        prover.abandon()
        for future in futures:
            with pytest.raises(EnvironmentUnavailable, match="stopped"):
                future.result(timeout=60)
    assert alive(mark) == []
    # The run may go on with another task.
    Path("quick").touch()
    assert answer_of(prover).candidate == Candidate("rfl")
    prover.close()
    with pytest.raises(EnvironmentUnavailable, match="closed"):
        prover.prove(make_request(make_task()))


def test_closing_waits_for_programs_and_gives_all_back(make: Make) -> None:
    # Some files are opened once, and stay so.
    answer_of(make(says(json.dumps(GOOD[0]))))
    before = psutil.Process().num_fds()
    prover = make("sleep 60")
    failed: list[str] = []

    def ask() -> None:
        try:
            prover.prove(make_request(make_task()))
        except EnvironmentUnavailable as error:
            failed.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    prover.close()
    thread.join(60)
    prover.close()
    assert len(failed) == 1
    # What other tests have left may go at any time.
    end = time.monotonic() + 60
    while psutil.Process().num_fds() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert psutil.Process().num_fds() <= before


def test_programs_at_once_do_not_mix(make: Make, script: Callable[[str], str]) -> None:
    program = script("print(json.dumps({'proof': f\"by {r['sample']}\"}))")
    prover = make(program, concurrency="4")
    task = make_task()
    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda n: answer_of(prover, make_request(task, sample=n)), range(8))
        proofs = [answer.candidate and answer.candidate.proof for answer in answers]
    assert proofs == [f"by {n}" for n in range(8)]


def test_secrets_do_not_leave_the_environment(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-verysecret")
    monkeypatch.setenv("SOME_KEY", "rfl")
    answer = answer_of(
        make(
            """sh -c 'env >&2; echo "{\\"proof\\": \\"rfl\\", \\"model\\": \\"$SOME_API_KEY\\"}"'"""
        )
    )
    assert answer.candidate == Candidate("rfl")
    assert answer.model == "[secret]"
    assert "SOME_API_KEY=[secret]" in answer.response
    with pytest.raises(ProverUnavailable) as caught:
        make("sh -c 'env | grep SOME >&2; exit 1'").prove(make_request(make_task()))
    for text in (repr(answer), str(caught.value)):
        assert "verysecret" not in text


# The command line


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("", {}, "no argument"),
        ("no-such-program-here", {}, "no program 'no-such-program-here' on the PATH"),
        ("./no/program x", {}, "there is no program"),
        ("sh -c 'echo", {}, "cannot be split"),
        ("''", {}, "needs a program"),
        ("./plain.txt", {}, "chmod [+]x"),
        ("plain.txt", {}, "write ./plain.txt"),
        ("true", {"timeout": "0"}, "not a number above 0"),
        ("true", {"timeout": "inf"}, "not a number above 0"),
        ("true", {"timeout": "10min"}, "not a number above 0"),
        ("true", {"memory": "-1"}, "not a number above 0"),
        ("true", {"concurrency": "1.5"}, "not a whole number above 0"),
        ("true", {"project": "all"}, "none of 'copy'"),
        ("true", {"cwd": "missing"}, "no such directory"),
        ("true", {"time": "3"}, "Did you mean 'timeout'"),
    ],
)
def test_what_cannot_be_used(
    make: Make, command: str, options: dict[str, str], message: str
) -> None:
    Path("plain.txt").write_text("")
    with pytest.raises(UsageError, match=message):
        make(command, **options)


def test_a_model_id_is_refused() -> None:
    with pytest.raises(UsageError, match="takes no model id"):
        create(parse_spec("command/x"))
    with pytest.raises(UsageError, match="needs a program"):
        create(parse_spec("command"))


def test_names_and_settings(make: Make) -> None:
    Path("inner").mkdir()
    program = Path("inner/p.sh")
    program.write_text('#!/bin/sh\ncat > /dev/null; echo "{\\"malformed\\": \\"$(pwd) $1\\"}"\n')
    program.chmod(0o755)
    prover = make("./p.sh 'a  b'", cwd="inner", timeout="90", memory="512")
    assert prover.name == "command:./p.sh 'a  b'"
    assert prover.answer_seconds == 90
    assert dict(prover.settings()) == {
        "command": "./p.sh 'a  b'",
        "timeout": "90",
        "project": "copy",
        "memory": "512",
    }
    assert answer_of(prover).malformed == f"{Path('inner').resolve()} a  b"
    assert make("true", name="mine").name == "mine"


# The examples and the page


def example(name: str) -> str:
    return f"{sys.executable} {shlex.quote(str(ROOT / 'examples' / name))}"


def test_the_example_program(make: Make) -> None:
    prover = make(example("command_prover.py"))
    task = make_task("T", "theorem T (t s : Tree) : mirror t = s")
    prefix = "inductive Tree\n\n@[simp] def mirror (t : Tree) : Tree := t\n\ndef other := 1\n"
    proofs = []
    for sample in range(3):
        answer = answer_of(prover, make_request(task, prefix=prefix, sample=sample + 1))
        assert answer.candidate is not None
        proofs.append(answer.candidate.proof)
    assert proofs == [
        ":= by\n  intros\n  rfl",
        ":= by\n  simp_all [mirror]",
        ":= by\n  induction t <;> simp_all [mirror]",
    ]
    Path("project").mkdir()
    Path("project/Other.lean").write_text("def Tree.mirror := 1\ndef unused := 1\n")
    Path("project/M.lean").write_text(f"import Other\n{task.statement} := sorry\ndef s := 1\n")
    Path("project/lakefile.toml").write_text('name = "m"\n\n[[lean_lib]]\nname = "M"\n')
    root = Path("project").resolve()
    seen = answer_of(prover, ProofRequest(task, "import Other\n", 2, 8, 0, 0, root=root))
    assert seen.candidate is not None
    assert "[Tree.mirror]" in seen.candidate.proof
    last = answer_of(prover, make_request(task, prefix=prefix, sample=7, round=1))
    assert "gave up" in last.malformed


AGENT = """\
import sys
text = sys.stdin.read()
assert "`T`" in text and ("no ⊢" in text) == ("round" in sys.argv), text
assert open("statement.lean").read() == "theorem T : 1 = 1"
if "lazy" not in sys.argv:
    open("proof.lean", "w").write(":= one\\n")
    open("auxiliary.lean", "w").write("theorem one : 1 = 1 := rfl\\n")
print('{"usage": {"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 7},'
      ' "total_cost_usd": 0.25}')
sys.exit("down" in sys.argv)
"""


def test_the_example_for_agents(make: Make, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    agent = f"{example('agent_prover.py')} {sys.executable} {tmp_path}/agent.py"
    answer = answer_of(make(agent))
    assert answer.candidate == Candidate(":= one\n", "theorem one : 1 = 1 := rfl\n")
    assert answer.usage == Usage(95, 7, 90, 0.25, answer.usage.seconds)
    assert "total_cost_usd" in json.loads(answer.response)["stderr"]
    repair = make_request(make_task(), round=2, history=HISTORY)
    assert answer_of(make(f"{agent} round"), repair).candidate == answer.candidate
    assert answer_of(make(f"{agent} lazy")).malformed == "the agent left no proof.lean"
    with pytest.raises(ProverUnavailable, match="the agent ended with exit code 1"):
        make(f"{agent} down").prove(make_request(make_task()))
    with pytest.raises(ProverUnavailable, match="usage: agent_prover"):
        make(example("agent_prover.py")).prove(make_request(make_task()))


def test_the_page_tells_the_schema() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    request, answer = (json.loads(block.split("```")[0]) for block in page.split("```json\n")[1:3])
    REQUEST.validate(request)
    ANSWER.validate(answer)
    documented = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    keys = {*SCHEMA["$defs"]["request"]["properties"], *SCHEMA["$defs"]["answer"]["properties"]}
    options = {"timeout", "memory", "concurrency", "cwd", "name", "project"}
    assert documented >= keys | options
