from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Answer, Candidate, ProofRequest, ProverSpec, ProverUnavailable
from pytest_vsb.provers.options import check_options
from pytest_vsb.provers.registry import BUILTINS, available, create, parse_spec


class Fixed:
    """A prover with one answer."""

    needs_reference = False

    def __init__(self, spec: ProverSpec) -> None:
        check_options(spec, ["depth"])
        self.name = spec.model_id or "fixed"
        self.spec = spec

    def settings(self) -> dict[str, str]:
        return {}

    def prove(self, request: ProofRequest) -> Answer | None:
        return Answer(Candidate("rfl"))

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("text", "name", "model_id", "argument"),
    [
        ("automation", "automation", "", ""),
        ("  reference ", "reference", "", ""),
        ("claude/opus-4.5", "claude", "opus-4.5", ""),
        ("openai-compatible/org/model:7b", "openai-compatible", "org/model:7b", ""),
        ("replay:runs/a.jsonl", "replay", "", "runs/a.jsonl"),
        ("replay:C:\\runs\\a.jsonl", "replay", "", "C:\\runs\\a.jsonl"),
        ("command:./prove --fast a/b", "command", "", "./prove --fast a/b"),
        ("my.provers:Best", "my.provers:Best", "", ""),
        ("my.provers:Outer.Best", "my.provers:Outer.Best", "", ""),
        ("my.provers:Best/large/v2", "my.provers:Best", "large/v2", ""),
        ("my.provers:Best:a:b", "my.provers:Best", "", "a:b"),
    ],
)
def test_forms_of_a_spec(text: str, name: str, model_id: str, argument: str) -> None:
    spec = parse_spec(text, {"a": "1"}, seed=5)
    assert (spec.name, spec.model_id, spec.argument) == (name, model_id, argument)
    assert (spec.options, spec.seed) == ({"a": "1"}, 5)


@pytest.mark.parametrize("text", ["", " ", "/x", ":x", "claude/", "replay:", "a b", "-x", "é/x"])
def test_what_is_no_spec(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert "NAME/MODEL-ID" in str(caught.value)


@settings(deadline=None)
@given(st.text())
def test_a_spec_is_read_or_refused(text: str) -> None:
    try:
        spec = parse_spec(text)
    except UsageError:
        return
    assert spec.name
    assert text.strip().startswith(spec.name)
    with pytest.raises((UsageError, ProverUnavailable)):
        create(ProverSpec(spec.name + "-unheard-of", argument=spec.argument))


def test_built_ins_are_available() -> None:
    assert {"automation", "reference", "replay"} <= set(available())
    assert "fixed" in available({"fixed": Fixed})
    assert create(parse_spec("automation")).name == "automation"


def test_unknown_name_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError) as caught:
        create(parse_spec("Automaton"), {"fixed": Fixed})
    text = str(caught.value)
    assert "Did you mean 'automation'?" in text
    assert f"Valid names: {', '.join(sorted([*BUILTINS, 'fixed']))}; or" in text


def test_factories_get_the_spec() -> None:
    prover = create(parse_spec("fixed/m1", {"depth": "3"}), {"fixed": Fixed})
    assert isinstance(prover, Fixed)
    assert prover.name == "m1"
    assert prover.spec.options == {"depth": "3"}


def test_two_provers_of_one_name() -> None:
    with pytest.raises(UsageError, match="two provers are called 'reference'"):
        create(parse_spec("automation"), {"reference": Fixed})


@pytest.mark.parametrize("name", ["", "a/b", "a:b", "a b", 3])
def test_names_that_cannot_be_written(name: object) -> None:
    with pytest.raises(UsageError, match="cannot be called"):
        available({name: Fixed})  # type: ignore[dict-item]


def test_unknown_option() -> None:
    with pytest.raises(UsageError) as caught:
        create(parse_spec("fixed", {"dept": "1"}), {"fixed": Fixed})
    assert "Did you mean 'depth'? Valid options: depth." in str(caught.value)
    with pytest.raises(UsageError, match="has no option 'x'"):
        create(parse_spec("reference", {"x": "1"}))


