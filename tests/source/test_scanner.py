"""Commands, declarations and their spans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import VsbError
from pytest_vsb.source import Declaration, DeclarationNotFound, scan

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"

# Pieces that make Lean-like text: what a uniformly random string would almost never contain.
PIECES = [
    "theorem t : True := by\n  trivial\n",
    "theorem ",
    "lemma a'.b! (h : x = |y|) : p\n  | 0 => rfl\n",
    "def f : Nat → Nat\n| 0 => 1\n| n + 1 => n\n",
    "mutual\n",
    "end\n",
    "namespace A.B\n",
    "end A.B\n",
    "section\n",
    "open Nat in\n",
    "set_option a.b true in\n",
    "@[simp, to_additive (attr := x)]\n",
    "@[",
    "/-- doc -/\n",
    "/-! module -/\n",
    "/- a /- b -/ -/",
    "/-",
    "-/",
    "-- line\n",
    '"text"',
    '"',
    's!"a {f "b"} c"',
    's!"{',
    'r#"raw"#',
    "'a'",
    "'\"'",
    "'",
    "«a b».c",
    "«",
    "`(theorem x)",
    "`(",
    "(",
    ")",
    "⟨",
    "}",
    ":=",
    " where\n",
    "|",
    "=>",
    "let x := 1; ",
    "match x with | a => b",
    "\r\n",
    "\t",
    "\n",
    "  ",
    "private ",
    "deriving instance X for Y\n",
    "#eval 1\n",
    "attribute [local simp] foo\n",
    "invariant foo\n",
    "\x00",
    "\u2028",
    "\ud800",
]
lean_text = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


@given(lean_text)
@example('theorem"\r')
@example("mutual:theorem:mutual")
def test_any_text_is_tiled_by_its_commands(text: str) -> None:
    source = scan(text)
    assert "".join(c.span.of(text) for c in source.commands) == text
    for declaration in source.declarations:
        assert declaration.span.contains(declaration.statement)
        assert declaration.statement.contains(declaration.keyword)
        if declaration.body is not None:
            assert declaration.statement.end <= declaration.body.start
            assert declaration.body.end == declaration.span.end
        if declaration.mutual is not None:
            assert declaration.mutual.contains(declaration.span)


@given(lean_text)
def test_a_following_declaration_is_found_unless_the_text_is_left_open(text: str) -> None:
    source = scan(text + "\n\n/- - -/\ntheorem last : True := trivial")
    last = source.commands[-1]
    if last.declaration is not None and last.declaration.name == "last":
        assert last.declaration.statement.of(source.text) == "theorem last : True"


def only(text: str) -> Declaration:
    """The single declaration of a text."""
    declarations = scan(text).declarations
    assert len(declarations) == 1, [d.name for d in declarations]
    return declarations[0]


STATEMENTS = [
    ("theorem foo : let x := 1; x = 1", ":= by simp"),
    ("theorem foo :\n  let x := 1\n  x = 1", ":= rfl"),
    ("theorem foo : let f | 0 => 1 | n + 1 => n; f 0 = 1", ":= rfl"),
    ("theorem foo : let ⟨a, b⟩ := p; let c : Nat := a; c = b", ":= rfl"),
    ("theorem foo : have y := 1; y = 1", ":= rfl"),
    ("theorem foo : haveI := inst; p", ":= rfl"),
    ("theorem foo (h : x = match y with | 0 => 1 | _ => 2) : p", ":= h"),
    ("theorem foo : (match x with | .a => 1 | .b => 2) = 1", ":= rfl"),
    ("theorem foo : match x with | .a => p | .b => q", ":= sorry"),
    ("theorem foo : match x with\n    | .a => p\n    | .b => q", "| 0 => rfl"),
    ("theorem foo : ∀ n, n = n", "| 0 => rfl\n  | n + 1 => rfl"),
    ("theorem foo : n !", "| _ => rfl"),
    ("theorem foo : ∑ x ∈ s, |f x| = |-3|", ":= by simp"),
    ("theorem foo : f |x| |y|", ":= fun | 0 => a | _ => b"),
    ("theorem foo : |x| = |y|", "| h => by simp"),
    ("theorem foo : ‖x‖ ∣ |x + |y||", ":= h"),
    ("theorem foo : {x | p x} = {x : Nat // q x}", ":= h"),
    ("theorem foo : f = fun x => g x", ":= rfl"),
    ("theorem foo : f = fun | 0 => 1 | _ => 2", ":= rfl"),
    ("theorem foo (a : Nat := 1) {b : T (x := 2)} : f { a := 1, b := 2 } = 1", ":= rfl"),
    ("theorem foo : f (c := 3) = g.{u} (show p from by have q := 1; exact q)", ":= rfl"),
    ("theorem foo : if h : p then q else r", ":= h"),
    ("theorem foo : p || q = true → a <|> b", ":= h"),
    (
        "theorem foo :\n  have h : a < b := by\n    calc a < c := h1\n      _ < b := h2\n  p h",
        ":= q",
    ),
    (
        "theorem foo :\n  f = have h : p := by\n    rcases x\n    obtain ⟨y⟩ := x\n    simp\n  g h",
        ":= by simp",
    ),
    ("theorem foo : p", ":= by\n  have lemma (n : Nat) : q := by simp\n  exact lemma 1"),
    ("theorem foo : a ∧ b", "where\n  left := x\n  right := y"),
    ("theorem foo : 'a' = '|' ∧ \":=\" = s!\"{x := 1}\"", ":= rfl"),
    ("theorem foo : a -- := no\n  = /- := -/ b", ":= rfl"),
    ("theorem foo' : P⟦a | b⟧", ":= rfl"),
    ("theorem «foo := bar» : p", ":= rfl"),
    ("theorem foo : s.where = s.let", ":= rfl"),
    ("theorem foo : p", ":=\nby simp"),
    ("theorem foo : p", ":= x\ntermination_by n => n\ndecreasing_by simp"),
    ("theorem foo : p", ":= by\n  exact bar 1\nwhere\n  /-- doc -/\n  @[simp] bar := 2"),
    ("theorem foo : p", ":= by\n  set_option maxHeartbeats 400 in\n  open Nat in\n  simp"),
    ("theorem foo : p", ":= by\nsimp\nexact h"),
    ("theorem foo : p", ":= by\n  have h : q := by simp\n\n  exact h"),
    ("theorem foo : p", ':= by\n  trace "\ntheorem bar : q := r\n"\n  exact h'),
    ("theorem foo : p", ":= by\n  /-\ntheorem bar : q := r\n-/\n  exact h"),
    ("instance foo : Bar Nat", "where\n  private a := 1\n  /-- doc -/\n  b := 2"),
    ("instance (priority := low) foo : Bar Nat", ":= ⟨1⟩"),
    ("def foo (x : Nat) : Nat", "| 0 => 1\n  | n + 1 => n"),
    ("def foo (x : Nat) : MetaM Syntax", ":= do\n  `(command|\ntheorem x : p := q\n)"),
    ("structure foo (a : Nat := 1) extends Bar", "where\n  a : Nat := 1\n  deriving Repr"),
    ("structure foo", "where\n  a : Nat\nderiving Repr"),
    ("inductive foo : Type*", "| a\n  /-- doc -/\n  | b : |x| → foo\n  deriving Repr"),
    ("inductive foo : Nat → Prop", "where\n| a : foo 0\n/-- doc -/\n| b : foo 1"),
    ("class inductive foo : Type", "| a | b"),
]


@pytest.mark.parametrize(("statement", "body"), STATEMENTS, ids=[s[0][:40] for s in STATEMENTS])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        (
            "import A\n\n/-- Text: `theorem x := y`. -/\n@[simp]\nprotected ",
            "  -- end\n\n#eval 1\n",
        ),
        ("theorem a : p := q\n\nopen Nat in\n", "\n\n/-- next -/\ntheorem b : p\n| 0 => q\n"),
    ],
)
def test_statement_and_body(
    statement: str, body: str, newline: str, before: str, after: str
) -> None:
    text = f"{before}{statement}\n  {body}{after}".replace("\n", newline)
    source = scan(text)
    found = [d for d in source.declarations if "foo" in d.name]
    assert len(found) == 1
    declaration = found[0]
    assert declaration.statement.of(text) == statement.replace("\n", newline)
    assert declaration.body is not None
    assert declaration.body.of(text) == body.replace("\n", newline)


def test_parts_of_a_declaration() -> None:
    text = """\
