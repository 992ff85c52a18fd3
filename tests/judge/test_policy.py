"""What the policy refuses, and where the same words are free."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.judge import forbidden
from pytest_vsb.judge.policy import PROFILES, find_forbidden, find_unreadable

WORDS = sorted(forbidden.WORDS)
ATTRIBUTES = sorted(forbidden.ATTRIBUTES)
IN_TERMS = ["native_decide", "run_tac", "run_elab", "by_elab", "include_str", "unsafe"]


@pytest.mark.parametrize("word", WORDS)
def test_a_forbidden_word(word: str) -> None:
    refusal = find_forbidden("", f"by\n  {word} x")
    assert refusal is not None
    assert (refusal.construct, refusal.part) == (word, "proof")
    assert (refusal.line, refusal.column) == (2, 2)
    assert word in str(refusal)
    assert "strict policy" in str(refusal)
    assert find_forbidden(f"theorem a : True := trivial\n{word} x\n", "rfl") is not None


@pytest.mark.parametrize("word", WORDS)
def test_the_word_is_free_elsewhere(word: str) -> None:
    for text in (
        f"by\n  rfl -- {word}",
        f"by /- {word} /- {word} -/ -/ rfl",
        f'by exact "{word}".length_pos',
        f"by exact h.{word}",
        f"by exact «{word}»",
        f"by exact {word}_lemma my_{word} {word}'",
        f"by exact (f x).{word}" if word not in IN_TERMS else "rfl",
        f"by exact .{word}" if word not in IN_TERMS else "rfl",
    ):
        assert find_forbidden("", text) is None, text


@pytest.mark.parametrize("word", IN_TERMS)
def test_a_dot_may_be_a_bullet(word: str) -> None:
    assert find_forbidden("", f"by\n  .{word} x") is not None


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_a_forbidden_attribute(name: str) -> None:
    for text in (
        f"@[{name} x] def a := 1",
        f"@[simp, local {name}] def a := 1",
        f"@[«{name}» x] def a := 1",
        f"attribute [simp, {name} x] a",
        f"attribute [scoped {name}] a in\ndef b := 1",
        f"@[to_additive (attr := simp, {name}) b] def a := 1",
        f"@[to_additive (attr := {name}) b] def a := 1",
    ):
        refusal = find_forbidden(text, "rfl")
        assert refusal is not None, text
    assert find_forbidden(f"@[simp] theorem a : «{name}» = x.{name} := rfl", "rfl") is None


@pytest.mark.parametrize(
    "name",
    ["term_elab", "command_elab", "app_delab", "tactic_parser", "builtin_init", "«app_delab»"],
)
def test_attributes_of_a_family(name: str) -> None:
    assert find_forbidden(f"@[{name} x] def a := 1", "rfl") is not None


@pytest.mark.parametrize("prefix", forbidden.OPTIONS)
def test_a_forbidden_option(prefix: str) -> None:
    name = f"{prefix}thing" if prefix.endswith(".") else prefix
    first, _, rest = name.partition(".")
    quoted = f"«{first}»" + (f".{rest}" if rest else "")
    for option in (name, quoted):
        assert find_forbidden(f"set_option {option} true", "rfl") is not None, option
        assert find_forbidden("", f"by\n  set_option {option} true in rfl") is not None, option
        assert find_forbidden(f"set_option\n /- -/ {option} true", "rfl") is not None, option
    assert find_forbidden(f"-- set_option {name}\nset_option maxRecDepth 9", "rfl") is None


@pytest.mark.parametrize(
    "text",
    [
        "@[simp, reducible] def a := 1",
        "/-- `f`, and\n```lean\ntheorem a : p := q\n```\n-/\ndef a := 1",
        "@[grind =, simp, aesop 50% unsafe] theorem a : True := trivial",
        "@[aesop unsafe] theorem a : True := trivial",
        "@[aesop unsafe [apply 50%, cases], simp] def a := 1",
        "attribute [local aesop unsafe apply] a",
        "/-- `macro`, @[extern], set_option debug.x -/\ntheorem a : True := trivial",
        "@[elab_as_elim, ext, inherit_doc] theorem a : True := trivial",
        "attribute [-simp, local instance] a",
        "open Nat in theorem a : True := trivial",
        "open Nat hiding succ\nopen Nat renaming succ → s",
        "namespace A.B\nsection\nvariable (x : Nat)\nend\nend A.B",
        "mutual\ntheorem a : True := trivial\nend",
        "universe u v\nset_option autoImplicit true in\nexample : True := trivial",
        "alias a := b\nexport A (b)",
        "#check a\n#print axioms a",
        '#check "{\\"a\\": 1"\n#print "}"',
        "instance : Inhabited Nat := ⟨0⟩\nderiving instance Repr for A",
        "noncomputable section\ndef a := 1\nend",
        "partial def f (n : Nat) : Nat := f n",
        "private protected theorem a : True := by decide",
        "structure A where\n  init : Nat\n  «prefix» : Nat",
        "theorem a (h : x.prefix.import) : True := trivial",
    ],
)
def test_free_auxiliary_text(text: str) -> None:
    assert find_forbidden(text, "rfl") is None
    assert find_unreadable(text) is None


@pytest.mark.parametrize(
    "proof",
    [
        "by aesop (add safe apply foo, unsafe 50% apply bar)",
        "by aesop (add unsafe apply bar)",
        "by aesop (add unsafe [(by omega), 20% apply bar], safe foo) (erase baz) (add unsafe foo)",
        "by aesop? (config := { maxDepth := 3 }) (add unsafe 5% (by simp))",
        'by set_option linter.all true in exact (s!"{set}" ++ r#"{"#).length_pos',
        "by exact evalExpr_addDecl (evalExpr e) (addDecl d) IO.pure",
        "by simp (config := { decide := true })",
        "by set_option maxHeartbeats 0 in omega",
        "by open Nat in simp",
        "by\n  · rfl\n  . rfl",
        "by exact f '' s",
        "by exact #[1, 2].size_pos",
        'by exact s!"{x}".length_pos',
        "by exact f native (1 + native) (native) (g native, native)",
        "by exact xs[i]'h' ▸ xs[i]'(by simp)",
        "by exact f ['a', '\"', '\\''] 'b'",
        "by\n  rfl--why not\n",
        "by rcases h with ⟨/- a -/ b⟩-- it holds",
        'by exact f "{a} and {b}" ("{" ++ "}")',
        'by exact "{"',
        'by if h then exact "{\\"a\\": [" else "}"',
        'by exact f r"\\" [r#"{"#]',
        "by exact Process.bisimilar (FS.root s)",
        "where\n  @[simp] aux : True := trivial",
        "by decide",
    ],
)
def test_free_proofs(proof: str) -> None:
    assert find_forbidden("", proof) is None


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("end", "end"),
        ("namespace A\nend A\nend", "end"),
        ("namespace A", "namespace or section"),
        ("section\nvariable (h : False)", "namespace or section"),
        ("#eval 1", "#eval"),
        ("#eval! 1", "#eval!"),
        ("theorem a : (#eval 1) := rfl", "#eval"),
        ("#exit", "#exit"),
        ("#guard_msgs (drop error) in\ntheorem a : False := rfl", "#guard_msgs"),
        ("opaque a : Nat", "opaque"),
        ("def a := eval% 1", "eval%"),
        ("open private a in B", "open private"),
        ("def a := by aesop (add safe apply (unsafe b))", "unsafe"),
        ("@[aesop safe, foo (unsafe b)] def a := 1", "unsafe"),
        ("def a := (unsafe b)\ntheorem c : p := by aesop (add unsafe d)", "unsafe"),
        ("def a : Lean.Elab.Tactic.TacticM Unit := b", "Lean.Elab.Tactic.TacticM"),
        ("def a : «Lean».Meta.«MetaM» Unit := b", "«Lean».Meta.«MetaM»"),
        ("def a := IO.FS.writeFile b c", "IO.FS.writeFile"),
        ("def a := _root_.IO.Process.spawn b", "_root_.IO.Process.spawn"),
        ("def a := ``IO.FS.writeFile", "``IO.FS.writeFile"),
        ("set_option doc.verso true", "set_option doc.verso"),
        ('set_option auto.smt.savepath "/tmp/x" in\ndef a := 1', "set_option auto.smt.savepath"),
        ("set_option $o true in\ndef a := 1", "set_option $"),
        ("@[$a] def a := 1", "@[$]"),
        ("theorem a : True := by decide (config := { native := true })", "decide +native"),
        ("@[doc_role] def a := 1", "@[doc_role]"),
        ("/-- {lean}`by run_tac f` -/\ndef a := 1", "run_tac"),
        ("/-!\n```lean\n#eval f\n```\n-/\ndef a := 1", "#eval"),
        ("@[tactic_code_action x] def a := 1", "@[tactic_code_action]"),
        ("theorem a : True := by decide +native", "decide +native"),
        ('def a := s!"{by run_tac x}"', "run_tac"),
        ('def a := panic! "{ set_option debug.x true in 1 }"', "set_option"),
        ("def «a\nb» := 1", "«"),
        ("def a := f ''\"'", "'\"'"),
        ("theorem a : True := trivial\ndocs_to_verso", "docs_to_verso"),
        ("theorem a : True := by decide (native := true)", "decide +native"),
        ("theorem a : True := by decide { c with native := true }", "decide +native"),
        ('open IO FS in\ndef a := writeFile "b" "c"', "FS"),
        ('open FS\ndef a := writeFile "b" "c"', "writeFile"),
        ("open FS in\ndef a := removeDirAll b", "removeDirAll"),
        ("open IO\nopen Process", "Process"),
        ("open IO in\ndef a := Process.output b", "Process.output"),
        ("namespace IO\ndef a := FS.rename b c\nend IO", "FS.rename"),
        ("def a := FS.writeFile b c", "FS.writeFile"),
        ("def a := ``FS.writeFile", "FS.writeFile"),
        ('def a := s!"{(f : Lean.Meta.MetaM Unit)}"', "MetaM"),
        ('def a := s!"{IO.FS.writeFile b}"', "IO.FS"),
    ],
)
def test_refused_constructs(text: str, construct: str) -> None:
    refusal = find_forbidden(text, "rfl")
    assert refusal is not None
    assert refusal.construct == construct


SUSPICIOUS = ["+", "⁻¹", "∘", "//", "⟧", "]", ")", "|", "-", "<-", "'", "₀", "!"]


@pytest.mark.parametrize("token", SUSPICIOUS)
@pytest.mark.parametrize(
    "hidden", ["'\"'", "'«'", "'\\\"'", "'\n'", "'-'", "'a''\"'", "'a'r\"\"",
               "-- \" set_option x y", "--1 axiom a : b", "/- axiom a : b -/", "/-- \" -/"],
)  # fmt: skip
def test_what_a_token_may_reach_into(token: str, hidden: str) -> None:
    if token == "-" and hidden[0] == "-":
        return  # the three begin a comment, for Lean too
    for before in (f"x {token}", f"(x) {token}"):
        text = f"def a := {before}{hidden}\n"
        assert find_forbidden(text, "rfl") is not None, text
        assert find_forbidden("", f"by exact {before}{hidden}\n") is not None, text


@pytest.mark.parametrize("token", ["+", "⁻¹", "∘", "//", "|", "!"])
@pytest.mark.parametrize("hidden", ["-- why", "/- why -/ 1", 'r"a"', 'r#"a"#'])
def test_a_symbol_reaches_into_all(token: str, hidden: str) -> None:
    assert find_forbidden("", f"by exact x {token}{hidden}") is not None
    assert find_forbidden("", f"by exact x {token} {hidden}") is None


WORDS_BEFORE_STRINGS = ["dbg_trace", "s!", "m!", "throwError", "throwErrorAt x", "logInfo",
                        "throwErrorAt (f x)", "trace[a.b]", "panic!", "my_word"]  # fmt: skip


@pytest.mark.parametrize("words", WORDS_BEFORE_STRINGS)
@pytest.mark.parametrize(
    "string",
    ['"{"/-"}"', '"{"--"}"', '"{" x "', '"{/- " -/ 1}"', '"{x ///-1}" "}"', '"{f ⁻¹\'"\'}"',
     '"{x +--1}"', '"{\'a'],
)  # fmt: skip
def test_strings_whose_ends_are_uncertain(words: str, string: str) -> None:
    for text in (f"{words} {string}; 0", f"({words} {string}; 0)"):
        assert find_forbidden(f"def a := {text}\n", "rfl") is not None
        assert find_forbidden("", text) is not None


@pytest.mark.parametrize("words", [each for each in WORDS_BEFORE_STRINGS if "!" not in each])
def test_strings_that_end_where_they_seem_to(words: str) -> None:
    for string in ('"a"', '"{a}, {f b}"', '"}"', '"\\{"'):
        assert find_forbidden("", f"by exact ({words} {string}; 0)") is None, string


def test_the_first_construct_is_told_with_its_place() -> None:
    text = "theorem ℝ : True := trivial\n\n  axiom b : False\nend"
    refusal = find_forbidden(text, "by native_decide")
    assert refusal is not None
    assert (refusal.construct, refusal.part, refusal.line, refusal.column) == (
        "axiom", "auxiliary", 3, 2,
    )  # fmt: skip


def test_prose_is_no_declaration() -> None:
    text = "theorem a : True := trivial\n\nThis is the lemma."
    told = find_unreadable(text)
    assert told is not None
    assert "3:0" in told
    assert "`This is the lemma.`" in told
    assert find_unreadable("") is None
    assert find_unreadable("-- only a comment") is None


PIECES = st.sampled_from(
    [*WORDS, *ATTRIBUTES, "@[", "]", "attribute [", "set_option", "debug.", "«", "»", '"', "'", "{",
     "}", "(", ")", "/-", "-/", "--", "\n", " ", "#", "#eval", "eval%", "theorem a : p :=", "end",
     "namespace A", "section", "mutual", "in", "open", "s!\"", "r#\"", ".", ",", "\t", "ℝ", "\r\n"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=200))
def test_no_text_is_too_odd(pieces: str, text: str) -> None:
    for auxiliary, proof in ((pieces, text), (text, pieces)):
        refusal = find_forbidden(auxiliary, proof)
        find_unreadable(auxiliary)
        if refusal is not None:
            part = auxiliary if refusal.part == "auxiliary" else proof
            assert 1 <= refusal.line <= part.count("\n") + 1
            assert 0 <= refusal.column <= len(part.split("\n")[refusal.line - 1])


PIECES_MANY = ["(", "«", "@[", "attribute [", "/-", '"{', 's!"{', "'", "#", "end ", "set_option "]


@pytest.mark.parametrize("piece", [*PIECES_MANY, "theorem a : p ", "@[simp, "])
def test_the_work_is_in_proportion_to_the_text(piece: str) -> None:
    def lines_run(number: int) -> int:
        count = 0

        def trace(frame: FrameType, event: str, _argument: object) -> Any:
            nonlocal count
            count += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            find_forbidden("", piece * number)
        finally:
            sys.settrace(before)
        return count

    # Eight times the text: about eight times the work if linear, sixty-four times if quadratic.
    assert lines_run(800) < 12 * lines_run(100)


# The permissive profile

SYNTAX = [
    'local notation "dbl" x => x + x',
    'local infixl:65 " +++ " => HAdd.hAdd',
    'local infixl:65 " - " => HSub.hSub\nlocal infixl:70 " / " => HDiv.hDiv',
    'local notation "factor" x => x\nlocal notation "{{" x "}}" y => f x y',
    'local macro "mine" : tactic => `(tactic| (simp; omega))',
    'local macro "mine" x:term " and " y:term : term => `(And $x $y)',
    'local syntax "mine" term : tactic',
    "local macro_rules\n  | `(tactic| mine $x) => `(tactic| exact $x)\n"
    "  | `(tactic| mine2) => `(tactic| skip)",
    '/-- A `macro` of mine -/\nlocal macro "mine" : term => `(fun x => x)',
]


@pytest.mark.parametrize("text", SYNTAX)
def test_local_syntax_is_for_the_permissive(text: str) -> None:
    for each in (text, f"theorem a : True := trivial\n{text}\ntheorem b : True := trivial\n"):
        assert find_forbidden(each, "rfl", "permissive") is None
        refusal = find_forbidden(each, "rfl")
        assert refusal is not None
        assert refusal.profile == "strict"
    assert find_forbidden("", text, "permissive") is not None


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ('notation "dbl" x => x + x', "notation"),
        ('scoped notation "dbl" x => x + x', "notation"),
        ("macro_rules | `(tactic| rfl) => `(tactic| skip)", "macro_rules"),
        ('local macro "m" : tactic => do return (← `(tactic| skip))', "macro"),
        ('local macro "m" : tactic => return .node .none `x #[]', "macro"),
        ('local macro "m" : tactic => `(tactic| skip) |> f', "macro"),
        ('local macro "m" : term => `($(f x))', "$("),
        ("local macro_rules | `(x) => `(y) | `(z) => f", "macro"),
        ("local macro_rules", "macro"),
        ('local macro "m" : tactic => `(tactic| run_tac x)', "run_tac"),
        ('local macro "m" : tactic => `(tactic| native_decide)', "native_decide"),
        ('local macro "m" o:ident : term => `(set_option $o true in x)', "set_option $"),
        ('local notation "f\\"" => 1', '"f\\""'),
        ('local notation "f\'" => 1', '"f\'"'),
        ('local syntax "--x" : term', '"--x"'),
        ('local syntax r#"f""# : term', 'r#"f""#'),
        *[
            (f'local {command} " {token} " => f', f'" {token} "')
            for command in ("infixl:65", "notation", "infix:50", "prefix:max")
            for token in (
                "+-",
                "+r",
                "+/",
                "x-",
                "⊕r",
                "a+r",
                "+r#",
                "///",
                "r#",
                "--",
                "⁻¹'",
                "s!",
            )
        ],
        ('local macro "+-" x:term : term => `($x)', '"+-"'),
        ('local syntax term "+r" term : term', '"+r"'),
        ('local syntax "m" interpolatedStr(term) : term', "interpolatedStr"),
        ('local macro "m" x:interpolatedStr(term) : term => `(1)', "interpolatedStr"),
        ('local syntax "m" docComment : term', "docComment"),
        (
            'local syntax "m" Lean.Parser.Command.commentBody : term',
            "Lean.Parser.Command.commentBody",
        ),
        ("declare_syntax_cat a", "declare_syntax_cat"),
        ('local elab "m" : term => f', "elab"),
        ("local elab_rules : term | `(x) => f", "elab_rules"),
        ("simproc a (b) := c", "simproc"),
        ("axiom a : False", "axiom"),
        ("unsafe def a := 1", "unsafe"),
        ("set_option debug.skipKernelTC true", "set_option debug.skipKernelTC"),
        ("#eval 1", "#eval"),
        ("end", "end"),
    ],
)
def test_the_permissive_refuses_as_well(text: str, construct: str) -> None:
    refusal = find_forbidden(text, "rfl", "permissive")
    assert refusal is not None
    assert refusal.construct == construct
    assert "(permissive policy)" in str(refusal)


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from(SYNTAX), st.integers(0, 99))
def test_strict_refuses_whatever_permissive_refuses(pieces: str, syntax: str, place: int) -> None:
    text = pieces[:place] + "\n" + syntax + "\n" + pieces[place:]
    if find_forbidden(text, "rfl", "permissive") is not None:
        assert find_forbidden(text, "rfl", "strict") is not None


def test_the_profiles() -> None:
    assert PROFILES == ("strict", "permissive")
