"""Task files as pytest sees them: nodeids, markers, selection, and files that are broken."""

from __future__ import annotations

import json

import pytest
from mini_project import PROOFS, MiniProject, task_line

NODE = "mini.vsb.jsonl::"
ALL = tuple(PROOFS)
LEAF, MIRROR = ("mirror_leaf", "isLeaf_leaf"), ("mirror_mirror", "mirror_injective")


@pytest.fixture
def plain(quick: MiniProject) -> MiniProject:
    """A project with four tasks, for runs that need no Lean."""
    quick.tasks(*ALL)
    return quick


def collected(project: MiniProject, *arguments: str, code: int = 0) -> list[str]:
    """The ids of what is collected, in order."""
    ended = project.run("--collect-only", "-q", *arguments, model=None)
    assert ended.code == code, ended.text + ended.errors
    return [line.rpartition("::")[2] for line in ended.lines if "jsonl::" in line]


def test_nodeids(plain: MiniProject) -> None:
    ended = plain.run("--collect-only", "-q", model=None)
    assert [line for line in ended.lines if "::" in line] == [NODE + name for name in ALL]


def test_names_of_files(plain: MiniProject) -> None:
    plain.tasks("mirror_leaf", file="sub/verisoftbench_mini.jsonl")
    plain.tasks("mirror_leaf", file="sub/other.jsonl")
    plain.tasks("mirror_leaf", file="sub/verisoftbench.json")
    assert collected(plain) == [*ALL, "mirror_leaf"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-m", "vsb"], ALL),
        (["-m", "not vsb"], ()),
        (["-m", "category_leaf_laws"], ("mirror_leaf", "isLeaf_leaf")),
        (["-m", "category_mirror_laws and subset_hard"], MIRROR),
        (["-m", "repo_mini and not subset_easy"], MIRROR),
        (["-m", 'vsb(category="Leaf laws")'], LEAF),
        (["-m", 'vsb(suite="other")'], ()),
        (["-k", "injective or isLeaf"], ("mirror_injective", "isLeaf_leaf")),
        ([NODE + "mirror_mirror"], ("mirror_mirror",)),
        ([NODE + "isLeaf_leaf", NODE + "mirror_leaf"], ("isLeaf_leaf", "mirror_leaf")),
        (["--deselect", NODE + "mirror_leaf"], ALL[1:]),
        (["--strict-markers"], ALL),
        (["--vsb-category=leaf laws"], LEAF),
        (["--vsb-repo=mini", "--vsb-subset=hard"], MIRROR),
        (["--vsb-ids=2:3"], ("mirror_mirror", "mirror_injective")),
        (["--vsb-ids=1,isLeaf_leaf"], ("mirror_leaf", "isLeaf_leaf")),
        (["--vsb-limit=3"], ALL[:3]),
        (["--vsb-limit=1", "--vsb-category=Mirror laws"], ("mirror_mirror",)),
    ],
)
def test_selection(plain: MiniProject, arguments: list[str], expected: tuple[str, ...]) -> None:
    code = pytest.ExitCode.OK if expected else pytest.ExitCode.NO_TESTS_COLLECTED
    assert collected(plain, *arguments, code=code) == list(expected)


