"""Names of contexts, token counts, and the words that names are made of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.context.kinds import DEFAULT_CONTEXT, ContextKind, check_needs, parse_context
from pytest_vsb.context.tokens import estimate_tokens, token_counter
from pytest_vsb.context.words import name_words, text_words
from pytest_vsb.errors import UsageError

NAMES = ["curated", "full", "full-limited", "same-file", "retrieved:1", "retrieved:500"]


@pytest.mark.parametrize("name", NAMES)
def test_a_kind_is_what_it_is_written_as(name: str) -> None:
    assert str(parse_context(f" {name} ")) == name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("curted", "Did you mean curated?"),
        ("retrieved", "retrieved:50"),
        ("retrieved:0", "retrieved:50"),
        ("retrieved:-3", "retrieved:50"),
        ("retrieved:9999999", "retrieved:50"),
        ("full:3", "Valid values"),
        ("", "Valid values"),
    ],
)
def test_what_is_no_kind(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match="there is no context") as error:
        parse_context(name)
    assert hint in str(error.value)


def test_a_kind_that_is_cut_needs_a_budget() -> None:
    kind = parse_context("full-limited")
    with pytest.raises(UsageError, match="needs to know how many tokens"):
        check_needs(kind, None)
    check_needs(kind, 100)
    check_needs(DEFAULT_CONTEXT, None)


def test_only_two_kinds_show_what_the_proof_uses() -> None:
    shown = {name for name in NAMES if parse_context(name).shows_dependencies}
    assert shown == {"curated", "full-limited"}
    assert not ContextKind("retrieved", 3).shows_dependencies


def test_counters_say_how_they_count() -> None:
    counter = token_counter()
    assert counter.method == "estimate"
    assert counter.count("theorem foo : 1 = 1") == estimate_tokens(["theorem foo : 1 = 1"]) > 0


def test_an_encoding_that_tiktoken_does_not_have() -> None:
    with pytest.raises(UsageError, match="no encoding 'klingon'") as error:
        token_counter("klingon")
    assert "estimate" in str(error.value)
    assert "o200k_base" in str(error.value)


def test_an_encoding_of_tiktoken(tmp_path: Path) -> None:
    # The usual encodings come from the network; tiktoken takes others from its plugins.
    package = tmp_path / "tiktoken_ext"
    package.mkdir()
    (package / "vsb_bytes.py").write_text(
        "def vsb_bytes():\n"
        "    ranks = {bytes([i]): i for i in range(256)}\n"
        "    ranks[b'ab'] = 256\n"
        "    return {'name': 'vsb_bytes', 'pat_str': r'\\S+|\\s+', 'mergeable_ranks': ranks,\n"
        "            'special_tokens': {'<|end|>': 257}}\n"
        "ENCODING_CONSTRUCTORS = {'vsb_bytes': vsb_bytes}\n"
    )
    script = (
        "from pytest_vsb.context.tokens import token_counter\n"
        "counter = token_counter('vsb_bytes')\n"
        "texts = ('', 'abab', 'a b', '\u03b1', '<|end|>')\n"
        "print(counter.method, *map(counter.count, texts))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )
    assert done.stdout.split() == ["tiktoken/vsb_bytes", "0", "2", "3", "2", "7"]


@given(st.lists(st.text(max_size=40), max_size=6))
def test_estimates_add_up(texts: list[str]) -> None:
    counter = token_counter()
    assert estimate_tokens(texts) == sum(map(counter.count, texts))
    assert all((counter.count(text) > 0) == bool(text) for text in texts)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nat.getBit_repr", ["nat", "get", "bit", "repr", "getbit_repr"]),
        ("List.foldrM", ["list", "foldr", "m", "foldrm"]),
        ("«a b».c", ["a", "b", "c"]),
        ("IsHTTPServer2", ["is", "http", "server", "2", "ishttpserver2"]),
        ("h₁", ["h"]),
        ("SubTypeλ", ["sub", "type", "λ", "subtypeλ"]),
        ("foo", ["foo"]),
        ("", []),
    ],
)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert list(name_words(name)) == words


def test_words_of_a_text() -> None:
    text = "theorem t (h : ∀ x ∈ s, x ≤ getBit x) : ∑ i, f i = 0 -- a comment"
    words = list(text_words(text))
    assert {"∀", "∈", "≤", "∑", "get", "bit", "getbit"} <= set(words)
    assert not {"(", ")", ":", ",", "comment", "theorem"} & set(words)


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    for word in (*text_words(text), *name_words(text)):
        assert word
        assert not word.isspace()
