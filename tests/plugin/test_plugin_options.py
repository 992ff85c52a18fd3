"""Options that cannot be used, and the ini file."""

from __future__ import annotations

import pytest
from mini_project import MiniProject

pytestmark = pytest.mark.lean


@pytest.fixture
def one(near: MiniProject) -> MiniProject:
    """A project with one task that its prover never solves."""
    return _with_one_task(near)


@pytest.fixture
def own(mini: MiniProject) -> MiniProject:
    """The same for runs in a process of their own."""
    return _with_one_task(mini)


def _with_one_task(project: MiniProject) -> MiniProject:
    project.tasks("mirror_leaf")
    project.prover("def answer(request): return no_answer()")
    return project


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("--vsb-samples=0", ["'0'", "whole number of at least 1"]),
        ("--vsb-samples=many", ["'many'", "whole number"]),
        ("--vsb-samples=1.5", ["'1.5'"]),
        ("--vsb-repairs=-1", ["'-1'", "at least 0"]),
        ("--vsb-seed=x", ["'x'"]),
        ("--vsb-check-timeout=0", ["'0'", "at least 0.1"]),
        ("--vsb-check-timeout=nan", ["'nan'"]),
        ("--vsb-check-timeout=inf", ["'inf'"]),
        ("--vsb-check-memory=lots", ["'lots'"]),
        ("--vsb-lean-jobs=0", ["'0'"]),
        ("--vsb-progress=-5", ["'-5'"]),
        ("--vsb-fail-on=nevr", ["'nevr'", "Did you mean 'never'", "unsolved, regression, never"]),
        ("--vsb-policy=permisive", ["'permisive'", "Did you mean 'permissive'", "strict"]),
        ("--vsb-assurance=replai", ["'replai'", "Did you mean 'replay'", "comparator"]),
        ("--vsb-model-option=oops", ["'oops'", "KEY=VALUE"]),
        ("--vsb-model=refrence", ["'refrence'", "reference", "automation", "replay", "scripted"]),
        ("--vsb-model=a b", ["'a b'", "does not name a prover"]),
        ("--vsb-model=replay", ["replay:FILE"]),
        ("--vsb-model=replay:lost.jsonl", ["no such recording", "lost.jsonl"]),
        ("--vsb-model=no.such.module:Prover", ["no.such"]),
        ("--vsb-lean=elam", ["'elam'", "elan", "embedded"]),
        ("--vsb-lean=./no/such/lean", ["no/such/lean"]),
        ("--vsb-lean=docker:-x/y", ["'-x/y' is no image"]),
        ("--vsb-repos=nowhere", ["no such directory", "nowhere"]),
        ("--vsb-limit=0", ["'0'", "1 or more"]),
        ("--vsb-shard=3/2", ["'3/2'", "I/N"]),
        ("--vsb-ids=5:2", ["'5:2'", "runs backwards"]),
        ("--vsb-category=", ["a name is expected"]),
        ("--vsb-resume", ["add --vsb-run=DIR"]),
    ],
)
def test_bad_value(one: MiniProject, argument: str, words: list[str]) -> None:
    ended = one.run(argument)
    message = ended.errors + ended.text
    assert ended.code == pytest.ExitCode.USAGE_ERROR, message
    for word in (argument.partition("=")[0], *words):
        assert word in message, f"{word!r} is not in:\n{message}"
    assert "Traceback" not in message
    assert len(message.splitlines()) < 8
    assert not (one.path / "vsb-runs").exists()


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("--vsb-category=Leaf lows", ["'Leaf lows'", "Leaf laws", "did you mean"]),
        ("--vsb-ids=9", ["no task has the number 9"]),
    ],
)
def test_value_that_no_task_has(
    one: MiniProject, workers: str, argument: str, words: list[str]
) -> None:
    ended = one.bench(argument, "-n", workers)
    message = ended.errors + ended.text
    assert ended.code == pytest.ExitCode.USAGE_ERROR, message
    for word in (argument.partition("=")[0], *words):
        assert word in message
    assert message.count(words[0]) == 1
    assert "INTERNALERROR" not in message
    assert "Traceback" not in message
    assert not (one.path / "run").exists()
    # A run that holds something stays.
    one.bench(run="kept")
    one.bench(argument, "--vsb-resume", "-n", workers, run="kept")
    assert one.by_task("kept")["mirror_leaf"]["status"] == "done"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vsb-lean=elan"], ["--vsb-lean=elan", "elan is not installed"]),
        (
            ["--vsb-lean=embedded", "--vsb-assurance=comparator"],
            ["--vsb-assurance=comparator", "a full Lean toolchain", "lean4export", "=replay"],
        ),
    ],
)
def test_what_is_missing_for_every_project_is_told_at_once(
    near: MiniProject, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: list[str]
) -> None:
    for variable in ("PATH", "HOME", "ELAN_HOME"):
        monkeypatch.setenv(variable, str(near.path / "nowhere"))
    for variable in ("COMPARATOR_LANDRUN", "COMPARATOR_LEAN4EXPORT"):
        monkeypatch.delenv(variable, raising=False)
    near.tasks("mirror_leaf", "isLeaf_leaf")
    ended = near.bench("--vsb-sandbox=off", *arguments, model="reference")
    message = ended.errors + ended.text
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    for word in words:
        assert message.count(word) >= 1, message
    assert message.count("ERROR") == 1
    assert not (near.path / "run").exists()


