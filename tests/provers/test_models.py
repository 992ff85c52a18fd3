from __future__ import annotations

import datetime
import re
import textwrap
from pathlib import Path

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.models import ModelInfo, Rates, load_models, resolve

NONE: dict[str, str] = {}

OWN = """
[[model]]
provider = "openai"
id = "gpt-mine"
aliases = ["gpt"]
context_window = 40_960
max_output = 8192
input = 1
output = 2.5
date = 2026-12-24
source = "a contract"

[[model]]
provider = "openai-compatible"
id = "Goedel-LM/Goedel-Prover-V2-32B"
context_window = 40_960
"""


@pytest.mark.parametrize(
    ("provider", "alias"), [("anthropic", "claude"), ("openai", "gpt"), ("gemini", "gemini")]
)
def test_short_names(provider: str, alias: str) -> None:
    info = load_models(environment=NONE).resolve(provider, alias)
    assert info.alias == alias
    assert info.id != alias
    assert info.id.startswith(alias)
    assert info.price is not None
    assert info == resolve(provider, info.id) or info.alias


def test_table_is_complete_and_plausible() -> None:
    table = load_models(environment=NONE)
    for (provider, id), info in table.models.items():
        assert (info.provider, info.id) == (provider, id)
        assert info.context_window is not None
        assert info.max_output is not None
        assert info.max_output < info.context_window
        price = info.price
        assert price is not None
        assert price.date <= datetime.date.today()
        assert price.source.startswith("https://")
        for rates in filter(None, (price.rates, price.long)):
            assert 0 < rates.input < rates.output
            # Reading a cache saves, writing one costs.
            assert rates.cached_input is not None
            assert rates.cached_input < rates.input
            for write in (rates.cache_write, rates.long_cache_write):
                assert write is None or write > rates.input
        if price.long is not None:
            assert price.long.above < info.context_window
            assert price.long.input > price.rates.input
    for (provider, _), id in table.aliases.items():
        assert (provider, id) in table.models


def test_same_name_at_another_provider() -> None:
    table = load_models(environment=NONE)
    assert table.resolve("openai-compatible", "claude") == ModelInfo("openai-compatible", "claude")


def test_cost() -> None:
    table = load_models(environment=NONE)
    opus = table.resolve("anthropic", "claude-opus-5-5")
    assert opus.price is not None
    assert opus.price.rates == Rates(4.0, 20.0, 0.2, 5.0, 8.0)
    cost = opus.cost(
        input_tokens=1_000_000,
        output_tokens=100_000,
        cached_tokens=500_000,
        cache_write_tokens=200_000,
        long_cache_write_tokens=100_000,
    )
    assert cost == pytest.approx(0.2 * 4 + 0.1 * 20 + 0.5 * 0.2 + 0.2 * 5 + 0.1 * 8)
    assert opus.cost(input_tokens=0, output_tokens=0) == 0.0


def test_long_requests_cost_more_for_all_their_tokens() -> None:
    sol = load_models(environment=NONE).resolve("openai", "gpt-6.2-sol")
    assert sol.cost(input_tokens=272_000, output_tokens=1000) == pytest.approx(0.544 + 0.01)
    assert sol.cost(input_tokens=272_001, output_tokens=1000) == pytest.approx(1.088004 + 0.015)


def test_tokens_without_a_rate_of_their_own_cost_what_input_does() -> None:
    neon = load_models(environment=NONE).resolve("gemini", "gemini-4-neon")
    cost = neon.cost(input_tokens=1_000_000, output_tokens=0, cache_write_tokens=400_000)
    assert cost == pytest.approx(3.0)


def test_unknown_model() -> None:
    info = load_models(environment=NONE).resolve("openai", " gpt-99 ")
    assert info == ModelInfo("openai", "gpt-99")
    assert info.cost(input_tokens=5, output_tokens=5) is None


@pytest.mark.parametrize("suffix", ["-2026-11-17", "-20261117"])
def test_dated_snapshot(suffix: str) -> None:
    table = load_models(environment=NONE)
    info = table.resolve("openai", f"gpt-6.2-sol{suffix}")
    assert info.id == f"gpt-6.2-sol{suffix}"
    assert info.price == table.resolve("openai", "gpt-6.2-sol").price
    assert table.resolve("openai", "gpt-6.2-sol-mini").price is None


