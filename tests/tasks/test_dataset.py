"""Reading task files: what loads, what is a problem of a line, what is an error of the file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from task_lines import native, official, task, write

from pytest_vsb.errors import TaskFileError
from pytest_vsb.tasks.dataset import (
    MAX_FILE_BYTES,
    MAX_LINE_BYTES,
    MAX_PROBLEMS,
    LineProblem,
    TaskFile,
    iter_tasks,
    read_tasks,
    task_digest,
)
from pytest_vsb.tasks.model import Dependency, Origin, Task, TaskMetrics

UNREADABLE_AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "t.vsb.jsonl"


def problem_of(file: Path, *records: Any) -> tuple[int, str, str]:
    """The only problem of a file with these lines: line, message and hint."""
    [problem] = read_tasks(write(file, *records)).problems
    return problem.line, problem.message, problem.hint or ""


def error_of(file: Path) -> TaskFileError:
    with pytest.raises(TaskFileError) as caught:
        read_tasks(file)
    assert caught.value.where is not None
    return caught.value


def test_native_line_gives_every_field(file: Path) -> None:
    read = read_tasks(write(file, native(number=3, source="x", notes=[1, None])))
    assert read.problems == ()
    assert read.tasks == (
        Task(
            id="Fold.sound",
            module="Demo.Fold",
            path="Demo/Fold.lean",
            name="Demo.Fold.sound",
            statement="theorem sound (e : Expr) :\n    eval (fold e) = eval e",
            suite="demo",
            repository="demo",
            root=".",
            kind="theorem",
            number=3,
            reference_proof=":= by\n  induction e <;> simp_all [fold]",
            category="Program transformation",
            subsets=("easy", "automatable"),
            dependencies=(
                Dependency("Demo.fold", "Demo.Fold", "file", "definition"),
                Dependency("Nat.add_comm", "Init", "library", "lemma"),
            ),
            metrics=TaskMetrics(2, 5, 3, 2),
            extra={"source": "x", "notes": [1, None]},
            origin=Origin(file, 1),
        ),
    )


def test_minimal_native_line_takes_defaults(file: Path) -> None:
    line = {
        "id": "a",
        "path": "./Lib//Basic.lean",
        "name": "Lib.a",
        "statement": "lemma a : 1 = 1",
    }
    [read] = read_tasks(write(file, line)).tasks
    assert (read.path, read.module, read.kind) == ("Lib/Basic.lean", "Lib.Basic", "lemma")
    assert (read.suite, read.root, read.reference_proof) == ("", "", None)
    assert (read.subsets, read.dependencies, read.metrics) == ((), (), TaskMetrics())
    assert read.extra == {}


def test_lines_keep_their_numbers_over_blank_and_crlf_lines(file: Path) -> None:
    lines = [json.dumps(native(id=name)) for name in ("a", "b", "c")]
    file.write_bytes(b"\xef\xbb\xbf" + f"\n{lines[0]}\r\n\r\n  \n{lines[1]}\n{lines[2]}".encode())
    read = read_tasks(file)
    assert read.problems == ()
    assert [(t.id, t.origin and t.origin.line) for t in read.tasks] == [
        ("a", 2),
        ("b", 5),
        ("c", 6),
    ]


def test_broken_lines_leave_the_others(file: Path) -> None:
    read = read_tasks(
        write(file, native(id="a"), "{", native(id=None), native(id="b"), "[1]", native(id="c"))
    )
    assert [t.id for t in read.tasks] == ["a", "b", "c"]
    assert [p.line for p in read.problems] == [2, 3, 5]
    error = read.problems[1].error(file)
    assert error.where == f"{file}:3"
    assert str(error).startswith(f"{file}:3: Object missing required field `id`\n  hint: ")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": 5}, "Expected `str`, got `int` - at `$.id`"),
        ({"id": ""}, "`id` is empty"),
        ({"id": " \t"}, "`id` is empty"),
        ({"id": " a"}, "`id` begins or ends with a space: ' a'"),
        ({"id": "a\nb"}, "`id` holds a character that cannot be shown: U+000A"),
        ({"id": "a\0b"}, "`id` holds a character that cannot be shown: U+0000"),
        ({"id": "a\u202eb"}, "cannot be shown: RIGHT-TO-LEFT OVERRIDE"),
        ({"id": "a::b"}, "`id` holds `::`, which separates the parts of a nodeid: 'a::b'"),
        ({"id": "x" * 1001}, "`id` has 1,001 characters; at most 1,000 are allowed"),
        ({"name": None}, "Object missing required field `name`"),
        ({"name": ""}, "`name` is empty"),
        ({"statement": "\n "}, "`statement` is empty"),
        ({"statement": "theorem a : x\0"}, "`statement` holds a NUL character"),
        ({"statement": "theorem a : x :="}, "`statement` goes on to the proof: ':='"),
        ({"statement": "theorem a : x := by\n rfl"}, "goes on to the proof: ':= by\\n rfl'"),
        ({"statement": "theorem a : p n\n  | 0 => x"}, "goes on to the proof: '| 0 => x'"),
        ({"statement": "instance : Foo X where"}, "goes on to the proof: 'where'"),
        ({"statement": "@[simp] theorem a : x"}, "does not begin with a declaration keyword"),
        ({"statement": "private theorem a : x"}, "does not begin with a declaration keyword"),
        ({"path": "/etc/passwd.lean"}, "`path` is an absolute path"),
        ({"path": "C:/a.lean"}, "`path` is an absolute path"),
        ({"path": "~/a.lean"}, "`path` begins with `~`"),
        ({"path": "a/../../b.lean"}, "`path` leads out of the project"),
        ({"path": "a\\b.lean"}, "`path` holds a backslash"),
        ({"path": "a\0.lean"}, "`path` holds a character that cannot be shown: U+0000"),
        ({"path": "Demo/Fold"}, "`path` is not the path of a .lean file: 'Demo/Fold'"),
        ({"path": ".lean"}, "`path` is not the path of a .lean file"),
        ({"module": "Demo.Fild"}, "`module` 'Demo.Fild' does not fit `path` 'Demo/Fold.lean'"),
        ({"root": "/srv/x"}, "`root` is an absolute path: '/srv/x'"),
        ({"repository": "../x"}, "`repository` leads out of the project: '../x'"),
        ({"subsets": "easy"}, "Expected `array`, got `str` - at `$.subsets`"),
        ({"subsets": ["easy", 2]}, "Expected `str`, got `int` - at `$.subsets[1]`"),
        ({"subsets": ["a\rb"]}, "`subsets` holds a character that cannot be shown"),
        ({"category": "a\x1b[0m"}, "`category` holds a character that cannot be shown"),
        ({"number": -1}, "`number` is negative: -1"),
        ({"number": "7"}, "Expected `int | null`, got `str` - at `$.number`"),
        ({"reference_proof": " "}, "`reference_proof` is empty"),
        ({"dependencies": [{"name": "a", "scope": "far"}]}, "Invalid enum value 'far'"),
        ({"dependencies": [{"module": "a"}]}, "required field `name` - at `$.dependencies[0]`"),
        ({"metrics": {"nesting_depth": "deep"}}, "- at `$.metrics.nesting_depth`"),
        ({"metrics": {"proof_lines": -2}}, "`metrics.proof_lines` is negative: -2"),
    ],
)
def test_unusable_values_are_named(file: Path, changes: dict[str, Any], message: str) -> None:
    line, text, _ = problem_of(file, native(id="first"), native(**changes))
    assert line == 2
    assert message in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "the line is not valid JSON"),
        ("not json", "the line is not valid JSON"),
        ('"text"', "the line is JSON, but not an object"),
        ("17", "the line is JSON, but not an object"),
        ('{"id": "\\ud800"}', "the line is not valid JSON"),
        ('{"id": ' + "[" * 100_000, "the JSON is nested too deeply"),
        (b'{"id": "\xff\xfe"}', "the line is not UTF-8: byte 9 is 0xff"),
        (b"\0\0\0\0", "the line holds NUL bytes"),
        (b'{"id": "a\0"}', "the line holds NUL bytes"),
        ("{} {}", "the line is not valid JSON"),
    ],
)
def test_lines_that_are_no_json_object(file: Path, line: str | bytes, message: str) -> None:
    number, text, hint = problem_of(file, native(), line)
    assert number == 2
    assert message in text
    assert hint or "nested" in text


@pytest.mark.parametrize(
    "statement",
    [
        "theorem a : let x := 1; x = 1",
        "theorem a (n : Nat := 3) : n = n",
        "theorem a : f (k := 2) { s with x := 1 } = 0",
        "theorem a : match x with\n  | 0 => True\n  | _ => False",
        "theorem a :\n    { x\n    | p x } = s",
        "theorem a : 0 ≤\n  |x|",
        "lemma «where» : 1 = 1",
    ],
)
def test_statements_with_what_looks_like_a_separator(file: Path, statement: str) -> None:
    read = read_tasks(write(file, native(statement=statement)))
    assert read.problems == ()
    assert read.tasks[0].statement == statement


def test_module_may_omit_a_source_directory(file: Path) -> None:
    lines = [
        native(id="a", path="src/Demo/Fold.lean"),
        native(id="b", path="Demo/my-file.lean", module="Demo.«my-file»"),
    ]
    read = read_tasks(write(file, *lines))
    assert [t.module for t in read.tasks] == ["Demo.Fold", "Demo.«my-file»"]


def test_root_may_lead_upwards(file: Path) -> None:
    [read] = read_tasks(write(file, native(root="../lean"))).tasks
    assert read.root == "../lean"


def test_second_of_two_ids_is_a_problem(file: Path) -> None:
    read = read_tasks(write(file, native(id="a"), native(id="b"), native(id="a", name="X.y")))
    assert [t.id for t in read.tasks] == ["a", "b"]
    [problem] = read.problems
    assert (problem.line, problem.message) == (3, "the id 'a' is taken by line 1")


def test_second_of_two_numbers_is_a_problem(file: Path) -> None:
    read = read_tasks(write(file, native(id="a", number=1), native(id="b", number=1)))
    assert [t.id for t in read.tasks] == ["a"]
    [problem] = read.problems
    assert (problem.line, problem.message) == (2, "the number 1 is taken by line 1")


def test_long_line_is_one_problem(file: Path) -> None:
    long = b'{"id": "' + b"x" * (MAX_LINE_BYTES + 10) + b'"}'
    read = read_tasks(write(file, native(id="a"), long, native(id="b")))
    assert [t.id for t in read.tasks] == ["a", "b"]
    [problem] = read.problems
    assert (problem.line, problem.message) == (2, "the line is longer than 32 MB")


def test_many_problems_are_folded(file: Path) -> None:
    read = read_tasks(write(file, native(), *["x"] * (MAX_PROBLEMS + 500)))
    assert len(read.problems) == MAX_PROBLEMS + 1
    last = read.problems[-1]
    assert (last.line, last.message) == (MAX_PROBLEMS + 2, "500 more broken lines are not listed")


def test_file_of_broken_lines_is_no_task_file(file: Path) -> None:
    lines: list[Any] = ["", *["some text"] * (MAX_PROBLEMS + 1), native()]
    message = error_of(write(file, *lines)).message
    assert message.startswith(
        "this is no task file: its first 1,000 lines are all broken. Line 2: "
    )
    read = read_tasks(write(file, *lines[:-2], native()))
    assert (len(read.tasks), len(read.problems)) == (1, MAX_PROBLEMS)


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_empty_file(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert error_of(file).message == "the task file is empty"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"{}", mtime=0), "the file is compressed with gzip"),
        (b"PK\x03\x04rest", "the file is a zip archive"),
        ("\ufeff{}".encode("utf-16-le"), "the file is UTF-16 text"),
        ("\ufeff{}".encode("utf-16-be"), "the file is UTF-16 text"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "the file is binary, not a task file"),
        (b"\0" * 100, "the file is binary, not a task file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "the file is a Git LFS pointer"),
        (b'\n[\n  {"id": "a"}\n]\n', "the file is a JSON array"),
        (b'[{"id": "a"}]', "the file is a JSON array"),
    ],
)
def test_other_formats(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    assert error_of(file).message.startswith(message)


def test_missing_file(file: Path) -> None:
    error = error_of(file)
    assert (error.where, error.message) == (str(file), "there is no such task file")


def test_path_through_a_file(file: Path) -> None:
    write(file, native())
    assert error_of(file / "below").message.startswith("cannot read the task file")


def test_path_with_nul(tmp_path: Path) -> None:
    assert error_of(tmp_path / "a\0b").message.startswith("not a usable path")


def test_directory(tmp_path: Path) -> None:
    assert "this is a directory" in error_of(tmp_path).message


def test_pipe(file: Path) -> None:
    os.mkfifo(file)
    assert error_of(file).message == "a task file must be a regular file"


@pytest.mark.skipif(UNREADABLE_AS_ROOT, reason="root may read every file")
def test_unreadable_file(file: Path) -> None:
    write(file, native()).chmod(0)
    assert error_of(file).message == "cannot read the task file: Permission denied"


def test_loop_of_links(file: Path) -> None:
    file.symlink_to(file)
    assert error_of(file).message.startswith("cannot read the task file")


def test_huge_file_is_not_read(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(2 * MAX_FILE_BYTES)
    error = error_of(file)
    assert error.message == "the task file has 1,024 MB; at most 512 MB are read"


def test_digest_is_of_the_bytes(file: Path) -> None:
    long = b"y" * (MAX_LINE_BYTES + 10)
    read = read_tasks(write(file, b"\xef\xbb\xbf" + b"broken", native(), long))
    assert read.digest == hashlib.sha256(file.read_bytes()).hexdigest()


def test_task_digest_is_of_the_obligation() -> None:
    one = task(statement="theorem a :\n    x")
    assert task_digest(one) == task_digest(task("other", name=one.name, statement=one.statement))
    assert task_digest(one) == task_digest(task(statement="theorem a :\r\n    x"))
    changed = [
        task(statement="theorem a :\n   x"),
        task(statement=one.statement, repository="r"),
        task(statement=one.statement, path="Demo/Other.lean"),
        task(statement=one.statement, name="Demo.b"),
    ]
    assert len({task_digest(t) for t in [one, *changed]}) == 5


def read_bytes(content: bytes) -> TaskFile | None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "t.vsb.jsonl"
        path.write_bytes(content)
        try:
            return read_tasks(path)
        except TaskFileError:
            return None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
RECORDS = st.builds(
    lambda record, key, value: {**record, key: value},
    st.sampled_from([native(), official()]),
    st.sampled_from(sorted({*native(), *official()})) | st.text(),
    VALUES,
)


@given(st.lists(st.binary() | RECORDS.map(lambda record: json.dumps(record).encode()), max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_bytes_give_tasks_problems_or_an_error(lines: list[bytes]) -> None:
    content = b"\n".join(lines)
    read = read_bytes(content)
    if read is not None:
        filled = sum(not line.isspace() and line != b"" for line in content.split(b"\n"))
        assert len(read.tasks) + len(read.problems) == filled
        assert all(problem.message for problem in read.problems)
        assert len({t.id for t in read.tasks}) == len(read.tasks)


@given(st.lists(st.binary() | RECORDS.map(lambda record: json.dumps(record).encode()), max_size=5))
@settings(max_examples=50, deadline=None)
def test_one_at_a_time_gives_the_same(lines: list[bytes]) -> None:
    read = read_bytes(b"\n".join(lines))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "t.vsb.jsonl"
        path.write_bytes(b"\n".join(lines))
        if read is None:
            with pytest.raises(TaskFileError):
                list(iter_tasks(path))
            return
        items = list(iter_tasks(path))
    problems = tuple(item for item in items if isinstance(item, LineProblem))
    tasks = [item for item in items if isinstance(item, Task)]
    assert problems == read.problems
    assert [item.id for item in tasks] == [item.id for item in read.tasks]


def test_one_at_a_time_knows_the_names_that_come_later(file: Path) -> None:
    write(
        file,
        official(id=1, rel_path="A.lean"),
        official(id=2, rel_path="B.lean"),
        native(id="x", name="x"),
        official(id=2, thm_name="other"),
        "{",
    )
    read = read_tasks(file)
    items = list(iter_tasks(file))
    assert tuple(item for item in items if isinstance(item, Task)) == read.tasks
    assert [item.line for item in items if isinstance(item, LineProblem)] == [4, 5]
    with pytest.raises(TaskFileError, match="no such task file"):
        next(iter_tasks(file.with_name("gone")))


LABELS = st.text(st.characters(categories=("L", "N"), include_characters=".'_!?«»"), min_size=1)


@given(
    ids=st.lists(LABELS, min_size=1, max_size=4, unique=True),
    category=LABELS,
    subsets=st.lists(LABELS, max_size=3),
    proof=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
        lambda text: not text.isspace()
    ),
    number=st.none() | st.integers(0, 2**40),
)
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read(
    ids: list[str], category: str, subsets: list[str], proof: str, number: int | None
) -> None:
    lines = [
        native(id=name, category=category, subsets=subsets, reference_proof=proof, name=name)
        for name in ids
    ]
    lines[0]["number"] = number
    read = read_bytes("\n".join(map(json.dumps, lines)).encode())
    assert read is not None
    assert read.problems == ()
    assert [t.id for t in read.tasks] == ids
    assert [t.name for t in read.tasks] == ids
    first = read.tasks[0]
    assert (first.category, first.reference_proof, first.number) == (category, proof, number)
    assert first.subsets == tuple(dict.fromkeys(subsets))