namespace A.B
section S
open Nat in
set_option x.y 3 in
/-- A doc. -/
@[simp, local instance 100] -- why
@[to_additive (attr := simp) "doc, too"]
private noncomputable theorem C.d.{u, v} {α : Type u} : p := q
end S
end A.B
"""
    declaration = only(text)
    assert declaration.kind == "theorem"
    assert declaration.name == "C.d"
    assert declaration.full_name == "A.B.C.d"
    assert declaration.namespace == "A.B"
    assert declaration.modifiers == ("private", "noncomputable")
    assert declaration.attributes == (
        "simp",
        "local instance 100",
        'to_additive (attr := simp) "doc, too"',
    )
    assert declaration.span.of(text).startswith("open Nat in\n")
    assert declaration.span.of(text).endswith(":= q")
    assert declaration.keyword.of(text) == "theorem"
    command = next(c for c in scan(text).commands if c.declaration)
    assert command.prefixes == ("open Nat", "set_option x.y 3")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("namespace A\ntheorem _root_.b : p := q", ["b"]),
        ("namespace A\nnamespace B.C\nend C\ntheorem d : p := q", ["A.B.d"]),
        ("namespace A\nsection\nnamespace B\nend B\nend\ntheorem c : p := q\nend A", ["A.c"]),
        ("namespace A\nend A\nend B\nend\ntheorem c : p := q", ["c"]),
        ("namespace «a.b»\ntheorem «c d».e : p := q", ["«a.b».«c d».e"]),
        ("namespace A\nprivate theorem «b» : p := q", ["A.b"]),
        ("namespace A\ninstance : P := q\nexample : p := q", ["", ""]),
        ("  namespace A\n    theorem a : p := q\n    open B\n    lemma b : p := q", ["A.a", "A.b"]),
        ("theorem a : p := q theorem b : p := q", ["a", "b"]),
        ("theorem a : p := q deriving instance X for Y theorem b : p := q", ["a", "b"]),
        ("theorem λ₁ : p := q\ntheorem α₁' : p := q\ntheorem 𝔽ₚ! : p := q", ["", "α₁'", "𝔽ₚ!"]),
        ("attribute [local instance] foo\ntheorem a : p := q", ["a"]),
        ('local notation "theorem" => x\nscoped[N] infix:50 "def" => f\ndef a := 1', ["a"]),
        ('macro "x" : command => `(theorem $n : p := q)\ndef a := 1', ["a"]),
        ("variable (x : Nat) in\nomit [A] in\ntheorem a : p := q", ["a"]),
        ("theorem a : p := by\n  simp\n\ninvariant foo\n\ntheorem b : p := q", ["a", "b"]),
        ("theorem a : x.theorem = `def ∧ y = .instance := q", ["a"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [d.full_name for d in scan(text).declarations] == names


def test_kinds_of_commands() -> None:
    text = """\
