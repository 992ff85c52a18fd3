"""Tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.source import Token, tokens


def significant(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in tokens(text) if t.kind != "space"]


@given(st.text(alphabet=st.sampled_from("ab'\"\\{}!/- \n«»r#`.:=|(⟨⟩)0x1λαℝ₁")))
def test_tokens_tile_any_text(text: str) -> None:
    found = list(tokens(text))
    assert "".join(t.text for t in found) == text
    assert all(t.span.of(text) == t.text for t in found)
    assert all(t.closed for t in found[:-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x'.y'' «a b».c₁!", [("ident", "x'.y''"), ("ident", "«a b».c₁!")]),
        ("λx", [("symbol", "λ"), ("ident", "x")]),
        ("ℝ αβ 𝔽ₚ x²", [("ident", w) for w in ("ℝ", "αβ", "𝔽ₚ", "x")] + [("symbol", "²")]),
        ("theorem x.theorem", [("keyword", "theorem"), ("ident", "x.theorem")]),
        (
            "(x).end",
            [
                *[("symbol", "("), ("ident", "x"), ("symbol", ")")],
                ("symbol", "."),
                ("ident", "end"),
            ],
        ),
        ("`end ``a.b", [("ident", "`end"), ("ident", "``a.b")]),
        (
            "f 'a' '\\'' '\"' '\\u{1F}'",
            [("ident", "f"), *[("char", c) for c in ("'a'", "'\\''", "'\"'", "'\\u{1F}'")]],
        ),
        ("a' b'", [("ident", "a'"), ("ident", "b'")]),
        ('"a\\"b"c', [("string", '"a\\"b"'), ("ident", "c")]),
        (
            's!"a {f "b {" ++ "}"} {s!"{x}"} c" d',
            [("string", 's!"a {f "b {" ++ "}"} {s!"{x}"} c"'), ("ident", "d")],
        ),
        ('s!"\\{" d', [("string", 's!"\\{"'), ("ident", "d")]),
        ('panic!"{" d', [("string", 'panic!"{"'), ("ident", "d")]),
        ('r"\\" r#"a"b"# r', [("string", 'r"\\"'), ("string", 'r#"a"b"#'), ("ident", "r")]),
        ("/- a /- b -/ c -/ d", [("comment", "/- a /- b -/ c -/"), ("ident", "d")]),
        ("/-- a /- b -/ -/ /-! m -/", [("doc", "/-- a /- b -/ -/"), ("doc", "/-! m -/")]),
        ("/--/ a -/ b", [("doc", "/--/ a -/"), ("ident", "b")]),
        ("a -- /- b\nc", [("ident", "a"), ("comment", "-- /- b"), ("ident", "c")]),
        (
            "a := b =>c<|>d",
            [
                ("ident", "a"),
                ("symbol", ":="),
                ("ident", "b"),
                ("symbol", "=>"),
                ("ident", "c"),
                ("symbol", "<|>"),
                ("ident", "d"),
            ],
        ),
        (
            "0x1F 1.5e3 x.1",
            [
                ("number", "0x1F"),
                ("number", "1.5e3"),
                ("ident", "x"),
                ("symbol", "."),
                ("number", "1"),
            ],
        ),
        (
            "{x : Int //-1 = x} -- y",
            [
                *[("symbol", "{"), ("ident", "x"), ("symbol", ":"), ("ident", "Int")],
                *[("symbol", "//"), ("symbol", "-"), ("number", "1"), ("symbol", "=")],
                *[("ident", "x"), ("symbol", "}"), ("comment", "-- y")],
            ],
        ),
        ("///- a -/", [("symbol", "//"), ("comment", "/- a -/")]),
        ("'\n' '\r\n'", [("char", "'\n'"), ("char", "'\r\n'")]),
        ("∑ ⟨a⟩", [("symbol", "∑"), ("symbol", "⟨"), ("ident", "a"), ("symbol", "⟩")]),
    ],
)
def test_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    assert significant(text) == expected


@pytest.mark.parametrize("text", ["/- a /- b -/", '"a', 'r#"a"', '"\\"', 's!"{', "/-- a"])
def test_what_is_left_open(text: str) -> None:
    last: Token = list(tokens(f"x {text}"))[-1]
    assert not last.closed
    assert last.text == text
