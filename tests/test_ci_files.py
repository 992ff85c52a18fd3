"""The files for CI and clusters can be read, and name only what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from pytest_vsb.cli.main import _parser
from pytest_vsb.plugin.option_table import OPTIONS

CI = Path(__file__).parents[1] / "docs" / "ci"
FILES = sorted(CI.iterdir())
YAML = [path for path in FILES if path.suffix == ".yml"]
NAMES = [path.name for path in FILES]
PAGES = [CI.parent / "scale.md", CI.parent / "gate.md"]


def scripts(value: object, key: str = "") -> list[str]:
    """The shell scripts in a document: steps of GitHub and GitLab, arguments of containers."""
    if isinstance(value, dict):
        found = [scripts(inner, str(name)) for name, inner in value.items()]
    elif isinstance(value, list):
        found = [scripts(inner, key) for inner in value]
    else:
        return [value] if isinstance(value, str) and key in ("run", "script", "args") else []
    return [script for each in found for script in each]


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yaml(path: Path) -> None:
    documents = [each for each in yaml.safe_load_all(path.read_text("utf-8")) if each]
    assert documents
    found = [script for document in documents for script in scripts(document)]
    assert found
    for script in found:
        # What GitHub fills in is no shell.
        check(re.sub(r"\$\{\{.*?\}\}", "1", script))


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_shell(path: Path) -> None:
    if path.suffix == ".sh":
        check(path.read_text("utf-8"))
    else:
        assert path.suffix == ".yml"


def check(script: str) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    ended = subprocess.run([bash, "-n"], input=script, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("path", [*FILES, *PAGES], ids=lambda path: path.name)
def test_options_are_there(path: Path) -> None:
    text = path.read_text("utf-8")
    options = {option.flag_name for option in OPTIONS}
    assert set(re.findall(r"(?<![\w-])--vsb-[a-z-]+", text)) <= options
    # What `vsb` is told, over lines that end in a backslash.
    for command, rest in re.findall(r"\bvsb ([a-z]+)((?:\\\n|[^\n`])*)", text):
        usage = subparsers().get(command)
        if usage is None:
            assert path in PAGES or command in ("run",), command
            continue
        given = set(re.findall(r"(?<![\w-])--[a-z-]+", rest))
        assert {flag for flag in given if not flag.startswith("--vsb-")} <= usage, command


def subparsers() -> dict[str, set[str]]:
    """The options of each subcommand of ``vsb``."""
    found: dict[str, set[str]] = {}
    for action in _parser()._actions:
        for name, parser in (getattr(action, "choices", None) or {}).items():
            found[name] = {flag for each in parser._actions for flag in each.option_strings}
    return found


def test_kubernetes_shards_are_as_many_as_said() -> None:
    job = yaml.safe_load((CI / "kubernetes-shards.yml").read_text("utf-8"))
    spec = job["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    environment = {each["name"]: each["value"] for each in container["env"]}
    assert spec["completionMode"] == "Indexed"
    assert int(environment["SHARDS"]) == spec["completions"]


def test_every_file_is_linked() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    assert [name for name in NAMES if f"(ci/{name})" not in text] == []
