"""The demo benchmark's sources: its tasks say what its files say, and a real Lean accepts them."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import diagnostics, process
from pytest_vsb.lean.toolchain import Toolchain, find
from pytest_vsb.source import scan
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"
BANDS = {"easy", "medium", "hard"}
ONE_CALL = (
    "rfl",
    "simp",
    "simp_all",
    "simp [*]",
    "decide",
    "trivial",
    "assumption",
    "contradiction",
    "constructor",
    "congr",
    "nofun",
    "intros; rfl",
    "intros; trivial",
)
ALLOWED_AXIOMS = {"propext", "Classical.choice", "Quot.sound"}


def text_of(path: Path) -> str:
    """The text of a file with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


@pytest.fixture(scope="module")
def tasks() -> Mapping[str, Task]:
    """The demo's tasks by id, those of both files."""
    files = [read_tasks(DEMO / name) for name in ("demo.vsb.jsonl", "extended.vsb.jsonl")]
    assert not any(file.problems for file in files)
    found = [task for file in files for task in file.tasks]
    assert len({task.id for task in found}) == len(found)
    return {task.id: task for task in found}


@pytest.fixture(scope="module")
def main_tasks() -> Mapping[str, Task]:
    """The tasks that ``pytest benchmark`` runs."""
    return {task.id: task for task in read_tasks(DEMO / "demo.vsb.jsonl").tasks}


def modules() -> list[str]:
    """The demo's modules, each after those that it imports."""
    imports = {
        f"Demo.{path.stem}": scan(text_of(path)).imports for path in (DEMO / "Demo").glob("*.lean")
    }
    order: list[str] = []
    while len(order) < len(imports):
        ready = [
            module
            for module in sorted(imports)
            if module not in order and all(name in order for name in imports[module])
        ]
        assert ready, "the imports have a cycle, or a module is missing"
        order += ready
    return order


def module_file(module: str, root: Path = DEMO) -> Path:
    return root.joinpath(*module.split(".")).with_suffix(".lean")


# The task file


def test_there_are_enough_tasks_of_every_sort(main_tasks: Mapping[str, Task]) -> None:
    tasks = main_tasks
    assert len(tasks) >= 30
    categories = Counter(task.category for task in tasks.values())
    assert len(categories) >= 4
    assert min(categories.values()) >= 3
    bands = Counter(band for task in tasks.values() for band in BANDS & set(task.subsets))
    assert set(bands) == BANDS
    assert sum(bands.values()) == len(tasks), "a task has no band, or two"
    assert min(bands.values()) >= 6
    assert 3 <= sum("automatable" in task.subsets for task in tasks.values()) <= 5


def test_ids_are_unique_and_readable(tasks: Mapping[str, Task]) -> None:
    assert all(re.fullmatch(r"[^\s:]+", name) for name in tasks)


def test_dependencies_cross_modules_and_nest(main_tasks: Mapping[str, Task]) -> None:
    tasks = main_tasks
    depths = [task.metrics.nesting_depth for task in tasks.values()]
    assert max(depth for depth in depths if depth is not None) >= 5
    across = [
        task
        for task in tasks.values()
        if any(item.scope == "project" and item.role == "lemma" for item in task.dependencies)
    ]
    assert len(across) >= 5


def test_statement_and_proof_are_the_file_s(tasks: Mapping[str, Task]) -> None:
    for task in tasks.values():
        path = DEMO / task.path
        assert path == module_file(task.module)
        text = text_of(path)
        assert task.reference_proof is not None
        found = [match.start() for match in re.finditer(re.escape(task.statement), text)]
        assert len(found) == 1, task.id
        rest = text[found[0] + len(task.statement) :].lstrip()
        assert rest.startswith(task.reference_proof), task.id
        after = rest[len(task.reference_proof) :]
        assert re.match(r"\s*(\r?\n|\Z)", after), task.id


def test_the_scanner_finds_each_declaration(tasks: Mapping[str, Task]) -> None:
    for task in tasks.values():
        source = scan(text_of(DEMO / task.path))
        declaration = source.find(task.name)
        statement, body = declaration.statement, declaration.body
        assert source.text[statement.start : statement.end] == task.statement
        assert body is not None
        assert source.text[body.start : body.end] == task.reference_proof
        assert declaration.kind == task.kind