@pytest.mark.parametrize("name", ["", "  "])
def test_no_model(name: str) -> None:
    with pytest.raises(UsageError, match=r"claude-opus-5-5"):
        load_models(environment=NONE).resolve("anthropic", name)
    with pytest.raises(UsageError, match="NAME/MODEL-ID"):
        load_models(environment=NONE).resolve("other", name)


@pytest.mark.parametrize("by_option", [True, False])
def test_own_table(tmp_path: Path, by_option: bool) -> None:
    path = tmp_path / "models.toml"
    path.write_text("\ufeff" + OWN, encoding="utf-8")
    other = {"VSB_MODELS": str(tmp_path / "missing.toml")}
    table = (
        load_models(path, other)
        if by_option
        else load_models(environment={"VSB_MODELS": str(path)})
    )
    info = table.resolve("openai", "gpt")
    assert (info.id, info.context_window) == ("gpt-mine", 40_960)
    assert info.cost(input_tokens=1_000_000, output_tokens=1_000_000) == pytest.approx(3.5)
    goedel = table.resolve("openai-compatible", "Goedel-LM/Goedel-Prover-V2-32B")
    assert (goedel.context_window, goedel.price) == (40_960, None)
    assert table.resolve("anthropic", "claude").id == "claude-opus-5-5"


def test_example_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "rate-limits.md"
    text = page.read_text(encoding="utf-8")
    (example,) = re.findall(r"# my-models\.toml\n((?:    .*\n)+)", text)
    path = tmp_path / "my-models.toml"
    path.write_text(textwrap.dedent(example), encoding="utf-8")
    info = load_models(path, NONE).resolve("goedel", "goedel-32b")
    assert info.id == "Goedel-LM/Goedel-Prover-V2-32B"
    assert info.cost(input_tokens=10**6, output_tokens=10**6) == pytest.approx(1.2)


ENTRY = 'provider = "p"\nid = "m"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[model]\n", "not TOML"),
        ("[models]\n", "only entries"),
        ("model = 3\n", "only entries"),
        ("model = [3]\n", "wrong value"),
        ('[[model]]\nid = "m"\n', "provider"),
        ('[[model]]\nprovider = "p"\nid = ""\n', "provider and an id"),
        (f"[[model]]\n{ENTRY}contxt_window = 5\n", "Did you mean 'context_window'"),
        (f'[[model]]\n{ENTRY}context_window = "5"\n', "context_window"),
        (f"[[model]]\n{ENTRY}max_output = 0\n", "max_output must be at least 1"),
        (f"[[model]]\n{ENTRY}input = 1.0\n", "needs output"),
        (f"[[model]]\n{ENTRY}cached_input = 1.0\n", "needs input"),
        (f"[[model]]\n{ENTRY}input = 1.0\noutput = 2.0\n", "date"),
        (f"[[model]]\n{ENTRY}input = -1.0\noutput = 2.0\ndate = 2026-01-01\n", "not -1.0"),
        (f"[[model]]\n{ENTRY}input = nan\noutput = 2.0\ndate = 2026-01-01\n", "not nan"),
        (f"[[model]]\n{ENTRY}long = {{ above = 1, input = 1.0, output = 1.0 }}\n", "others"),
        (
            f"[[model]]\n{ENTRY}input = 1\noutput = 2\ndate = 2026-01-01\n"
            "long = { above = 0, input = 1.0, output = 1.0 }\n",
            "above",
        ),
        (f"[[model]]\n{ENTRY}[[model]]\n{ENTRY}", "two models 'm'"),
        (
            f'[[model]]\n{ENTRY}aliases = ["a"]\n[[model]]\nprovider = "p"\nid = "n"\n'
            'aliases = ["a"]\n',
            "two models of p are called 'a'",
        ),
    ],
)
def test_table_that_cannot_be_understood(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_models(path, NONE)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_table_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file") as caught:
        load_models(environment={"VSB_MODELS": str(tmp_path / "none.toml")})
    assert caught.value.where == "VSB_MODELS"
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot read") as caught:
        load_models(tmp_path / "bytes.toml", NONE)
    assert caught.value.where == "--vsb-model-option models"
