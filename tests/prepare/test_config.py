"""What a preparation is asked for: the TOML file, patterns, ids and categories."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.errors import UsageError
from pytest_vsb.prepare.config import PrepareConfig, read_config
from pytest_vsb.prepare.naming import Categories, folder, ids, short_id
from pytest_vsb.prepare.patterns import Pattern
from pytest_vsb.tasks import checks


def config_of(tmp_path: Path, text: str) -> PrepareConfig:
    path = tmp_path / "asked.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_all_keys(tmp_path: Path) -> None:
    found = config_of(
        tmp_path,
        """\
suite = "mine"
repository = "owner/name"
root = "../name"
count = 50
seed = 7
include = ["Lib.*"]
exclude = ["Lib.Test.*", "Lib.bad"]
automation = false
definitions = false
min_proof_lines = 2
max_proof_lines = 40
dependencies = "text"

[categories]
"Lib.Sem*" = "Semantics"
"*" = "Rest"

[subsets]
core = ["Lib.Core"]
""",
    )
    assert found == PrepareConfig(
        suite="mine",
        repository="owner/name",
        root="../name",
        count=50,
        seed=7,
        include=("Lib.*",),
        exclude=("Lib.Test.*", "Lib.bad"),
        categories=(("Lib.Sem*", "Semantics"), ("*", "Rest")),
        subsets=(("core", ("Lib.Core",)),),
        automation=False,
        definitions=False,
        min_proof_lines=2,
        max_proof_lines=40,
        dependencies="text",
    )


def test_nothing_is_needed(tmp_path: Path) -> None:
    assert config_of(tmp_path, "") == PrepareConfig()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "seed = 1\ncuont = 3\n",
            "asked.toml:2: `cuont`: no such key\n  hint: did you mean `count",
        ),
        ("count = 0", "asked.toml:1: `count`: 0 is not a whole number of at least 1"),
        ("count = true", "`count`: True is not a whole number"),
        ("count = 1.5", "`count`: a whole number is expected, not 1.5"),
        ("seed = -1", "`seed`: -1 is not a whole number of at least 0"),
        ("automation = 1", "`automation`: true or false is expected, not 1"),
        ("\n\ninclude = 'A'", "asked.toml:3: `include`: a list of names is expected"),
        ("exclude = ['']", "`exclude`: a list of names"),
        ("suite = ''", "`suite`: `suite` is empty"),
        ("suite = 3", "`suite`: a text is expected, not 3"),
        ("root = '/abs'", "`root`: `root` is an absolute path"),
        ("repository = '../up'", "`repository`: `repository` leads out"),
        ("categories = 'A'", "`categories`: a table is expected"),
        ("[categories]\n'A.*' = 3", "asked.toml:2: `A.*`: a text is expected, not 3"),
        ("[categories]\nA = ''", "asked.toml:2: `A`: `categories` is empty"),
        ("[subsets]\ncore = 'A'", "asked.toml:2: `core`: a list of names"),
        ("min_proof_lines = 9\nmax_proof_lines = 3", "asked.toml:2: `max_proof_lines`: 3 is below"),
        ("dependencies = 'guess'", "`dependencies`: 'guess' is none of auto, text"),
        ("count = \n", "is not TOML: "),
        ("count = 1\ncount = 2\n", "is not TOML: "),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        config_of(tmp_path, text)
    assert said in str(error.value)
    assert "asked.toml" in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'suite = "\xe9"')
    with pytest.raises(UsageError, match="is not UTF-8"):
        read_config(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("Lib.push", "Lib.push", True),
        ("Lib.push", "Lib.push_all", False),
        ("Lib.*", "Lib.Deep.push", True),
        ("*_aux", "Lib.push_aux", True),
        ("Lib.*.push", "Lib.push", False),
        ("pop?", "pop?", True),
        ("pop?", "pops", False),
        ("a.b", "aXb", False),
        ("a-b", "«a-b»", True),
        ("«a b»*", "a bc", True),
    ],
)
def test_patterns(pattern: str, name: str, fits: bool) -> None:
    assert Pattern(pattern).matches(["other", name]) is fits


@pytest.mark.parametrize(
    ("module", "name", "wanted"),
    [
        ("Demo.Queue", "Demo.Queue.push", "Queue.push"),
        ("Demo.Queue", "Demo.push", "Queue.push"),
        ("Demo.Queue", "Demo.Queue", "Queue.Queue"),
        ("Demo.Queue", "Queues.push", "Queue.Queues.push"),
        ("Demo.Queue", "push", "Queue.push"),
        ("Demo.Queue", "Demo", "Queue.Demo"),
        ("Demo", "Demo.push", "push"),
        ("Demo", "push", "push"),
        ("Demo.A.B", "Demo.A.B.c", "A.B.c"),
        ("Demo.A.B", "Demo.A.c", "A.B.A.c"),
        ("Demo.«a-b»", "Demo.«a-b».«c d»", "a-b.c_d"),
        ("Demo.Q", "Demo.Q.«x::y»", "Q.x__y"),
    ],
)
def test_ids(module: str, name: str, wanted: str) -> None:
    assert short_id(module, name) == wanted
    assert ids([(module, name)]) == {(module, name): wanted}


def test_ids_that_others_would_share() -> None:
    places = [("A.B", "A.C.d"), ("A.B.C", "A.d"), ("A.X", "A.«p q»"), ("A.X", "A.p_q"), ("A", "e")]
    found = ids(places)
    assert found["A.B", "A.C.d"] == "A.B/A.C.d"
    assert found["A.B.C", "A.d"] == "A.B.C/A.d"
    assert found["A.X", "A.p_q"].startswith("A.X/A.p_q~")
    assert found["A", "e"] == "e"
    assert len(set(found.values())) == len(places)
    assert ids(reversed(places)) == found


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), unique=True, max_size=6))
def test_ids_of_any_text_are_unique_and_usable(places: list[tuple[str, str]]) -> None:
    found = ids(places)
    assert len(set(found.values())) == len(places)
    for name in found.values():
        if name:
            checks.task_id("id", name)


def test_categories() -> None:
    config = PrepareConfig(categories=(("*.mirror*", "Mirrors"), ("Lib.Tree", "Trees")))
    categories = Categories(config)
    assert categories.of(("Lib.mirror_mirror", "Lib.Tree", "x"), "Lib.Tree") == "Mirrors"
    assert categories.of(("Lib.size", "Lib.Tree", "x"), "Lib.Tree") == "Trees"
    assert categories.of(("Lib.size", "Lib.Data.List.Basic", "x"), "Lib.Data.List.Basic") == (
        "Lib.Data"
    )
    assert [folder(name) for name in ("Lib", "Lib.A", "Lib.«a b».C")] == ["Lib", "Lib", "Lib.a b"]