def test_shards_together_are_all(plain: MiniProject) -> None:
    parts = [collected(plain, f"--vsb-shard={i}/3") for i in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(ALL)
    assert all(parts)


def test_what_is_deselected_is_counted(plain: MiniProject) -> None:
    ended = plain.run("--collect-only", "-q", "--vsb-limit=1", model=None)
    assert "1/4 tests collected (3 deselected)" in ended.text


def test_selection_spares_other_tests(plain: MiniProject) -> None:
    plain.write("test_other.py", "def test_other(): pass\n")
    ended = plain.run("--collect-only", "-q", "--vsb-limit=1", model=None)
    assert "test_other.py::test_other" in ended.text


def test_markers_are_listed(plain: MiniProject) -> None:
    text = plain.run("--markers", model=None).text
    assert "@pytest.mark.vsb(suite, repository, category)" in text
    assert "@pytest.mark.vsb_tasks(" in text


def test_without_a_model_items_are_skipped_with_the_reason(plain: MiniProject) -> None:
    ended = plain.run("-rs", model=None)
    assert ended.code == pytest.ExitCode.OK
    assert ended.counts() == {"skipped": 4}
    assert "no prover is chosen: give --vsb-model=NAME" in ended.text
    assert not (plain.path / "vsb-runs").exists()


def test_collect_only_with_a_model_begins_no_run(plain: MiniProject) -> None:
    ended = plain.run("--collect-only", "-q", model="reference")
    assert ended.code == pytest.ExitCode.OK
    assert not (plain.path / "vsb-runs").exists()


OFFICIAL = {
    "id": 7,
    "thm_name": "mirror_leaf",
    "thm_stmt": "theorem mirror_leaf : Tree.leaf.mirror = Tree.leaf",
    "lean_root": "mini",
    "rel_path": "Mini.lean",
    "imports": [],
    "used_lib_defs": [],
    "used_repo_defs": [],
    "lib_lemmas": [],
    "repo_lemmas": [],
    "used_local_defs": [{"name": "Tree", "content": "inductive Tree where"}],
    "used_local_lemmas": [],
    "local_ctx": "namespace Mini",
    "target_theorem": "theorem mirror_leaf : Tree.leaf.mirror = Tree.leaf :=",
    "ground_truth_proof": "rfl",
    "nesting_depth": 1,
    "transitive_dep_count": 1,
    "category": "Leaf laws",
    "is_aristotle": False,
    "suffix": "",
}


def test_official_file(plain: MiniProject) -> None:
    (plain.path / "mini.vsb.jsonl").unlink()
    plain.tasks(json.dumps(OFFICIAL), file="verisoftbench.jsonl")
    ended = plain.run("--collect-only", "-q", "-m", "category_leaf_laws", model=None)
    assert "verisoftbench.jsonl::mini/mirror_leaf" in ended.lines
    assert collected(plain, "--vsb-ids=7") == ["mini/mirror_leaf"]


BROKEN = [
    json.dumps(task_line("mirror_leaf")),
    '{"id": "cut off',
    json.dumps(task_line("mirror_mirror", name=None)),
    "",
    json.dumps(task_line("mirror_injective", number=1)),
    json.dumps(task_line("mirror_leaf", number=None)),
    json.dumps(task_line("isLeaf_leaf")),
]


@pytest.mark.parametrize("workers", ["2", pytest.param("0", marks=pytest.mark.slow)])
@pytest.mark.lean
def test_broken_lines(near: MiniProject, workers: str) -> None:
    near.tasks(*BROKEN)
    near.prover("def answer(request): return no_answer()")
    ended = near.bench("-n", workers, "--junitxml=junit.xml")
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    # Each broken line is one error, and the sound ones run.
    assert ended.counts() == {"failed": 2, "error": 4}
    for line in (2, 3, 5, 6):
        assert f"{near.path / 'mini.vsb.jsonl'}:{line}: " in ended.text
    assert set(near.by_task()) == {"mirror_leaf", "isLeaf_leaf"}
    assert near.junit().attrib["errors"] == "4"
    assert "Traceback" not in ended.text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the task file is empty"),
        (b"\n \n", "the task file is empty"),
        (b"\x7fELF\x00\x01\x02" * 100, ""),
        (b"\x00" * 100_000, ""),
        ("\ufeff".encode() + json.dumps(task_line("mirror_leaf")).encode("utf-16"), ""),
    ],
    ids=["empty", "blank", "binary", "zeros", "utf-16"],
)
def test_files_that_are_no_task_files(plain: MiniProject, data: bytes, words: str) -> None:
    (plain.path / "bad.vsb.jsonl").write_bytes(data)
    ended = plain.run("-q", model=None)
    assert ended.code == pytest.ExitCode.INTERRUPTED  # pytest's code for collection errors
    assert "bad.vsb.jsonl" in ended.text
    assert words in ended.text
    assert "Traceback" not in ended.text
    assert len(ended.text) < 5_000
    assert ended.counts()["error"] == 1


def test_directory_with_a_task_files_name(plain: MiniProject) -> None:
    (plain.path / "dir.vsb.jsonl").mkdir()
    ended = plain.run("-q", "--continue-on-collection-errors", model=None)
    assert "dir.vsb.jsonl: is a directory, not a task file" in ended.text
    assert ended.counts() == {"skipped": 4, "error": 1}


def test_file_that_cannot_be_read(plain: MiniProject) -> None:
    (plain.path / "gone.vsb.jsonl").symlink_to("nowhere")
    (plain.path / "loop.vsb.jsonl").symlink_to("loop.vsb.jsonl")
    ended = plain.run("-q", "--continue-on-collection-errors", model=None)
    assert "INTERNALERROR" not in ended.text
    assert ended.counts()["skipped"] == 4


def test_huge_sparse_file(plain: MiniProject) -> None:
    with (plain.path / "huge.vsb.jsonl").open("wb") as file:
        file.truncate(1 << 30)
    ended = plain.run("-q", "--continue-on-collection-errors", model=None)
    assert "huge.vsb.jsonl" in ended.text
    assert ended.counts() == {"skipped": 4, "error": 1}


@pytest.mark.lean
@pytest.mark.slow
def test_last_failed(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover(
        """
        def answer(request):
            return right(request) if request.task.id == "isLeaf_leaf" else no_answer()
        """
    )
    assert mini.bench().counts() == {"failed": 1, "passed": 1}
    assert collected(mini, "--lf") == ["mirror_leaf"]
