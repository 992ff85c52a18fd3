from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import HOSTILE, any_text

from pytest_vsb.report.text import clean, fit, one_line, width, wrap

# Every character that XML 1.0 allows.
XML_CHARACTERS = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
limits = st.integers(0, 400)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("", ""),
        ("plain\ttext\n", "plain\ttext\n"),
        ("ℝ → 𝔸 ⊢ «a b» é 🙂", "ℝ → 𝔸 ⊢ «a b» é 🙂"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("a\x00b\x07c\x7fd", "a␀b␇c␡d"),
        ("one\r\ntwo\rthree\r\r\n", "one\ntwo␍three␍\n"),
        ("\x9b2J\x85", "\\x9b2J\\x85"),
        ("\ud800x\udfff", "\\ud800x\\udfff"),
        ("\ufffe\uffff\ufffd", "\\ufffe\\uffff\ufffd"),
        ("a\u202eb\u2066c\u200fd", "a\\u202eb\\u2066c\\u200fd"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("a ]]> b & <c>", "a ]]> b & <c>"),
    ],
)
def test_clean_shows_what_is_hidden_and_keeps_the_rest(raw: str, cleaned: str) -> None:
    assert clean(raw, 1000) == cleaned


def test_clean_cuts_the_middle_and_says_how_much() -> None:
    text = "A" * 3_000_000 + "\x1b" + "Z" * 2_000_000
    cut = clean(text, 100)
    assert len(cut) <= 100
    match = re.fullmatch(r"(A+)\[\.\.\. (\d+) characters cut \.\.\.\](Z+)", cut)
    assert match is not None
    assert len(match[1]) + int(match[2]) + len(match[3]) == len(text)
    assert len(match[1]) > len(match[3])


def test_clean_never_cuts_a_stand_in() -> None:
    cut = clean("\ud800" * 1000, 100)
    match = re.fullmatch(r"((?:\\ud800)+)\[\.\.\. (\d+) characters cut \.\.\.\]((?:\\ud800)+)", cut)
    assert match is not None
    assert (len(match[1]) + len(match[3])) // 6 + int(match[2]) == 1000
    assert len(cut) <= 100


@pytest.mark.parametrize(
    ("limit", "cut"), [(0, ""), (1, "."), (3, "..."), (4, "a..."), (10, "abcdefg...")]
)
def test_clean_to_less_than_its_note(limit: int, cut: str) -> None:
    assert clean("abcdefghijkl", limit) == cut


def test_a_text_of_the_limit_is_whole() -> None:
    assert clean("x" * 50, 50) == "x" * 50
    assert clean("x" * 51, 50) != "x" * 51


@settings(max_examples=60, deadline=None)
@given(any_text, limits)
def test_clean_twice_is_clean_once(text: str, limit: int) -> None:
    once = clean(text, limit)
    assert len(once) <= limit
    assert clean(once, limit) == once


@settings(max_examples=60, deadline=None)
@given(any_text, limits)
def test_clean_text_survives_xml(text: str, limit: int) -> None:
    cleaned = clean(text, limit)
    assert XML_CHARACTERS.fullmatch(cleaned)
    element = ElementTree.Element("testcase", {"value": cleaned})
    element.text = cleaned
    for encoding in ("utf-8", "us-ascii"):
        parsed = ElementTree.fromstring(ElementTree.tostring(element, encoding))
        assert parsed.get("value") == cleaned
        assert (parsed.text or "") == cleaned


@settings(max_examples=60, deadline=None)
@given(any_text, limits)
def test_clean_text_is_safe_in_a_terminal_and_a_log(text: str, limit: int) -> None:
    cleaned = clean(text, limit)
    cleaned.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", cleaned)
    # No other character starts a new line.
    assert not cleaned or cleaned.splitlines() == cleaned.removesuffix("\n").split("\n")


@settings(max_examples=60, deadline=None)
@given(any_text, limits)
def test_one_line_is_one_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line.splitlines()) <= 1
    assert "  " not in line
    assert len(line) <= limit
    assert one_line(line, limit) == line


def test_one_line_joins_lines() -> None:
    assert one_line("  unsolved goals\r\n\tn : Nat\n\n⊢ 0 = n \x1f", 100) == (
        "unsolved goals n : Nat ⊢ 0 = n ␟"
    )


@settings(max_examples=60, deadline=None)
@given(any_text, st.integers(0, 60))
def test_fit_is_never_wider(text: str, columns: int) -> None:
    fitted = fit(text, columns)
    assert width(fitted) <= columns
    assert fit(fitted, columns) == fitted


@pytest.mark.parametrize(
    ("text", "columns", "fitted"),
    [
        ("short", 5, "short"),
        ("longer", 5, "lo..."),
        ("証明証明", 8, "証明証明"),
        ("証明証明証", 8, "証明..."),
        ("a証明証明", 8, "a証明..."),
        ("ℝℝℝℝ", 4, "ℝℝℝℝ"),
        ("abc", 2, ".."),
        ("abc", 0, ""),
    ],
)
def test_fit_counts_columns(text: str, columns: int, fitted: str) -> None:
    assert fit(text, columns) == fitted


@settings(max_examples=60, deadline=None)
@given(any_text, st.integers(10, 60))
def test_wrap_keeps_every_word(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert [word for line in lines for word in line.split(" ") if word] == [
        word for word in one_line(text, 10_000).split(" ") if word
    ]
    for line in lines:
        assert width(line) <= columns or " " not in line.strip()


def test_fit_looks_at_the_beginning_only() -> None:
    assert fit("a " * 3_000_000, 8) == "a a a..."
    assert fit(" " * 3_000_000 + "a", 8) == "..."


def test_wrap_indents_what_follows_and_keeps_long_words() -> None:
    path = "/a/very/long/path/that/does/not/fit"
    assert wrap(f"run directory: {path} and more", 20) == [
        "run directory:",
        f"  {path}",
        "  and more",
    ]
    assert wrap("", 20) == []


def test_hostile_text() -> None:
    assert clean(HOSTILE, 1000) == ("␛[31mred␀ ]]> <b> & \"'\nℝ \\ud800 \\x9b2J \\u202eevil")
