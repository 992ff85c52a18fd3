"""Which worker runs what."""

from __future__ import annotations

import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mini_project import MINI, MiniProject, task_line

from pytest_vsb.plugin.controller import Controller
from pytest_vsb.plugin.scheduler import ModuleScheduling, Place, places

CONFIG: Any = SimpleNamespace(
    getvalue=lambda name: ["popen"], rootpath=Path(), hook=SimpleNamespace()
)


@dataclass(eq=False)
class Node:
    """A worker of pytest-xdist as its scheduler sees it, which begins an item once it knows the
    next or is told that there is none."""

    name: str
    queue: list[int] = field(default_factory=list)
    ran: list[int] = field(default_factory=list)
    shutting_down: bool = False
    busy: bool = False

    @property
    def gateway(self) -> Any:
        return SimpleNamespace(id=self.name)

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        assert not self.shutting_down
        self.queue += indices

    def shutdown(self) -> None:
        self.shutting_down = True

    @property
    def ready(self) -> bool:
        return not self.busy and len(self.queue) >= (1 if self.shutting_down else 2)


@dataclass
class Race:
    """Workers that run a collection in a time of its own."""

    where: list[Place]
    times: list[int]
    workers: int
    dying: set[int] = field(default_factory=set)
    crashed: list[str] = field(default_factory=list)
    end: int = 0

    def run(self) -> list[Node]:
        names = [f"item{index}" for index in range(len(self.where))]
        scheduler = ModuleScheduling(CONFIG, describe=lambda nodeids: self.where)
        scheduler.numnodes = self.workers
        nodes = [Node(f"gw{number}") for number in range(self.workers)]
        for node in nodes:
            scheduler.add_node(node)
            assert not scheduler.tests_finished
        for node in nodes:
            scheduler.add_node_collection(node, names)
        assert scheduler.collection_is_completed
        scheduler.schedule()
        events: list[tuple[int, int]] = []
        now = 0
        while True:
            for number, node in enumerate(nodes):
                if node.ready and node in scheduler.nodes:
                    node.busy = True
                    heapq.heappush(events, (now + self.times[node.queue[0]], number))
            if not events:
                break
            now, number = heapq.heappop(events)
            node = nodes[number]
            node.busy = False
            if node.queue[0] in self.dying:
                item = scheduler.remove_node(node)
                assert item == names[node.queue[0]]
                self.crashed.append(item)
                node.queue.clear()
                nodes.append(Node(f"gw{len(nodes)}"))
                scheduler.add_node(nodes[-1])
                scheduler.add_node_collection(nodes[-1], names)
                scheduler.schedule()
            else:
                index = node.queue.pop(0)
                node.ran.append(index)
                scheduler.mark_test_complete(node, index)
            if scheduler.tests_finished:
                for each in nodes:
                    each.shutdown()
        self.end = now
        assert scheduler.tests_finished
        assert not scheduler.has_pending
        for node in nodes:
            if node in scheduler.nodes:
                assert scheduler.remove_node(node) is None
        assert scheduler.nodes == []
        return nodes

    def switches(self, nodes: list[Node]) -> int:
        """How often a worker had to begin with a module."""
        return sum(
            len([1 for before, after in zip([None, *keys], keys, strict=False) if before != after])
            for keys in ([self.where[index].module for index in node.ran] for node in nodes)
        )


@given(st.data())
def test_every_item_runs_once_and_the_end_is_near_the_ideal(data: st.DataObject) -> None:
    count = data.draw(st.integers(0, 40))
    modules = data.draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    times = data.draw(st.lists(st.integers(1, 50), min_size=count, max_size=count))
    workers = data.draw(st.integers(1, 9))
    dying = data.draw(st.sets(st.integers(0, 40), max_size=3)) & set(range(count))
    where = [Place(f"r{m % 2}", f"m{m}", t) for m, t in zip(modules, times, strict=True)]
    race = Race(where, times, workers, dying)
    nodes = race.run()
    ran = [index for node in nodes for index in node.ran]
    assert sorted([*ran, *dying]) == list(range(count))
    assert len(ran) == len(set(ran))
    assert sorted(race.crashed) == sorted(f"item{index}" for index in dying)
    if count and not dying:
        # A worker holds the item it runs and the next one, which nobody can take from it.
        assert race.end <= sum(times) / workers + 2 * max(times)


def test_workers_stay_with_their_modules() -> None:
    """Interleaved items of eight modules over four workers: each module is begun once or, towards
    the end, shared."""
    where = [Place("r", f"m{index % 8}", 10) for index in range(80)]
    race = Race(where, [10] * 80, 4)
    nodes = race.run()
    assert race.switches(nodes) <= 8 + 3
    assert race.end <= 10 * (80 / 4 + 2)


