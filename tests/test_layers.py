"""The layers of the package: imports only point down, and only the plugin knows pytest."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_vsb

PACKAGE = Path(pytest_vsb.__file__).parent
NAME = "pytest_vsb"

# Lowest first; what stands in one line may not import its neighbours either.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "files", "waits", "words"),
    ("source",),
    ("lean",),
    ("repos",),
    ("tasks",),
    ("repository",),
    ("context",),
    ("provers",),
    ("judge",),
    ("prepare",),
    ("executor",),
    ("run",),
    ("metrics",),
    ("report",),
    ("plugin", "cli"),
)
ROOT = Path(__file__).parents[1]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

OUTSIDE = {"os", "io", "pathlib", "subprocess", "socket", "sys", "shutil", "tempfile", "time"}
"""What a computation has no need of."""


def modules() -> Iterator[tuple[str, Path]]:
    """All modules of the package, as dotted names below it."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@functools.cache
def imports(module: str, path: Path) -> frozenset[str]:
    """Everything a module imports, anywhere in it, as absolute dotted names."""
    found: set[str] = set()
    is_package = path.name == "__init__.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                inner = [NAME, *filter(None, module.split("."))]
                kept = inner[: len(inner) - node.level + is_package]
                base = ".".join([*kept, *filter(None, [node.module])])
            found |= {f"{base}.{alias.name}" for alias in node.names} | {base}
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
            # A lazy import by name counts when the name is written out.
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    found.add(argument.value)
    return frozenset(found)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def layer(module: str) -> str:
    return module.partition(".")[0]


def test_all_packages_have_a_layer() -> None:
    assert {layer(module) for module, _ in modules()} - {""} <= set(LEVEL)
    assert len([*modules()]) > 40


def points_up(module: str, imported: str) -> bool:
    """Whether a module must not import something of ours."""
    if not imported.startswith(NAME + "."):
        return False
    own, other = layer(module), layer(imported.removeprefix(NAME + "."))
    if other not in LEVEL:  # a name of the package itself, such as its version
        return not other.startswith("__")
    # Below all layers is the package itself, which imports none of them.
    return own != other and LEVEL[other] >= LEVEL.get(own, 0)


@pytest.mark.parametrize("name", ["", *LEVEL])
def test_imports_point_down(name: str) -> None:
    found = [
        f"{module} imports {imported}"
        for module, path in modules()
        if layer(module) == name
        for imported in imports(module, path)
        if points_up(module, imported)
    ]
    assert found == []


def test_what_points_up() -> None:
    assert points_up("lean.process", "pytest_vsb.judge.check")
    assert points_up("plugin.items", "pytest_vsb.cli.check"), "neighbours"
    assert points_up("lean.process", "pytest_vsb.nowhere")
    assert points_up("", "pytest_vsb.errors")
    for imported in ("pytest_vsb.lean.slots", "pytest_vsb.errors", "pytest_vsb.__version__", "os"):
        assert not points_up("lean.process", imported)


def test_only_the_plugin_knows_pytest() -> None:
    theirs = {"pytest", "_pytest", "xdist", "pluggy", "pytest_timeout"}
    found = {
        module: known
        for module, path in modules()
        if layer(module) != "plugin"
        and (known := theirs & {each.partition(".")[0] for each in imports(module, path)})
    }
    assert found == {}


def test_metrics_compute_and_nothing_else() -> None:
    found = {
        imported.partition(".")[0]
        for module, path in modules()
        if layer(module) == "metrics"
        for imported in imports(module, path)
    }
    assert found - {NAME} <= sys.stdlib_module_names - OUTSIDE
    assert found > {"__future__"}


def test_the_check_sees_every_form_of_import(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        "import pytest.a as b\n"
        "from . import run\n"
        "from ..plugin.items import TaskItem\n"
        "def f():\n    import xdist\n    importlib.import_module('pytest_timeout')\n"
        "if TYPE_CHECKING:\n    from pytest_vsb.cli import main\n",
        encoding="utf-8",
    )
    found = imports("lean.odd", path)
    assert found >= {
        "pytest.a",
        "pytest_vsb.lean.run",
        "pytest_vsb.plugin.items",
        "xdist",
        "pytest_timeout",
        "pytest_vsb.cli.main",
    }


def test_the_demo_needs_no_package_of_the_tests() -> None:
    """Its users install the package with the embedded Lean, and nothing else."""
    for file in (ROOT / "conftest.py", *(ROOT / "benchmark").rglob("conftest.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            outside = {name.split(".")[0] for name in names} - sys.stdlib_module_names
            assert outside <= {"pytest", NAME}, file