def test_metrics_agree_with_dependencies(tasks: Mapping[str, Task]) -> None:
    for task in tasks.values():
        own = [item for item in task.dependencies if item.scope != "library"]
        assert task.metrics.direct_dependencies == len(own), task.id
        assert task.metrics.transitive_dependencies is not None
        assert task.metrics.transitive_dependencies >= len(own), task.id
        assert task.reference_proof is not None
        lines = [line for line in task.reference_proof.splitlines() if line.strip()]
        assert task.metrics.proof_lines == len(lines), task.id
        for item in own:
            assert (item.scope == "file") == (item.module == task.module), (task.id, item.name)
            assert module_file(item.module).is_file()


def test_dependencies_are_declared_where_they_are_said_to_be(tasks: Mapping[str, Task]) -> None:
    declared = {
        module: {
            declaration.full_name.replace("«", "").replace("»", "")
            for declaration in scan(text_of(module_file(module))).declarations
        }
        for module in modules()
    }
    for task in tasks.values():
        for item in task.dependencies:
            if item.scope != "library":
                name = item.name.replace("«", "").replace("»", "")
                outer = name.rpartition(".")[0]  # that of a declaration in a `where`
                assert {name, outer} & declared[item.module], (task.id, item.name)


def test_the_root_module_imports_every_module() -> None:
    assert sorted(scan(text_of(DEMO / "Demo.lean")).imports) == sorted(modules())


# Traps: what a tool that cuts Lean text by simple rules gets wrong


@dataclass(frozen=True)
class Trap:
    """A trap, the task that sets it, and where: a pattern that its text must match.

    ``part``: ``before`` (what precedes the statement, to its end), ``statement``, ``proof``,
    ``after`` (what follows the proof), ``name``, or ``file`` (all that precedes the statement).
    """

    what: str
    task: str
    part: str
    pattern: str