def test_run_directory_of_another_run(one: MiniProject) -> None:
    assert one.bench().code == pytest.ExitCode.TESTS_FAILED
    before = one.results()
    ended = one.bench()
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "there is a run in this directory already" in ended.errors
    assert "--vsb-resume" in ended.errors
    assert one.results() == before


def test_resuming_what_is_no_run(one: MiniProject) -> None:
    ended = one.bench("--vsb-resume")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "there is no run in this directory" in ended.errors
    one.write("run/run.json", "{")
    ended = one.bench("--vsb-resume")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "run.json: cannot be read" in ended.errors


def test_resuming_with_other_settings(one: MiniProject) -> None:
    one.bench()
    ended = one.bench("--vsb-resume", "--vsb-seed=5")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "seed: 0 then, 5 now" in ended.errors


def test_run_directory_that_cannot_be_written(one: MiniProject) -> None:
    one.write("file", "")
    for where in ("file/run", "/proc/run", "/dev/null"):
        ended = one.bench(run=where)
        assert ended.code == pytest.ExitCode.USAGE_ERROR
        assert "the run directory cannot be written" in ended.errors
        assert where in ended.errors
        assert "Traceback" not in ended.errors


def test_recording_that_cannot_be_written(one: MiniProject) -> None:
    one.write("file", "")
    ended = one.bench("--vsb-record=file/answers.jsonl")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "the recording cannot be written" in ended.text
    assert "Traceback" not in ended.text + ended.errors
    assert one.by_task()["mirror_leaf"]["n"] == 1


def test_two_plugins_with_one_prover(own: MiniProject) -> None:
    own.write("more.py", "def pytest_vsb_provers(config): return {'scripted': lambda spec: None}\n")
    ended = own.run("-p", "more")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "two plugins offer a prover 'scripted'" in ended.errors


@pytest.mark.parametrize(
    ("factory", "words"),
    [
        ("lambda spec: None", "which is no prover"),
        ("lambda spec: 1 / 0", "ZeroDivisionError"),
        ("lambda: None", "TypeError"),
        ("'text'", "not a prover class or factory"),
    ],
)
def test_prover_that_cannot_be_made(one: MiniProject, factory: str, words: str) -> None:
    one.write("conftest.py", f"def pytest_vsb_provers(config): return {{'odd': {factory}}}\n")
    ended = one.run(model="odd")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert words in ended.errors
    assert "Traceback" not in ended.errors


def test_ini_file(one: MiniProject) -> None:
    one.write(
        "pytest.ini",
        "[pytest]\nvsb_model = scripted\nvsb_samples = 3\nvsb_repairs = 0\nvsb_seed = 4\n"
        "vsb_model_option =\n    a=1\n    b=x=y\nvsb_fail_on = never\nvsb_check_timeout = 50\n"
        "vsb_assurance = replay\n",
    )
    ended = one.run("--vsb-run=run", "--vsb-samples=2", model=None)
    assert ended.code == pytest.ExitCode.OK
    # The command line wins.
    assert one.asked() == ["mirror_leaf 0 0", "mirror_leaf 1 0"]
    identity = one.results()["run"]["identity"]
    assert (identity["seed"], identity["check_timeout"]) == (4, 50)
    assert identity["assurance"] == "replay"


def test_ini_values_are_checked(one: MiniProject) -> None:
    one.write("pytest.ini", "[pytest]\nvsb_model = scripted\nvsb_samples = no\n")
    ended = one.run(model=None)
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "'no' is not a whole number" in ended.errors


def test_paths_are_relative_to_where_pytest_was_started(own: MiniProject) -> None:
    own.write("sub/empty.txt", "")
    process = own.start("--vsb-run=here", "--vsb-samples=1", "--vsb-repairs=0", "--rootdir=sub")
    assert own.wait(process).code == pytest.ExitCode.TESTS_FAILED
    assert (own.path / "here" / "results.json").is_file()


def test_help_lists_the_options(quick: MiniProject) -> None:
    text = quick.run("--help", model=None).text
    for name in ("--vsb-model", "--vsb-samples", "--vsb-resume", "vsb_check_timeout"):
        assert name in text
