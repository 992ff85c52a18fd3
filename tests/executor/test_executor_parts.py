"""What executors are made of, without a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from pathlib import Path

import pytest
from dask_cluster import BASIS, POOL, PROOFS, tasks, write_repository, write_tasks
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.executor import repositories
from pytest_vsb.executor.address import address_of, is_remote, parse_executor
from pytest_vsb.executor.bench import Bench, Refused
from pytest_vsb.executor.cluster import WAIT_VARIABLE, wait_seconds
from pytest_vsb.executor.identity import Identity, Texts, code_version, differences, lean_name
from pytest_vsb.executor.jobs import Job, JudgeSettings, Reply, decode, encode, lean_task
from pytest_vsb.executor.waiting import Notice, Wait, longest
from pytest_vsb.judge.cache import CachedJudge, VerdictCache
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean import process, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.toolchain import find
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task

LEAN = "4.35.0 abc"
SLOW = JudgeSettings(Limits(120), sandbox="off")


@pytest.fixture
def swap(tmp_path: Path) -> Task:
    return tasks(write_tasks(tmp_path / "pool.vsb.jsonl", "swap"))["swap"]


# Options


def test_executors(tmp_path: Path) -> None:
    assert parse_executor("") == parse_executor(" local ") == "local"
    assert not is_remote("local")
    given = parse_executor("dask:tls://host:8786")
    assert is_remote(given)
    assert address_of(given) == "tls://host:8786"
    (tmp_path / "s.json").write_text("{}")
    assert address_of(parse_executor("dask:s.json", tmp_path)) == str(tmp_path / "s.json")
    for wrong in ("dask", "dask:", "ray:host", "tcp://host:1", "Local"):
        with pytest.raises(UsageError, match="not a valid value"):
            parse_executor(wrong)
    with pytest.raises(UsageError, match="no such scheduler file"):
        parse_executor("dask:none.json", tmp_path)


def test_waiting_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WAIT_VARIABLE, raising=False)
    assert wait_seconds() == 120
    monkeypatch.setenv(WAIT_VARIABLE, "2.5")
    assert wait_seconds() == 2.5
    for wrong in ("soon", "-1", "nan", "inf"):
        monkeypatch.setenv(WAIT_VARIABLE, wrong)
        with pytest.raises(UsageError, match="number of seconds"):
            wait_seconds()


# What a machine has


def test_repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_repository(tmp_path / "pool")
    write_repository(tmp_path / "owner" / "pond")
    write_repository(tmp_path / ".hidden")
    write_repository(tmp_path / "a" / "b" / "too-deep")
    write_repository(tmp_path / "pool" / "inner")
    (tmp_path / "notes").mkdir()
    # Others of the same name that are further away, whatever comes first by its name.
    write_repository(tmp_path / "backup" / "pool")
    write_repository(tmp_path / "owner" / "pool")
    found = repositories.repositories(tmp_path)
    assert found == {"pool": tmp_path / "pool", "pond": tmp_path / "owner" / "pond"}
    # A directory that is a repository itself.
    assert repositories.repositories(tmp_path / "pool") == {"pool": tmp_path / "pool"}
    assert repositories.repositories(tmp_path / "nowhere") == {}
    monkeypatch.setenv("VSB_REPOS_DIR", str(tmp_path))
    assert repositories.repositories() == found
    resources = {repositories.resource(name): 1.0 for name in ("owner/pond", "pool")}
    assert repositories.announced({"GPU": 1.0, repositories.LEAN: 2.0, **resources}) == (
        "pond",
        "pool",
    )


def test_lean_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(repositories.JOBS_VARIABLE, raising=False)
    assert repositories.lean_jobs() >= 1
    monkeypatch.setenv(repositories.JOBS_VARIABLE, "7")
    assert repositories.lean_jobs() == 7
    for wrong in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv(repositories.JOBS_VARIABLE, wrong)
        with pytest.raises(UsageError, match="whole number"):
            repositories.lean_jobs()


# What must be alike


def test_equal_texts_elsewhere_are_alike(tmp_path: Path, swap: Task) -> None:
    one, two = write_repository(tmp_path / "one"), write_repository(tmp_path / "x" / "two")
    # Lake writes it also where there is nothing to say; it may not be there.
    (two / "lake-manifest.json").write_text('{"version": "1.1.0", "packages": []}')
    ours, theirs = (Texts().read(root, swap, LEAN).identity for root in (one, two))
    assert ours == theirs
    assert ours.digest == theirs.digest
    assert differences(ours, theirs, swap) == ()


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("Basis.lean", BASIS + "-- more\n", "the modules that Pool.lean imports differ"),
        (
            "Pool.lean",
            POOL.replace("n = n := rfl", "n = n := by rfl"),
            "the text of Pool.lean up to",
        ),
        ("lakefile.toml", 'name = "pond"\n', "the lakefile differs"),
        ("lean-toolchain", "leanprover/lean4:v4.9.0\n", "the lean-toolchain file is"),
        (
            "lake-manifest.json",
            '{"packages": [{"type": "git", "name": "std", "rev": "1", "url": "u"}]}',
            "the packages of lake-manifest.json differ",
        ),
    ],
)
def test_what_differs_is_named(tmp_path: Path, swap: Task, file: str, text: str, told: str) -> None:
    one, two = write_repository(tmp_path / "one"), write_repository(tmp_path / "two")
    texts = Texts()
    theirs = texts.read(two, swap, LEAN).identity
    (two / file).write_text(text, encoding="utf-8")
    ours = texts.read(two, swap, LEAN).identity
    (difference,) = differences(ours, theirs, swap)
    assert told in difference
    assert ours.digest != theirs.digest == texts.read(one, swap, LEAN).identity.digest


def test_text_after_the_target_does_not_matter(tmp_path: Path, swap: Task) -> None:
    root = write_repository(tmp_path / "one")
    before = Texts().read(root, swap, LEAN).identity
    (root / "Pool.lean").write_text(POOL + "\n-- more\n", encoding="utf-8")
    assert Texts().read(root, swap, LEAN).identity == before


def test_packages_beside_the_project_are_read(tmp_path: Path, swap: Task) -> None:
    root = write_repository(tmp_path / "one", pool="import Deep\n" + POOL)
    entry = '{"packages": [{"type": "path", "name": "deep", "dir": "../deep"}]}'
    (root / "lake-manifest.json").write_text(entry)
    deep = tmp_path / "deep" / "Deep.lean"
    deep.parent.mkdir()
    deep.write_text("def deep : Nat := 1\n")
    texts = Texts()
    before = texts.read(root, swap, LEAN).identity
    assert set(texts.read(root, swap, LEAN).modules) == {"Basis", "Deep"}
    deep.write_text("def deep : Nat := 22\n")
    assert texts.read(root, swap, LEAN).identity.imports != before.imports


def test_another_lean_or_plugin(tmp_path: Path, swap: Task) -> None:
    here = Texts().read(write_repository(tmp_path / "one"), swap, LEAN).identity
    there = dataclasses.replace(here, lean="4.9.0 def")
    assert differences(there, here, swap) == (f"Lean is 4.9.0 def there and {LEAN} here",)
    # Where the project pins a Lean, a machine without one need not name it.
    assert differences(there, dataclasses.replace(here, lean=""), swap) == ()
    old = dataclasses.replace(here, plugin="0.0.1 (abc)", judge="1", lean="4.9.0 def")
    assert differences(old, here, swap) == (
        f"pytest-vsb is 0.0.1 (abc) there and {code_version()} here",
    )


def test_files_that_cannot_be_read(tmp_path: Path, swap: Task) -> None:
    root = write_repository(tmp_path / "one")
    (root / "lake-manifest.json").write_text("{")
    with pytest.raises(EnvironmentUnavailable, match=r"lake-manifest.json: cannot be read"):
        Texts().read(root, swap, LEAN)
    (root / "lake-manifest.json").write_text('{"packages": [1]}')
    with pytest.raises(EnvironmentUnavailable, match=r"lake-manifest.json: cannot be read"):
        Texts().read(root, swap, LEAN)
    (root / "Pool.lean").unlink()
    with pytest.raises(EnvironmentUnavailable, match=r"Pool.lean: cannot be read"):
        Texts().read(root, swap, LEAN)


# What crosses


def job(task: Task, candidate: Candidate | None) -> Job:
    identity = Identity("p", "1", "", LEAN, "a", "b", "c", "d")
    how = JudgeSettings(Limits(1.5, memory_mb=100), sandbox="off", planned=32)
    return Job("p", "pool", lean_task(task), how, identity, candidate)


# Also what no UTF-8 has.
_texts = st.text(st.sampled_from('aℝ\n\r"\\\x00\ud800\udfff😀'))


@settings(max_examples=30, deadline=None)
@given(proof=_texts, auxiliary=_texts, reason=_texts)
def test_records_cross_as_they_are(proof: str, auxiliary: str, reason: str) -> None:
    task = Task(id="t", module="M", path="M.lean", name="t", statement=proof)
    sent = job(task, Candidate(proof, auxiliary))
    assert decode(encode(sent), Job) == sent
    verdict = Verdict(VerdictKind.REJECTED, reason=reason, lean_seconds=0.25)
    reply = Reply("p", "tcp://h:1", refused=(reason,), modules={"M": "1"}, verdict=verdict)
    assert decode(encode(reply), Reply) == reply


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"{", b"[]", b'{"plugin": "9"}', b'{"plugin": 1}', b"[" * 100_000]
)
def test_what_another_version_sends_is_an_error_that_says_so(data: bytes) -> None:
    with pytest.raises(EnvironmentUnavailable, match="on one side"):
        decode(data, Job)


def test_only_what_a_judge_needs_crosses(tmp_path: Path, swap: Task) -> None:
    task = dataclasses.replace(swap, extra={"key": "secret"}, known_bad="no")
    text = encode(job(task, None)).decode()
    assert "secret" not in text
    assert str(tmp_path) not in text
    assert decode(text.encode(), Job).task.statement == swap.statement


# The judges of a worker


def test_a_repository_that_has_gone_is_refused(tmp_path: Path, swap: Task) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused, match="pool is not here any more"), bench.checker(job(swap, None)):
        pass


@pytest.mark.lean
def test_judges_are_kept_and_those_out_of_date_are_not(
    tmp_path: Path, swap: Task, core_cache: Path
) -> None:
    root = write_repository(tmp_path / "repos" / "pool")
    bench, texts = Bench(tmp_path / "repos"), Texts()

    def ask() -> Job:
        return dataclasses.replace(job(swap, None), identity=texts.read(root, swap, "").identity)

    with bench.checker(ask()) as first, bench.checker(ask()) as second:
        assert first is not second  # one at a time
    with bench.checker(ask()) as third:
        assert third in (first, second)
    (root / "Basis.lean").write_text(BASIS + "-- more\n")
    with bench.checker(ask()) as fourth:
        assert fourth not in (first, second)
    old = ask()
    (root / "Basis.lean").write_text(BASIS + "-- and more\n")
    with pytest.raises(Refused, match="imports differ") as raised, bench.checker(old):
        pass
    assert set(raised.value.modules) >= {"Basis"}


@pytest.mark.lean
def test_a_judge_does_not_outlive_what_its_tasks_import(
    tmp_path: Path, swap: Task, core_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A build that comes after its text: what was judged with the old one says nothing any more.
    monkeypatch.setattr("pytest_vsb.executor.bench._LOOKING_SHARE", 1e9)
    root = write_repository(tmp_path / "repos" / "pool")
    lean = find("auto")
    built = root / ".lake" / "build" / "lib" / "lean" / "Basis.olean"
    built.parent.mkdir(parents=True)
    (root / "Pool.lean").write_text("import Basis\n\ntheorem six : Pool.size 5 = 6 := by sorry\n")
    six = Task("six", "Pool", "Pool.lean", "six", "theorem six : Pool.size 5 = 6")

    def build(text: str) -> None:
        source = tmp_path / "Basis.lean"
        source.write_text(text)
        argv = lean.argv("-o", str(built), str(source))
        done = process.run(argv, cwd=tmp_path, env=lean.environment(()), limits=Limits(120))
        assert done.exit_code == 0, done.stdout

    bench, texts = Bench(tmp_path / "repos"), Texts()

    def verdict() -> VerdictKind:
        identity = texts.read(root, six, lean_name(lean)).identity
        asked = dataclasses.replace(job(six, None), identity=identity)
        with bench.checker(dataclasses.replace(asked, settings=SLOW)) as checker:
            judge = CachedJudge(checker, checker.check, kept)
            return judge.check(six, Candidate(":= rfl")).kind

    kept = VerdictCache()
    build("def Pool.size (n : Nat) : Nat := n + 1\n")
    assert verdict() is VerdictKind.ACCEPTED
    build(BASIS)
    assert verdict() is VerdictKind.REJECTED
    bench.close()


@pytest.mark.lean
def test_a_judge_with_another_lean_is_another_judge(
    tmp_path: Path, swap: Task, core_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_repository(tmp_path / "repos" / "pool")
    bench, texts = Bench(tmp_path / "repos"), Texts()
    lean = find("auto")
    names = {"v1": dataclasses.replace(lean, version="1"), "v2": lean}
    monkeypatch.setattr(
        "pytest_vsb.lean.toolchain.find", lambda _, *, project: names[pin(project).name]
    )

    def pin(project: Path) -> toolchain.Pin:
        found = toolchain.read_pin(project)
        assert found is not None
        return found

    for name in ("v1", "v2"):
        (root / "lean-toolchain").write_text(name + "\n")
        identity = texts.read(root, swap, lean_name(names[name])).identity
        with bench.checker(dataclasses.replace(job(swap, None), identity=identity)) as checker:
            assert checker.project.toolchain is names[name]
    bench.close()


@pytest.mark.lean
def test_a_judge_does_not_outlive_a_job_that_was_cancelled(
    tmp_path: Path, swap: Task, core_cache: Path
) -> None:
    # A text that no cache has compiled yet.
    root = write_repository(tmp_path / "repos" / "pool", f"{BASIS}-- {tmp_path}\n")
    bench = Bench(tmp_path / "repos")
    identity = Texts().read(root, swap, lean_name(find("auto"))).identity
    asked = dataclasses.replace(job(swap, None), identity=identity, settings=SLOW)
    with contextlib.closing(process.Cancel()) as cancel:
        cancel.set()
        token = process.CANCEL.set(cancel)
        with pytest.raises(EnvironmentUnavailable), bench.checker(asked) as checker:
            checker.prepare(swap)
        process.CANCEL.reset(token)
    with bench.checker(asked) as checker:
        assert checker.check(swap, Candidate(PROOFS["swap"])).accepted
    bench.close()


# What is waited for


def test_a_wait_in_words() -> None:
    wait = Wait("demo", since=1000.0, most=120.0)
    text = "waiting for a Dask worker with the repository demo"
    assert wait.text(1040.2) == f"{text} (40 of 120 s)"
    assert wait.text(990.0) == f"{text} (0 of 120 s)"
    assert wait.text(2000.0) == f"{text} (120 of 120 s)"


def test_a_process_tells_as_long_as_one_of_its_jobs_waits(tmp_path: Path) -> None:
    directory, now = tmp_path / "waiting", time.time()
    assert longest(directory, now) is None
    notice, other = Notice(directory), Notice(directory)
    before = time.time()
    notice.waits("a", "demo", 30.0, 120.0)
    after = time.time()
    notice.waits("b", "pool", 10.0, 120.0)
    notice.waits("a", "demo", 31.0, 120.0)
    other.waits("c", "pond", 20.0, 120.0)
    found = longest(directory, now)
    assert found is not None
    assert found.repository == "demo"
    assert before - 30 <= found.since <= after - 30
    notice.over("a")
    found = longest(directory, now)
    assert found is not None
    assert found.repository == "pond"
    other.over("c")
    other.over("c")
    notice.over("b")
    assert not directory.exists()


def test_what_a_killed_process_or_another_has_left_is_not_told(tmp_path: Path) -> None:
    Notice(tmp_path).waits("a", "demo", 0.0, 120.0)
    (tmp_path / "torn.json").write_text('{"repository": ')
    assert longest(tmp_path, time.time()) is not None
    assert longest(tmp_path, time.time() + 3600) is None