TRAPS = (
    Trap("in a mutual block, first", "Forest.RoseTree.length_flatten", "before", r"\nmutual\n"),
    Trap("in a mutual block, last", "Forest.map_comp", "after", r"\A\n\nend\n"),
    Trap("mutual, the other member", "Forest.RoseTree.length_flatten", "after", r"theorem Forest"),
    Trap("alternatives", "Typing.Typed.Value.irred", "proof", r"\A\| "),
    Trap("alternatives, nested patterns", "SearchTree.All.imp", "proof", r"\A\| leaf, _ =>"),
    Trap("a structure's fields", "Equivalence.Stmt.Equiv.congruence", "proof", r"\Awhere\n"),
    Trap("a local lemma", "Sorted.SearchTree.sorted_toList", "proof", r"\A:=[^\n]*\n[^\n]*\nwhere"),
    Trap("a proof by a term", "Hoare.complete", "proof", r"\A:=\s+(?!by\b)"),
    Trap("a term with a match", "TypeSafety.Typed.safety", "proof", r"\n  match [^\n]* with\n  \|"),
    Trap("section variables", "Compiler.AExp.compile_correct", "file", r"section.*variable \(st "),
    Trap("namespace variables", "Folding.AExp.eval_fold", "file", r"namespace.*\nvariable \(s "),
    Trap("variables of a class", "SearchTree.Ordered.insert", "file", r"variable \[KeyOrder κ\]"),
    Trap("under open in", "Variables.AExp.eval-update", "before", r"\nopen State in\n/--[^/]*-/\n"),
    Trap("under set_option in", "BoolFolding.BExp.eval_fold", "before", r"\nset_option [\w. ]+ in"),
    Trap("an attribute", "Syntax.State.update_same", "before", r"\n@\[simp\] "),
    Trap("an attribute's line", "Forest.RoseTree.length_flatten", "before", r"\n@\[simp\]\n"),
    Trap("a docstring", "BigStep.deterministic", "before", r"\n/-- [^\n]* -/\n"),
    Trap("private", "Programs.pred_add_succ", "before", r"\nprivate "),
    Trap("protected", "Machine.Code.append_assoc", "before", r"\nprotected "),
    Trap("nonrec", "Forest.length_append", "before", r"\nopen List in\n[^\n]*\n@\[simp\] nonrec "),
    Trap("an auxiliary name twice", "Folding.AExp.eval_fold", "name", r"eval_fold"),
    Trap("the same in another module", "BoolFolding.BExp.eval_fold", "name", r"eval_fold"),
    Trap("a qualified name", "DeadCode.Stmt.optimize_equiv", "file", r"namespace Demo\n"),
    Trap(
        "a qualified name in a namespace", "Compiler.Stmt.compile_correct", "statement", r"Stmt\."
    ),
    Trap("a notation of the file", "Hoare.assign'", "file", r'\n\w* ?infix[^\n]*" ::= "'),
    Trap("its := in a statement", "Hoare.assign'", "statement", r"\(x ::= a\)"),
    Trap("its | in a statement", "Hoare.loop_valid", "statement", r"⟦P \| b⟧ ⟪c⟫ P\) :"),
    Trap("another notation", "Equivalence.Stmt.Equiv.seq_assoc", "statement", r";; e ≈ₛ c ;;"),
    Trap("a name in «»", "Equivalence.Stmt.Equiv.loop-unfold", "statement", r"«loop-unfold»"),
    Trap("a name with spaces", "Queue.toList_of_flip", "statement", r"«toList of flip»"),
    Trap("a name with '", "Hoare.assign'", "name", r"'\Z"),
    Trap("a name with ?", "Queue.pop?_some", "name", r"pop\?_some\Z"),
    Trap("a name with !", "Queue.toList_empty!", "name", r"!\Z"),
    Trap("a unicode name", "Typing.Typed.HasType.τ_unique", "name", r"τ_unique\Z"),
    Trap("a let in a statement", "Queue.toList_of_flip", "statement", r": let r : Queue α := q"),
    Trap("a let, then a line", "Programs.move_correct", "statement", r"let sum := m \+ n;\r\n"),
    Trap("a default argument", "Queue.toList_pushAll_empty!", "statement", r"\(q : Queue α := "),
    Trap("a structure instance", "Queue.toList_mk_nil", "statement", r"\{ front := xs, back := "),
    Trap("a match in brackets", "BigStep.cond_iff", "statement", r"\(match [^)]* \| true => "),
    Trap("a match", "DeadCode.Stmt.cond_lit", "statement", r"≈ₛ match v with \| true => c \| "),
    Trap("nested comments", "Queue.toList_push", "file", r"/--[^\n]*/- nested /- twice -/ -/"),
    Trap("a string with braces", "Queue.toList_pushAll_empty!", "file", r'"\{ front := [^\n]*-- '),
    Trap("a comment opened in a string", "Queue.toList_pushAll_empty!", "file", r'\\"/- empty'),
    Trap("CRLF", "Programs.move_correct", "statement", r"\r\n"),
    Trap("a tab", "Programs.move_correct", "file", r"a tab\tin a comment"),
    Trap(
        "several alternatives, one proof",
        "Substitution.AExp.eval_subst",
        "proof",
        r"\n  \| [^=]*\| sub",
    ),
)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.what.replace(" ", "-"))
def test_a_task_sets_the_trap(trap: Trap, tasks: Mapping[str, Task]) -> None:
    task = tasks[trap.task]
    text = text_of(DEMO / task.path)
    start = text.index(task.statement)
    assert task.reference_proof is not None
    end = text.index(task.reference_proof, start + len(task.statement))
    before = text[:start]
    last = [declaration.span for declaration in scan(text).declarations]
    previous = max((span.end for span in last if span.end <= start), default=0)
    parts = {
        "before": before[previous:],
        "file": before,
        "statement": task.statement,
        "proof": task.reference_proof,
        "after": text[end + len(task.reference_proof) :],
        "name": task.name,
    }
    assert re.search(trap.pattern, parts[trap.part], re.DOTALL)


def test_one_name_in_two_modules(tasks: Mapping[str, Task]) -> None:
    places: dict[str, set[str]] = {}
    for task in tasks.values():
        places.setdefault(task.name.rpartition(".")[2], set()).add(task.module)
    assert any(len(found) > 1 for found in places.values())


# A real Lean


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    try:
        return find()
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))


def run(lean: Toolchain, root: Path, out: Path, module: str) -> process.Completed:
    """Compile a module of a copy of the demo, into ``out``."""
    relative = module_file(module, Path())
    (out / relative).parent.mkdir(parents=True, exist_ok=True)
    olean = str((out / relative).with_suffix(".olean"))
    flags = ["--json"] if lean.json else []
    return process.run(
        lean.argv(*flags, "--root=.", "-o", olean, relative.as_posix()),
        cwd=root,
        env=lean.environment([out]),
        limits=process.Limits(wall_seconds=120),
    )


