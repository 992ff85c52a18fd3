"""Binders, types, docstrings, clauses, and what new syntax introduces."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.source import Import, Span, commands_introduced, header, scan
from pytest_vsb.source.clauses import clauses
from pytest_vsb.source.notations import notation_of
from pytest_vsb.source.signature import docstring, signature
from pytest_vsb.source.splitter import Splitter

PIECES = [
    *("theorem t ", "def f ", "instance ", "structure S ", "inductive I ", "example ", "/-- d -/ "),
    *("(x y : Nat) ", "{α : Type} ", "⦃a⦄ ", "{{b : T}} ", "[C α] ", "[i : D] ", "z ", "_ "),
    *("(h : p := by simp) ", ": Nat → Nat ", "extends A, B ", ":= rfl", " where\n  a := 1\n", "\n"),
    *("\n  | 0 => 1", "termination_by n\n", "decreasing_by\n  simp\n", "deriving Repr\n"),
    *('syntax "a" : command\n', 'macro "m " x:term : command => `(#eval $x)\n', "(", "}", ":", "«"),
    *('notation "‖" x "‖" => norm x\n', "let y := 1\n", "'", '"', "-- c\n", "/- c -/", "where\n"),
    *("elab ", "syntax ", "(name := k) ", ": command", '"w"', "?", "<|>", "in ", "`(", "x:term "),
]
lean_text = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@settings(max_examples=60)
@given(lean_text)
def test_any_text_can_be_asked(text: str) -> None:
    source = scan(text)
    commands_introduced(text)
    for command in source.commands:
        found = notation_of(text, command)
        if found is not None and found.expansion is not None:
            assert command.span.contains(found.expansion)
    for declaration in source.declarations:
        parts = signature(text, declaration)
        before = declaration.keyword.end
        for binder in parts.binders:
            assert before <= binder.span.start < binder.span.end <= declaration.statement.end
            before = binder.span.end
            for part in (binder.type, binder.default):
                assert part is None or binder.span.contains(part)
        for part in (parts.type, parts.parents):
            assert part is None or before <= part.start <= part.end <= declaration.statement.end
        doc = docstring(text, declaration)
        assert doc is None or doc.of(text).startswith("/--")
        for clause in clauses(text, declaration):
            assert clause.span.of(text).startswith(clause.kind)
            assert declaration.body is not None
            assert declaration.body.contains(clause.span)


@settings(max_examples=60)
@given(lean_text)
def test_plain_headers_are_read_as_a_walk_reads_them(text: str) -> None:
    """The quick way to a separator, and the thorough one, which knows binders and alternatives."""
    splitter = Splitter(text)
    splitter.run()
    for declaration in scan(text).declarations:
        kind, end = declaration.kind, declaration.span.end
        _, pos = header.declared_name(text, kind, declaration.keyword.end, end)
        walked = header.split(text, kind, pos, end)
        assert header.split(text, kind, pos, end, splitter.trim) == walked


def of(text: str, span: Span | None) -> str | None:
    return span.of(text) if span is not None else None


def described(text: str) -> tuple[list[tuple[object, ...]], str | None]:
    declaration = scan(text).declarations[0]
    parts = signature(text, declaration)
    binders: list[tuple[object, ...]] = [
        (b.kind, b.names, of(text, b.type), of(text, b.default)) for b in parts.binders
    ]
    return binders, of(text, parts.type)


@pytest.mark.parametrize(
    ("text", "binders", "result"),
    [
        ("theorem t : p := q", [], "p"),
        ("def f := 1", [], None),
        (
            "theorem t.{u} {α : Type u} [DecidableEq α] [i : Mul α] (x y : α) : x = y := h",
            [
                ("implicit", ("α",), "Type u", None),
                ("instance", (), "DecidableEq α", None),
                ("instance", ("i",), "Mul α", None),
                ("explicit", ("x", "y"), "α", None),
            ],
            "x = y",
        ),
        (
            "def f (n : Nat := 3) (h : n = 3 := by simp) x _ {{a b : T}} ⦃c⦄ : Nat\n  | 0 => 1",
            [
                ("explicit", ("n",), "Nat", "3"),
                ("explicit", ("h",), "n = 3", "by simp"),
                ("explicit", ("x",), None, None),
                ("explicit", ("_",), None, None),
                ("strict", ("a", "b"), "T", None),
                ("strict", ("c",), None, None),
            ],
            "Nat",
        ),
        (
            "theorem t (f : (n : Nat) → {m : Nat} → m = n /- : no -/) : ∀ x : Nat, f x = f x := h",
            [("explicit", ("f",), "(n : Nat) → {m : Nat} → m = n", None)],
            "∀ x : Nat, f x = f x",
        ),
        ("def f (x := 3) : Nat := x", [("explicit", ("x",), None, "3")], "Nat"),
        ("instance : Inhabited Nat := ⟨0⟩", [], "Inhabited Nat"),
        (
            "instance (priority := low) {α} : Inhabited α where default := x",
            [("implicit", ("α",), None, None)],
            "Inhabited α",
        ),
        (
            "instance (priority := low) named [Nonempty α] : Inhabited α := x",
            [("instance", (), "Nonempty α", None)],
            "Inhabited α",
        ),
        ("example (h : p) : p := h", [("explicit", ("h",), "p", None)], "p"),
        (
            "inductive I (α : Type) : Nat → Type where\n  | a : I α 0",
            [("explicit", ("α",), "Type", None)],
            "Nat → Type",
        ),
        ("axiom a (h : p) : q", [("explicit", ("h",), "p", None)], "q"),
    ],
)
def test_signature(text: str, binders: list[tuple[object, ...]], result: str | None) -> None:
    assert described(text) == (binders, result)


@pytest.mark.parametrize("text", ["(x) extends A, B : Type where", "(x) : Type extends A, B where"])
def test_parents_of_a_structure(text: str) -> None:
    text = f"structure S {text}\n  a : Nat"
    parts = signature(text, scan(text).declarations[0])
    assert parts.type is not None
    assert parts.parents is not None
    assert (parts.type.of(text), parts.parents.of(text)) == ("Type", "A, B")


def test_docstring() -> None:
    text = '/-! m -/\n@[simp] /-- a /- b -/ -/ @[x "/-- no -/"] def f := 1\ndef g := /-- e -/ 2\n'
    f, g = scan(text).declarations
    found = docstring(text, f)
    assert found is not None
    assert found.of(text) == "/-- a /- b -/ -/"
    assert docstring(text, g) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "def f := g n\ntermination_by n\ndecreasing_by simp",
            ["termination_by n", "decreasing_by simp"],
        ),
        (
            "def f := g\n  termination_by\n    n\n  decreasing_by\n    simp\n    omega -- so",
            ["termination_by\n    n", "decreasing_by\n    simp\n    omega"],
        ),
        ("structure S where\n  a : Nat\nderiving Repr, BEq", ["deriving Repr, BEq"]),
        ("inductive I | a | b deriving Repr", ["deriving Repr"]),
        ("instance : C where\n  a := 1", []),
        ("def f := s.where + (deriving)", []),
        (
            "def f := go 0\nwhere\n  go (n) := n\n  termination_by n\n  two := 2",
            ["where\n  go (n) := n\n  termination_by n\n  two := 2", "termination_by n"],
        ),
        (
            "def f := go 0\ntermination_by 1\nwhere go n := n",
            ["termination_by 1", "where go n := n"],
        ),
        ("def f := go 0\nwhere\ngo n := n\ntwo := 2", ["where\ngo n := n\ntwo := 2"]),
        ("def f (n : Nat) : Nat := f n\npartial_fixpoint", ["partial_fixpoint"]),
        ("axiom a : p", []),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    found = clauses(text, scan(text).declarations[0])
    assert [clause.span.of(text) for clause in found] == expected


@pytest.mark.parametrize(
    ("text", "tokens", "expansion", "names"),
    [
        ('local infixl:65 " +ₘ " => HAdd.hAdd', ("+ₘ",), "HAdd.hAdd", ("HAdd.hAdd",)),
        (
            'notation:50 Γ " ⊢ " e:51 " : " t => Typed (n := 1) Γ e t',
            ("⊢", ":"),
            "Typed (n := 1) Γ e t",
            ("Typed", "n"),
        ),
        ('syntax (name := x) "foo " term,* (" at " ident)? : tactic', ("foo", "at"), None, ()),
        (
            'macro "foo" x:term : tactic => `(tactic| exact $x) -- so',
            ("foo",),
            "`(tactic| exact $x)",
            ("exact",),
        ),
        ('elab "#go" : command => do\n  logInfo "x"', ("#go",), 'do\n  logInfo "x"', ("logInfo",)),
    ],
)
def test_notation(
    text: str, tokens: tuple[str, ...], expansion: str | None, names: tuple[str, ...]
) -> None:
    found = notation_of(text, scan(text).commands[0])
    assert found is not None
    assert (found.tokens, found.names) == (tokens, names)
    assert of(text, found.expansion) == expansion


@pytest.mark.parametrize(
    "text",
    [
        "def f := 1",
        "macro_rules\n  | `(foo) => `(bar)",
        "elab_rules : tactic | `(x) => y",
        "open A",
    ],
)
def test_what_introduces_no_syntax(text: str) -> None:
    assert notation_of(text, scan(text).commands[0]) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('syntax "gather" ident : command', {"gather"}),
        (
            'syntax (name := g) (priority := high) (docComment)? "gather " ident : command',
            {"gather"},
        ),
        (
            'syntax:max declModifiers ("the")? (&"old" <|> "new") "one" : command',
            {"the", "old", "new"},
        ),
        ('macro "gather" x:term:max y:term,* : command => `(#eval $x)', {"gather"}),
        ('scoped elab tk:"gather*" e:(ppSpace term)? : command => pure ()', {"gather"}),
        ('syntax "gather" : tactic\nmacro "x" e:term : term => `($e : command)', set()),
        ('syntax "=>" term : command\nsyntax "#go" : command\nsyntax "theorem" x : command', set()),
        ('syntax (name := kw) "verb" : word\nsyntax kw ident : command', {"verb"}),
        (
            'declare_syntax_cat part\nsyntax "mut" : part\nsyntax "const" : part\n'
            'syntax kind := "rel" <|> "fun\'"\nsyntax (part)? kind ident : command',
            {"mut", "const", "rel", "fun'"},
        ),
        ('syntax atomic("go" "on") many("x") : command', {"go"}),
        ('syntax many("x") sepBy("y", ",") group("z" "w") : command', {"x", "y", "z"}),
        ("syntax loop : command\nsyntax loop := loop", set()),
        (
            '@[command_parser] def gather := leading_parser\n  declModifiers >> "gather " >> ident',
            {"gather"},
        ),
        (
            '@[command_parser]\ndef gather := leading_parser "gather"\n'
            'def other := leading_parser "other"\n'
            '@[builtin_command_parser] def three := leading_parser "three"',
            {"gather", "three"},
        ),
        ("-- nothing here but a command", set()),
    ],
)
def test_commands_introduced(text: str, words: set[str]) -> None:
    assert commands_introduced(text) == words
    assert commands_introduced(scan(text)) == words


@pytest.mark.parametrize(
    "piece", ["syntax ", 'syntax "a', "macro (", "elab x : command\n", "(", "{x : "]
)
@pytest.mark.timeout(30)
def test_hostile_repetition_ends(piece: str) -> None:
    text = "theorem t " + piece * (25_000 // len(piece)) + " command"
    commands_introduced(text)
    declaration = scan(text).declarations[0]
    signature(text, declaration)
    clauses(text, declaration)


def test_a_files_own_commands() -> None:
    text = (
        'syntax "gather" ident : command\nnamespace A\n  theorem a : p := by\n    simp\n'
        "  gather stuff\n  open B in\n  gather more\n  structure S where\n    gather : Nat\nend A\n"
    )
    source = scan(text)
    assert [c.kind for c in source.commands] == [
        *("syntax", "namespace", "declaration", "custom", "custom", "declaration", "end"),
    ]
    assert source.commands[4].prefixes == ("open B",)
    assert source.commands[4].keyword == "gather"


def test_a_field_named_like_a_command_is_none() -> None:
    text = "structure S where\n  /-- The type. -/\n  type : Nat\n  input : Nat\ntype node\n"
    kinds = [c.kind for c in scan(text, commands=["type", "input"]).commands]
    assert kinds == ["declaration", "custom"]


def test_lake_files() -> None:
    text = (
        "import Lake\nopen Lake DSL\npackage x where\n  a := 1\n\n@[default_target]\nlean_lib X\n"
    )
    assert [c.kind for c in scan(text).commands] == ["import", "open", "custom", "custom"]
    assert [c.kind for c in scan("def x := y\npackage z").commands] == ["declaration"]


def test_flags_of_imports() -> None:
    text = (
        "module\nprelude\npublic import A.B\nimport all C\npublic meta import D import E\n"
        "meta import all «F g»\n"
    )
    source = scan(text)
    assert source.imported == (
        Import("A.B", public=True),
        Import("C", all=True),
        Import("D", public=True, meta=True),
        Import("E"),
        Import("«F g»", meta=True, all=True),
    )
    assert source.imports == ("A.B", "C", "D", "E", "«F g»")


def test_ends_that_close_a_part_of_a_name() -> None:
    text = (
        "namespace A.B.C\ntheorem a : p := q\nsection X.Y\ntheorem b : p := q\nend Y\n"
        "namespace D\nend D\nend X\nend C\ntheorem c : p := q\nend A.B\ntheorem d : p := q\n"
        "public section\nnamespace E\nend E\nend\n"
    )
    assert [d.full_name for d in scan(text).declarations] == ["A.B.C.a", "A.B.C.b", "A.B.c", "d"]