def test_the_longest_module_is_begun_first_and_a_repository_is_kept() -> None:
    sizes = {"a": 2, "b": 6, "c": 4, "d": 3}
    where = [
        Place("one" if name in "ab" else "two", name) for name, n in sizes.items() for _ in range(n)
    ]
    nodes = Race(where, [1] * len(where), 2).run()
    first, second = ([where[i].module for i in node.ran] for node in nodes)
    assert (first[0], second[0]) == ("b", "c")
    assert second[:7] == [*"ccccddd"]
    assert {*first} == {"b", "a"}


def test_one_module_is_shared_by_workers_that_would_idle() -> None:
    race = Race([Place("r", "only")] * 40, [1] * 40, 8)
    nodes = race.run()
    assert [len(node.ran) > 2 for node in nodes] == [True] * 8
    assert race.end <= 7


def test_an_item_is_run_again_when_another_plugin_wants_it() -> None:
    scheduler = ModuleScheduling(CONFIG, describe=lambda nodeids: [Place("r", "m")] * 3)
    node: Any = Node("gw0")
    scheduler.add_node(node)
    scheduler.add_node_collection(node, ["a", "b", "c"])
    scheduler.schedule()
    scheduler.mark_test_complete(node, node.queue.pop(0))
    scheduler.mark_test_pending("a")
    for _ in range(3):
        scheduler.mark_test_complete(node, node.queue.pop(0))
    assert node.queue == []
    assert node.shutting_down
    assert scheduler.tests_finished


def test_workers_that_collect_different_items(pytester: pytest.Pytester) -> None:
    reports: list[pytest.CollectReport] = []
    hook = SimpleNamespace(pytest_collectreport=lambda report: reports.append(report))
    config: Any = SimpleNamespace(getvalue=lambda name: ["popen", "popen"], hook=hook)
    said: list[str] = []
    scheduler = ModuleScheduling(config, said.append, lambda nodeids: [Place("r", "m")] * 2)
    assert scheduler.numnodes == 2
    nodes: list[Any] = [Node("gw0"), Node("gw1"), Node("gw2")]
    for node, collection in zip(nodes, (["a", "b"], ["a", "c"]), strict=False):
        scheduler.add_node(node)
        scheduler.add_node_collection(node, collection)
    scheduler.schedule()
    assert scheduler.tests_finished
    assert [report.outcome for report in reports] == ["failed"]
    assert "gw0 and gw1" in said[0]
    assert [node.queue for node in nodes] == [[], [], []]


def test_places_are_told_by_the_task_files(tmp_path: Path) -> None:
    lines = [
        task_line("mirror_leaf"),
        task_line("mirror_mirror", path="Other.lean", name="mirror_mirror"),
        task_line("isLeaf_leaf", root=None),
    ]
    for directory in ("a", "b"):
        (tmp_path / directory).mkdir()
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / directory / "t.vsb.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "broken.vsb.jsonl").write_bytes(b"\xff\xfe")
    nodeids = [
        "a/t.vsb.jsonl::mirror_leaf",
        "a/t.vsb.jsonl::mirror_mirror",
        "a/t.vsb.jsonl::isLeaf_leaf",
        "b/t.vsb.jsonl::mirror_leaf",
        "b/t.vsb.jsonl::isLeaf_leaf",
        "gone.vsb.jsonl::x",
        "broken.vsb.jsonl::y",
        "test_it.py::test_a[x::y]",
        "test_it.py::T::test_b",
    ]
    found = places(tmp_path, nodeids)
    keys = [(place.repository, place.module) for place in found]
    assert keys[0] != keys[1]
    assert keys[0][0] == keys[1][0]
    assert keys[0][0] != keys[3][0], "two projects at the root of their task files are not one"
    assert keys[2] == keys[4] == ("mini", "Mini.lean")
    assert keys[5:] == [("", n.partition("::")[0]) for n in nodeids[5:]]
    assert found[1].weight > 1
    assert found[8].weight == 1


def order(mini: MiniProject, *arguments: str) -> list[str]:
    done = mini.run("--collect-only", "-q", *arguments, model=None)
    return [line.rpartition("::")[2] for line in done.lines if "::" in line]


def test_a_modules_tasks_are_next_to_each_other(quick: MiniProject) -> None:
    records = [
        task_line("mirror_leaf", number=None, id="a1"),
        task_line("mirror_leaf", number=None, id="b1", path="B.lean"),
        task_line("mirror_leaf", number=None, id="a2"),
        task_line("mirror_leaf", number=None, id="c1", path="C.lean"),
        task_line("mirror_leaf", number=None, id="b2", path="B.lean"),
    ]
    quick.write("one.vsb.jsonl", "\n".join(map(json.dumps, records)) + "\n")
    quick.write("test_it.py", "def test_x(): pass\ndef test_y(): pass\n")
    assert order(quick) == ["a1", "a2", "b1", "b2", "c1", "test_x", "test_y"]
    # What is taken is told by the file's order, what was asked for in another one stays so.
    assert order(quick, "--vsb-limit=3") == ["a1", "a2", "b1", "test_x", "test_y"]
    quick.write(
        "conftest.py",
        "def pytest_collection_modifyitems(items): items.reverse()\n",
    )
    assert order(quick) == ["test_y", "test_x", "b2", "c1", "a2", "b1", "a1"]