-- a header
module
public import A.B
import all C

/-! about -/
universe u
namespace N
open Foo hiding bar
open Foo in open Bar
variable {α : Type u}
  [Inhabited α]
attribute [simp] a
  b
local infixl:65 " + " => f
#eval 1
set_option a true
theorem a : p := q
initialize x : Nat ← y

gather stuff
  and more
mutual
theorem b : p := q
end
alias c := d
#guard_msgs in
#check x
deriving instance A for B
end N
"""
    source = scan(text)
    assert [c.kind for c in source.commands] == [
        *("module", "import", "import", "moduledoc", "universe", "namespace", "open", "open"),
        *("variable", "attribute", "notation", "hash", "set_option", "declaration", "initialize"),
        *("unknown", "mutual", "alias", "hash", "deriving", "end"),
    ]
    assert source.imports == ("A.B", "C")
    assert source.commands[0].span.of(text) == "-- a header\nmodule\n"
    notation = next(c for c in source.commands if c.kind == "notation")
    assert (notation.keyword, notation.modifiers) == ("infixl", ("local",))


def test_a_words_own_command_can_be_named() -> None:
    text = "theorem a : p := by\n  simp\n  foo\ngather stuff\n"
    assert [c.kind for c in scan(text).commands] == ["declaration"]
    assert len(scan(text, commands=["gather"]).commands) == 2


def test_mutual_block() -> None:
    text = """\