@pytest.mark.parametrize("text", ["reference/x", "reference:x", "automation/x", "automation:x"])
def test_what_built_ins_do_not_take(text: str) -> None:
    with pytest.raises(UsageError, match="takes no"):
        create(parse_spec(text))


class _Half:
    name = "half"
    needs_reference = False

    def __init__(self, spec: ProverSpec) -> None:
        pass

    def settings(self) -> dict[str, str]:
        return {}


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (lambda spec: 1 // 0, "could not be made: ZeroDivisionError"),
        (lambda: None, "could not be made: TypeError"),
        (lambda spec: None, "returned a NoneType, which is no prover: it has no 'name'"),
        (_Half, "returned a _Half, which is no prover: it has no method 'prove'"),
        ("text", "is a str, not a prover class"),
    ],
)
def test_factories_that_fail(factory: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        create(parse_spec("bad"), {"bad": factory})  # type: ignore[dict-item]
    assert message in str(caught.value)
    assert "bad" in str(caught.value)


def test_unavailable_passes_through() -> None:
    def factory(spec: ProverSpec) -> Fixed:
        raise ProverUnavailable("no key")

    with pytest.raises(ProverUnavailable, match="no key"):
        create(parse_spec("down"), {"down": factory})


MODULE = """
    from pytest_vsb.provers.reference import ReferenceProver

    class Mine(ReferenceProver):
        def __init__(self, spec):
            self.name = f"mine {spec.model_id}{spec.argument}"

    class Outer:
        Inner = Mine

    number = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vsb_flat.py").write_text(textwrap.dedent(MODULE))
    package = tmp_path / "vsb_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "mine.py").write_text(textwrap.dedent(MODULE))
    (package / "broken.py").write_text("import nothing_of_this_name\n")
    (package / "faulty.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("vsb_package.mine:Mine", "mine "),
        ("vsb_package.mine:Outer.Inner", "mine "),
        ("vsb_package.mine:Mine/large", "mine large"),
        ("vsb_package.mine:Mine:x:y", "mine x:y"),
        ("vsb_flat:Mine", "mine "),
        ("vsb_flat:Mine:x", "mine x"),
    ],
)
def test_classes_by_their_place(text: str, name: str) -> None:
    assert create(parse_spec(text)).name == name


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vsb_package.nowhere:Mine", "No module named 'vsb_package.nowhere'"),
        ("vsb_package.broken:Mine", "No module named 'nothing_of_this_name'"),
        ("vsb_package.faulty:Mine", "prover 'vsb_package.faulty:Mine': ZeroDivisionError: "),
        ("vsb_package.mine:Mien", "has no 'Mien'\n  hint: Did you mean 'Mine'?"),
        ("vsb_package.mine:number", "is an int, not a prover class"),
        ("vsb_flat_:Mine", "unknown prover 'vsb_flat_'"),
    ],
)
def test_classes_that_are_not_there(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        create(parse_spec(text))
    assert message in str(caught.value)


def _install(folder: Path, distribution: str, points: str) -> None:
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pytest_vsb.provers]\n{points}\n")


@pytest.mark.usefixtures("module")
def test_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(
        tmp_path, "vsb_extra", "installed = vsb_package.mine:Mine\nbroken = vsb_package.broken:Mine"
    )
    assert {"installed", "broken"} <= set(available())
    assert create(parse_spec("installed/x")).name == "mine x"
    with pytest.raises(UsageError, match="'broken' cannot be loaded from"):
        create(parse_spec("broken"))
    # The same package seen through two folders is one package.
    _install(tmp_path / "again", "vsb_extra", "installed = vsb_package.mine:Mine")
    monkeypatch.syspath_prepend(str(tmp_path / "again"))
    assert create(parse_spec("installed")).name == "mine "
    _install(tmp_path / "other", "vsb_rival", "installed = vsb_flat:Mine")
    monkeypatch.syspath_prepend(str(tmp_path / "other"))
    with pytest.raises(UsageError, match="two provers are called 'installed'"):
        create(parse_spec("reference"))


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, pytest_vsb.provers.registry as r; r.available(); "
        "print([m for m in ('automation', 'replay', 'reference') "
        "if 'pytest_vsb.provers.' + m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