DIST = """
from pathlib import Path
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_xdist_make_scheduler(config, log):
    scheduler = yield
    Path("scheduler.txt").write_text(type(scheduler).__name__)
    return scheduler
"""


def test_modules_stay_on_workers_and_other_items_run_too(near: MiniProject) -> None:
    """With real workers: two modules, interleaved in the file, and tests of another kind; then
    with ways to distribute that the user chose."""
    near.write("Other.lean", MINI)
    names = ("mirror_leaf", "isLeaf_leaf")
    records = []
    for name in names:
        records += [
            task_line(name),
            task_line(name, id=f"other_{name}", number=None, path="Other.lean"),
        ]
    near.write("two.vsb.jsonl", "\n".join(map(json.dumps, records)) + "\n")
    near.write("test_it.py", "def test_x(): pass\ndef test_y(): pass\n")
    near.prover(
        """
        def answer(request):
            note(f"ran-{os.environ['PYTEST_XDIST_WORKER']}.txt", request.task.path)
            return no_answer()
        """
    )
    conftest = near.path / "conftest.py"
    conftest.write_text(conftest.read_text("utf-8") + DIST, encoding="utf-8")
    done = near.bench("-n", "2", "--vsb-fail-on=never")
    assert done.code == pytest.ExitCode.OK, done.text
    assert (near.path / "scheduler.txt").read_text() == "ModuleScheduling"
    assert len(near.by_task()) == 4
    assert "2 passed" in done.text
    ran = [path.read_text().split() for path in sorted(near.path.glob("ran-*.txt"))]
    assert sum(len(paths) for paths in ran) == 4
    for paths in ran:
        # Sorted by module from the start: no worker went back to one.
        assert [k for i, k in enumerate(paths) if i == 0 or paths[i - 1] != k] == [
            *dict.fromkeys(paths)
        ]


@pytest.mark.parametrize(
    ("arguments", "addopts", "environment", "ours"),
    [
        (["-n", "2"], ["-q"], "-x", True),
        (["-d", "--tx", "2*popen"], [], "", True),
        (["-n2", "--dist=load"], [], "", False),
        (["-n2", "--dist", "load"], [], "", False),
        (["-n2"], ["--dist=load"], "", False),
        (["-n2"], [], "-q --dist=load", False),
        (["-n2", "test_it.py::test[--distant]"], [], "", True),
    ],
)
def test_ways_to_distribute_that_the_user_chose(
    arguments: list[str],
    addopts: list[str],
    environment: str,
    ours: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", environment)
    for dist in ("load", "worksteal", "loadscope", "each"):
        config: Any = SimpleNamespace(
            getoption=lambda name, dist=dist: dist,
            getini=lambda name: addopts,
            getvalue=lambda name: ["popen"],
            invocation_params=SimpleNamespace(args=arguments),
        )
        made = Controller.pytest_xdist_make_scheduler(object(), config, None)  # type: ignore[arg-type]
        assert isinstance(made, ModuleScheduling) is (ours and dist == "load")


WARMING = """
import time
from pytest_vsb.run.session import Workshop

Scripted.concurrency = 2
expect = Workshop.expect

def noted(self, task):
    note("expected.txt", task.id)
    expect(self, task)

Workshop.expect = noted

def answer(request):
    if request.task.id == "mirror_leaf":
        end = time.monotonic() + 60
        while not (HERE / "expected.txt").exists() and time.monotonic() < end:
            time.sleep(0.01)
        note("waited.txt", str(time.monotonic() < end))
    return right(request)
"""


def test_the_next_module_is_made_ready_while_answers_are_waited_for(mini: MiniProject) -> None:
    mini.write("Other.lean", MINI)
    records = [task_line("mirror_leaf"), task_line("mirror_mirror", path="Other.lean")]
    # The next task of the same file finds it ready, and after the last there is none.
    records.append(task_line("isLeaf_leaf", path="Other.lean"))
    mini.write("two.vsb.jsonl", "\n".join(map(json.dumps, records)) + "\n")
    mini.prover(WARMING)
    done = mini.bench("--vsb-samples=2", "--vsb-repairs=1", "two.vsb.jsonl")
    assert done.code == pytest.ExitCode.OK, done.text
    assert (mini.path / "waited.txt").read_text().split() == ["True", "True"]
    assert (mini.path / "expected.txt").read_text().split() == ["mirror_mirror"]
