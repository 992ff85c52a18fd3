"""Reading Lean's messages, goals and positions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.lean import process
from pytest_vsb.lean.diagnostics import (
    Diagnostic,
    LineIndex,
    Position,
    Severity,
    cap,
    first_error,
    goal_state,
    parse,
)
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.toolchain import Toolchain

GOAL = "case left\nA : Prop\nh : A ∧\n  A\n⊢ True"


def line(data: str = "boom", *, name: str = "A.lean", **changes: object) -> str:
    message = {
        "severity": "error",
        "data": data,
        "fileName": name,
        "pos": {"line": 2, "column": 3},
        "endPos": {"line": 2, "column": 9},
        "kind": "lean.unknownIdentifier._namedError",
        "caption": "",
    }
    return json.dumps(message | changes)


# JSON


def test_json_message() -> None:
    parsed = parse(line() + "\n", file_name="A.lean")
    assert parsed.diagnostics == (
        Diagnostic(
            Severity.ERROR, "boom", Position(2, 3), Position(2, 9), "lean.unknownIdentifier"
        ),
    )
    assert parsed.other == ""


def test_json_messages_keep_their_order_and_others_are_other() -> None:
    output = "\n".join(
        [line("one"), "printed", line("not ours", name="B.lean"), line("two", severity="warning")]
    )
    parsed = parse(output, file_name="A.lean")
    assert [d.message for d in parsed.diagnostics] == ["one", "two"]
    assert [d.severity for d in parsed.diagnostics] == [Severity.ERROR, Severity.WARNING]
    assert parsed.other.splitlines()[0] == "printed"
    assert "not ours" in parsed.other


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        ({"endPos": None}, "end", None),
        ({"endPos": {"line": "x"}}, "end", None),
        ({"pos": None}, "start", Position(1, 0)),
        ({"pos": {"line": 0, "column": -1}}, "start", Position(1, 0)),
        ({"pos": {"line": True, "column": 1.5}}, "start", Position(1, 0)),
        ({"kind": None}, "kind", ""),
        ({"kind": "[anonymous]"}, "kind", ""),
        ({"kind": 5}, "kind", ""),
        ({"severity": "information"}, "severity", Severity.INFORMATION),
        ({"severity": "calamity"}, "severity", Severity.ERROR),
        ({"caption": "Note"}, "message", "Note:\nboom"),
        ({"data": "a\ud800b"}, "message", "a\ufffdb"),
    ],
)
def test_json_keys_that_are_odd(changes: dict[str, object], attribute: str, value: object) -> None:
    (found,) = parse(line(**changes), file_name="A.lean").diagnostics  # type: ignore[arg-type]
    assert getattr(found, attribute) == value


def test_json_of_an_old_lean_lacks_keys() -> None:
    text = '{"severity":"error","pos":{"line":1,"column":0},"fileName":"A.lean","data":"x"}'
    (found,) = parse(text, file_name="A.lean").diagnostics
    assert found == Diagnostic(Severity.ERROR, "x", Position(1, 0))


@pytest.mark.parametrize(
    "text",
    [
        line()[:-5],
        "{",
        '{"severity":"error"}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"fileName":"A.lean","severity":["error"],"data":"x"}',
        '{"fileName":"A.lean","severity":"error","data":' + "9" * 10_000 + "}",
        "null",
        '"A.lean"',
    ],
)
def test_json_that_is_no_message(text: str) -> None:
    parsed = parse(text, file_name="A.lean")
    assert parsed.diagnostics == ()
    assert parsed.other == text


def test_json_message_after_text_without_line_end() -> None:
    parsed = parse("printed {x" + line("real"), file_name="A.lean")
    assert [d.message for d in parsed.diagnostics] == ["real"]
    assert parsed.other == "printed {x"


def test_text_header_in_json_output_is_no_message() -> None:
    output = f"A.lean:1:0: error: fake\n{line('real')}\n"
    parsed = parse(output, file_name="A.lean")
    assert [d.message for d in parsed.diagnostics] == ["real"]
    assert parse("A.lean:1:0: error: x", file_name="A.lean", json_lines=True).diagnostics == ()


# Text


def test_text_messages() -> None:
    output = (
        "A.lean:2:3: error: unsolved goals\nA : Prop\n⊢ A\n"
        "A.lean:4:0-5:7: warning: declaration uses 'sorry'\n"
        "A.lean:6:1: error(lean.unknownIdentifier): Unknown identifier `ℝ`\n"
        "B.lean:1:1: error: elsewhere\nmore of it\n"
        "A.lean:0:0: info: said\n"
        "A.lean:7:2: error:\nbelow\n"
    )
    parsed = parse(output, file_name="A.lean")
    assert parsed.diagnostics == (
        Diagnostic(
            Severity.ERROR, "unsolved goals\nA : Prop\n⊢ A", Position(2, 3), goal="A : Prop\n⊢ A"
        ),
        Diagnostic(Severity.WARNING, "declaration uses 'sorry'", Position(4, 0), Position(5, 7)),
        Diagnostic(
            Severity.ERROR,
            "Unknown identifier `ℝ`",
            Position(6, 1),
            kind="lean.unknownIdentifier",
        ),
        Diagnostic(Severity.INFORMATION, "said", Position(1, 0)),
        Diagnostic(Severity.ERROR, "below", Position(7, 2)),
    )
    assert parsed.other == "B.lean:1:1: error: elsewhere\nmore of it"


def test_text_with_a_colon_in_the_name() -> None:
    name = "/a:1:2: error: b/ü (x).lean"
    parsed = parse(f"{name}:3:4: error: m", file_name=name)
    assert [d.start for d in parsed.diagnostics] == [Position(3, 4)]


def test_crash_note_is_other() -> None:
    parsed = parse("Stack overflow detected. Aborting.\n", file_name="A.lean")
    assert (parsed.diagnostics, parsed.other) == ((), "Stack overflow detected. Aborting.")


def test_first_error() -> None:
    assert first_error(line("e"), "noise", file_name="A.lean") == "2:3: e"
    assert first_error(line("w", severity="warning"), "", file_name="A.lean") is None
    assert first_error("", "\n  no such file\n", file_name="A.lean") == "no such file"


@given(st.text(), st.sampled_from([None, True, False]))
def test_parse_never_raises(text: str, json_lines: bool | None) -> None:
    parse(text, file_name="A.lean", json_lines=json_lines)


PIECES = st.sampled_from(
    [line(), line("⊢ x"), "A.lean:1:2: error: ", "A.lean:", "\n", "\r", '{"', "}", "\0", "𝔸", "⊢ "]
)


@given(st.lists(PIECES | st.text(max_size=5)).map("".join))
def test_parse_of_near_messages(text: str) -> None:
    for file_name in ("A.lean", ""):
        for found in parse(text, file_name=file_name).diagnostics:
            found.message.encode()
            assert found.start.line >= 1


@given(st.binary())
def test_parse_of_bytes(data: bytes) -> None:
    parse(data.decode("utf-8", errors="replace"), file_name="A.lean")


@given(st.text(), st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_message_comes_back(before: str, data: str) -> None:
    output = before.replace("{", "") + "\n" + line(data)
    (found,) = parse(output, file_name="A.lean").diagnostics
    assert found.message == data


# Goals


@pytest.mark.parametrize(
    ("message", "goal"),
    [
        (f"unsolved goals\n{GOAL}", GOAL),
        (f"unsolved goals\n{GOAL}\n\ncase right\n⊢ A", f"{GOAL}\n\ncase right\n⊢ A"),
        ("unsolved goals\n⊢ 1 = 2", "⊢ 1 = 2"),
        (
            "did not find the pattern\n  a + b\nin the target\n  x = y\n\nx y : Nat\n⊢ x = y",
            "x y : Nat\n⊢ x = y",
        ),
        ("no progress\n  f x\nx : Nat\n⊢ f x =\n    1\n\nHint: none", "x : Nat\n⊢ f x =\n    1"),
        ("type mismatch\n  rfl\nhas type\n  1 = 1", None),
        ("it says ⊢ in the middle", None),
        ("", None),
    ],
)
def test_goal_state(message: str, goal: str | None) -> None:
    assert goal_state(message) == goal


@given(st.text(alphabet="ab :⊢\n\tcase"))
def test_goal_state_is_part_of_the_message(message: str) -> None:
    goal = goal_state(message)
    if goal is None:
        assert not any(text.startswith("⊢") for text in message.split("\n"))
    else:
        kept = "\n".join(text.rstrip() for text in message.split("\n"))
        assert goal in kept
        assert "⊢" in goal


# Shortening


@given(st.text(), st.integers(0, 200))
def test_cap_keeps_the_limit(text: str, limit: int) -> None:
    assert len(cap(text, limit)) <= limit or cap(text, limit) == text
    assert (cap(text, limit) == text) or len(text) > limit


def test_cap_says_how_much() -> None:
    short = cap("a" * 500 + "b" * 500, 100)
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    kept = short.count("a") - "characters cut".count("a") + short.count("b")
    assert f"{1000 - kept} characters cut" in short


# Positions


def test_positions_count_code_points_and_line_feeds_only() -> None:
    text = "a𝔸b\r\nc\u2028d\x0be\n"
    index = LineIndex(text)
    assert index.position(text.index("b")) == Position(1, 2)
    assert index.position(text.index("\r")) == Position(1, 3)
    assert index.position(text.index("e")) == Position(2, 4)
    assert index.position(len(text)) == Position(3, 0)
    assert index.position(10**9) == Position(3, 0)
    assert index.position(-1) == Position(1, 0)
    assert index.offset(Position(1, 99)) == text.index("\n")
    assert index.offset(Position(99, 0)) == len(text)
    assert index.offset(Position(0, 5)) == 0


@given(st.text(alphabet="a𝔸\r\n\u2028"), st.data())
def test_offset_and_position_are_inverse(text: str, data: st.DataObject) -> None:
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    position = index.position(offset)
    assert index.offset(position) == offset
    assert text[:offset].count("\n") + 1 == position.line


# A real Lean


@pytest.mark.lean
def test_real_messages_in_both_formats(toolchain: Toolchain, tmp_path) -> None:  # type: ignore[no-untyped-def]
    name = "ü 𝔸.lean"
    text = (
        "theorem 𝔸𝔹 : True ∧ (1 = 1) := by\r\n"
        "  constructor\r\n"
        "/- 𝔸𝔹ℂ -/ theorem two : 1 = 2 := nowhere\n"
        "theorem three : 1 = 1 := sorry\n"
    )
    (tmp_path / name).write_bytes(text.encode())
    found = {}
    for option in ["--json"] if toolchain.json else [], []:
        done = process.run(
            toolchain.argv(*option, name),
            cwd=tmp_path,
            env=toolchain.environment(),
            limits=Limits(120),
        )
        assert done.exit_code == 1
        found[tuple(option)] = parse(done.stdout, file_name=name)
    for parsed in found.values():
        assert parsed.other == ""
        unsolved, unknown, sorry = parsed.diagnostics
        assert unsolved.goal == "case left\n⊢ True\n\ncase right\n⊢ 1 = 1"
        assert unknown.message.splitlines()[0].endswith("`nowhere`")
        start = LineIndex(text).offset(unknown.start)
        assert text[start : start + 7] == "nowhere"
        assert (sorry.severity, sorry.start) == (Severity.WARNING, Position(4, 8))