@dataclass(frozen=True)
class Built:
    """A compiled copy of the demo, and Lean's run on each module with its targets' axioms."""

    root: Path
    out: Path
    runs: Mapping[str, process.Completed]


@pytest.fixture(scope="module")
def built(
    lean: Toolchain, tasks: Mapping[str, Task], tmp_path_factory: pytest.TempPathFactory
) -> Built:
    base = tmp_path_factory.mktemp("demo")
    root, out = base / "demo", base / "out"
    shutil.copytree(DEMO / "Demo", root / "Demo")
    runs = {}
    for module in modules():
        path = module_file(module, root)
        targets = [task.name for task in tasks.values() if task.module == module]
        # In the module's own file, where private names can be written.
        path.write_bytes(
            path.read_bytes() + "".join(f"\n#print axioms {name}" for name in targets).encode()
        )
        runs[module] = run(lean, root, out, module)
    return Built(root, out, runs)


def messages_of(done: process.Completed, module: str) -> tuple[diagnostics.Diagnostic, ...]:
    relative = module_file(module, Path()).as_posix()
    return diagnostics.parse(done.stdout, file_name=relative).diagnostics


@pytest.mark.lean
@pytest.mark.slow
def test_every_module_checks_and_no_proof_cheats(built: Built, tasks: Mapping[str, Task]) -> None:
    """All modules compile in order without complaint; the targets rest on the three axioms."""
    for module, done in built.runs.items():
        messages = messages_of(done, module)
        complaints = [
            message
            for message in messages
            if message.severity is not diagnostics.Severity.INFORMATION
        ]
        assert not complaints, f"{module}: {complaints[0].message}"
        assert done.exit_code == 0, done.stderr
        targets = [task for task in tasks.values() if task.module == module]
        assert len(messages) == len(targets), module
        for message in messages:
            listed = re.search(r"depends on axioms: \[([^\]]*)\]", message.message)
            axioms = set(re.split(r",\s*", listed[1])) if listed else set()
            assert axioms <= ALLOWED_AXIOMS, message.message
            assert listed or "does not depend on any axioms" in message.message


@pytest.mark.lean
@pytest.mark.slow
def test_one_call_solves_the_automatable_tasks_only(
    built: Built, lean: Toolchain, tasks: Mapping[str, Task]
) -> None:
    if lean.kind != "embedded":
        pytest.skip(
            "how much one call does depends on the Lean; the subset is for the embedded one"
        )
    calls = " | ".join(f"({call}; done)" for call in ONE_CALL)
    for module in modules():
        text = text_of(module_file(module))
        source = scan(text)
        goals: dict[int, list[Task]] = {}
        for task in tasks.values():
            if task.module == module:
                target = source.find(task.name)
                place = target.mutual.start if target.mutual else target.span.start
                goals.setdefault(place, []).append(task)
        probed, end, where = "", 0, {}
        for place in sorted(goals):
            probed, end = probed + text[end:place], place
            for task in goals[place]:
                statement = re.sub(r"\Atheorem («[^»]*»|\S+)", "example", task.statement)
                where[probed.count("\n") + 2] = task
                probed += f"\n{statement} := by\n  first | {calls}\n"
        module_file(module, built.root).write_text(
            probed + text[end:], encoding="utf-8", newline=""
        )
        messages = messages_of(run(lean, built.root, built.out, module), module)
        refused = [
            max(line for line in where if line <= message.start.line)
            for message in messages
            if message.severity is diagnostics.Severity.ERROR
        ]
        assert len(refused) == len(set(refused))
        solved = {task.id for line, task in where.items() if line not in refused}
        assert solved == {task.id for task in where.values() if "automatable" in task.subsets}, (
            module
        )


@pytest.mark.lean
def test_a_wrong_proof_is_noticed(lean: Toolchain, tmp_path: Path) -> None:
    """The test above could fail: Lean refuses a module with a proof taken out."""
    root, out = tmp_path / "demo", tmp_path / "out"
    shutil.copytree(DEMO / "Demo", root / "Demo")
    path = module_file("Demo.SearchTree", root)
    text = path.read_text(encoding="utf-8")
    changed = text.replace("simp only [mirror, ihl, ihr]", "simp only [mirror, ihl]")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    done = run(lean, root, out, "Demo.SearchTree")
    assert done.exit_code == 1
    parsed = diagnostics.parse(done.stdout, file_name="Demo/SearchTree.lean")
    assert any("unsolved goals" in message.message for message in parsed.diagnostics)