/- before -/
mutual
/-- one -/
theorem a : p := b
theorem b : q := a
termination_by x
-- last
end
theorem c : p := q
"""
    source = scan(text)
    a, b, c = source.declarations
    assert a.mutual == b.mutual
    assert a.mutual is not None
    assert a.mutual.of(text).startswith("mutual\n/-- one")
    assert a.mutual.of(text).endswith("-- last\nend")
    assert c.mutual is None
    assert source.commands[0].members == (a, b)
    assert b.body is not None
    assert b.body.of(text) == ":= a\ntermination_by x"


def test_text_without_commands() -> None:
    assert scan("").commands == ()
    assert [c.kind for c in scan("  -- nothing\n/- at all -/\n").commands] == ["trivia"]
    assert [c.kind for c in scan("(what is this\n\ntheorem a : p := q").commands] == [
        "unknown",
        "declaration",
    ]


class TestFind:
    text = "namespace A\ntheorem b : p := q\ntheorem twice : p :=\n q\ntheorem twice : p := q"

    def test_by_full_name(self) -> None:
        source = scan(self.text)
        assert source.find("A.b") is source.declarations[0]
        assert source.find("_root_.A.«b»") is source.declarations[0]

    def test_among_several_by_line(self) -> None:
        source = scan(self.text)
        assert source.find("A.twice", line=4) is source.declarations[1]
        assert source.find("A.twice", line=5) is source.declarations[2]
        with pytest.raises(DeclarationNotFound, match=r"2 times \(lines 3, 5\)"):
            source.find("A.twice")
        with pytest.raises(DeclarationNotFound, match="on line 1"):
            source.find("A.twice", line=1)

    @pytest.mark.parametrize("name", ["b", "A.bb", "X.b"])
    def test_near_names(self, name: str) -> None:
        with pytest.raises(LookupError) as caught:
            scan(self.text).find(name)
        assert isinstance(caught.value, VsbError)
        assert "A.b" in str(caught.value)

    def test_an_anonymous_declaration_has_no_name(self) -> None:
        with pytest.raises(DeclarationNotFound):
            scan("example : p := q").find("")


HOSTILE = [
    "@[",
    "\n@[simp",
    "\n@[simp\n",
    "\nfoo",
    "open (",
    "open a ",
    "open (\n",
    'x!"{',
    'x!"{""',
    "/-- a -/ ",
    "/-",
    "private ",
    "theorem a : |x ",
    "theorem a : f |x",
    "let ",
    "a b ",
    "\n a\n",
    "\n",
    "-- a\n",
    "/- a -/",
    "«",
    "'",
    "`(",
    "theorem ",
    "calc _ ",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("opening", ["", "theorem a : "])
@pytest.mark.timeout(30)
def test_hostile_repetition_ends(piece: str, opening: str) -> None:
    """A quadratic scan of these would take minutes."""
    text = opening + piece * (25_000 // len(piece))
    assert "".join(c.span.of(text) for c in scan(text).commands) == text


@pytest.mark.skipif(not (DEMO / "demo.vsb.jsonl").exists(), reason="the demo is not installed")
def test_the_demo() -> None:
    tasks = [json.loads(line) for line in (DEMO / "demo.vsb.jsonl").open(encoding="utf-8")]
    assert tasks
    for task in tasks:
        path = DEMO / task["root"] / task["path"]
        source = scan(path.read_bytes().decode("utf-8"))
        declaration = source.find(task["name"])
        assert declaration.statement.of(source.text) == task["statement"]
        assert declaration.body is not None
        assert declaration.body.of(source.text) == task["reference_proof"]


@settings(max_examples=30)
@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=8), st.sampled_from("\n \t"))
def test_declarations_in_a_row_keep_apart(parts: list[tuple[str, str]], gap: str) -> None:
    text = f"\n{gap}\n".join(f"{statement}\n  {body}" for statement, body in parts)
    found = [
        (d.statement.of(text), d.body.of(text) if d.body else "") for d in scan(text).declarations
    ]
    assert found == parts


@pytest.mark.parametrize("condition", ["//-1 = x", "// -1 = x", "//-x = 1 ∧ f '\n' = x", "////-x"])
def test_a_token_before_a_minus_begins_no_comment(condition: str) -> None:
    text = f"def pos : Type := {{x : Int {condition}}}\ntheorem t : p := by\n  exact q\n-- -/\n"
    names = [each.name for each in scan(text).declarations]
    assert names == ["pos", "t"]


def test_a_comment_after_two_slashes() -> None:
    found = scan("def a := {x ///- theorem b -/ p}\ntheorem c : p := q\n").declarations
    assert [each.name for each in found] == ["a", "c"]
