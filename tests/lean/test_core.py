"""The embedded Lean's core library: what it can do, and that it is sound."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from math import gcd
from pathlib import Path

import pytest

from pytest_vsb.lean import embedded, process
from pytest_vsb.lean.core import bindings
from pytest_vsb.lean.diagnostics import Diagnostic, Severity, parse
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.toolchain import Toolchain

HERE = Path(__file__).resolve().parent / "core"
CORE = Path(bindings.__file__).resolve().parent
ZOO = sorted((HERE / "zoo").glob("*.lean"))
ALLOWED = {"propext", "Quot.sound", "Classical.choice"}

# What the kernel computes on literals by name, and what it computes.
KERNEL: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: max(a - b, 0),
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else a,
    "gcd": gcd,
    "pow": lambda a, b: a**b,
    "land": lambda a, b: a & b,
    "lor": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shiftLeft": lambda a, b: a << b,
    "shiftRight": lambda a, b: a >> b,
}
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "beq": lambda a, b: a == b,
    "ble": lambda a, b: a <= b,
}
# Names that a kernel might compute one day, or that other provers' kernels do.
UNCLAIMED = (
    "lcm testBit sqrt log log10 dist choose fact factorial modPow powMod blt bgt bge bne lt' "
    "addMod subMod mulMod divMod ediv emod divFloor ceilDiv clog size popcount lnot nand nor "
    "rotateLeft extend toFloat ofBits digits sub' double bit half"
).split()


def run(toolchain: Toolchain, directory: Path, text: str) -> Completed:
    (directory / "T.lean").write_text(text, encoding="utf-8")
    return process.run(
        toolchain.argv("--json", "T.lean"),
        cwd=directory,
        env=toolchain.environment(),
        limits=Limits(120, memory_mb=4096),
    )


def diagnostics(completed: Completed) -> list[Diagnostic]:
    """The messages of a run that must have ended by itself, without a panic."""
    parsed = parse(completed.stdout, file_name="T.lean")
    assert completed.outcome is Outcome.EXITED, completed
    assert completed.signal is None, completed
    assert "PANIC" not in completed.stderr + parsed.other, completed.stderr
    errors = [d for d in parsed.diagnostics if d.severity is Severity.ERROR]
    assert completed.exit_code == (1 if errors else 0), completed
    return list(parsed.diagnostics)


def errors_of(completed: Completed) -> list[Diagnostic]:
    return [d for d in diagnostics(completed) if d.severity is Severity.ERROR]


# The generated bindings


def test_the_bindings_are_up_to_date() -> None:
    assert bindings.OUTPUT.read_text(encoding="utf-8") == bindings.render(
        bindings.LIST.read_text(encoding="utf-8")
    )


def test_the_generator_checks_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bindings.main(["--check"]) == 0
    output = tmp_path / "Bindings.lean"
    monkeypatch.setattr(bindings, "OUTPUT", output)
    assert bindings.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().out
    assert bindings.main([]) == 0
    assert output.read_bytes() == (CORE / "Init" / "Bindings.lean").read_bytes()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[namespace -]\nstray", 2),
        ("[macro Init.Notation -]\nterm_+_", 2),
        ("[macro Init.Notation -]\nterm_+_ two", 2),
        ("[unexpander]\nExists", 2),
        ("[parser]\nintro", 2),
    ],
)
def test_a_bad_line_of_the_list_is_named(text: str, line: int) -> None:
    with pytest.raises(bindings.BindingListError, match=f"line {line}:"):
        list(bindings.read(text))


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        (("Nat", "add"), "l_Nat_add"),
        (("term_+_",), "l_term___x2b__"),
        (("term_∧_",), "l_term___u2227__"),
        (("a'", "b!"), "l_a_x27_b_x21"),
        (("𝔸",), "l__U0001d538"),
    ],
)
def test_mangling(name: tuple[str, ...], symbol: str) -> None:
    assert bindings.mangle(name) == symbol


def native_names() -> list[str]:
    """The symbols of every constant that the core takes from the library."""
    symbols = [
        entry.symbol()
        for entry in bindings.read(bindings.LIST.read_text(encoding="utf-8"))
        if isinstance(entry, bindings.Binding)
    ]
    opaque = re.compile(r'@\[extern ""\] opaque (\S+)')
    for name, match in declarations(CORE / "Init" / "Meta.lean", opaque):
        symbols.append(bindings.mangle(name))
        assert match
    return symbols


def declarations(
    file: Path, pattern: re.Pattern[str]
) -> Iterator[tuple[tuple[str, ...], re.Match[str]]]:
    """The full names of the declarations in a core file whose line matches, with their matches."""
    scopes: list[tuple[str, ...]] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"namespace (\S+)", line):
            scopes.append(tuple(match[1].split(".")))
        elif re.match(r"section\b", line):
            scopes.append(())
        elif re.match(r"end\b", line):
            scopes.pop()
        elif match := pattern.search(line):
            name = tuple(match[1].split("."))
            if name[0] == "_root_":
                yield name[1:], match
            else:
                yield tuple(part for scope in scopes for part in scope) + name, match
    assert not scopes, f"{file.name}: {scopes} not closed"


@pytest.mark.lean
def test_every_bound_constant_is_in_the_library(embedded_toolchain: Toolchain) -> None:
    names = native_names()
    assert len(names) > 500
    script = (
        "import ctypes, sys\n"
        "library = ctypes.CDLL(sys.argv[1])\n"
        "for name in sys.stdin.read().split():\n"
        "    if not (hasattr(library, name) or hasattr(library, name + '___boxed')):\n"
        "        print(name)\n"
    )
    missing = subprocess.run(
        [sys.executable, "-c", script, str(embedded.library())],
        input="\n".join(names),
        capture_output=True,
        text=True,
        check=True,
    )
    assert missing.stdout.split() == []


# What works


@pytest.mark.lean
@pytest.mark.parametrize("file", ZOO, ids=lambda file: file.stem)
def test_features(embedded_toolchain: Toolchain, tmp_path: Path, file: Path) -> None:
    completed = run(embedded_toolchain, tmp_path, file.read_text(encoding="utf-8"))
    found = [
        d
        for d in diagnostics(completed)
        if d.severity is Severity.ERROR or "sorry" in d.message or "axiom" in d.message
    ]
    assert found == []


@pytest.mark.lean
def test_diagnostics(embedded_toolchain: Toolchain, tmp_path: Path) -> None:
    text = (HERE / "diagnostics.lean").read_text(encoding="utf-8")
    found = diagnostics(run(embedded_toolchain, tmp_path, text))
    lines = text.splitlines()
    by_theorem: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        start = diagnostic.start.line
        names = re.findall(r"(?:theorem|axiom|axioms) (\w+)", "\n".join(lines[:start]))
        by_theorem.setdefault(names[-1], []).append(diagnostic)
    expected = {
        "unknown_ident": (Severity.ERROR, "Unknown constant `Nat.no_such_lemma`"),
        "mismatch": (Severity.ERROR, "ype mismatch"),
        "unsolved": (Severity.ERROR, "unsolved goals\ncase right"),
        "rewrite_fails": (Severity.ERROR, "Did not find an occurrence of the pattern"),
        "cheated": (Severity.WARNING, "declaration uses `sorry`"),
        "uses_axiom": (Severity.INFORMATION, "depends on axioms: [smuggled]"),
        "runaway": (Severity.ERROR, "maximum"),
        "simp_loop": (Severity.ERROR, "maximum recursion depth"),
        "syntax_error": (Severity.ERROR, "unexpected token"),
    }
    assert set(by_theorem) == set(expected)
    for name, (severity, part) in expected.items():
        first = by_theorem[name][0]
        assert first.severity is severity, first
        assert part in first.message, first
    assert by_theorem["unsolved"][0].goal is not None


# What does not work fails by an error, never by a crash

ERRORS = {
    "omega": "theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega",
    "grind": "theorem t (a : Nat) : a + 0 = a := by grind",
    "native_decide": "theorem t : 2 + 2 = 5 := by native_decide",
    "decide +native": "theorem t : 2 + 2 = 4 := by decide +native",
    "ofReduceBool": "theorem t : True := by have := @Lean.ofReduceBool; trivial",
    "bv_decide": "theorem t : True := by bv_decide",
    "eval": "#eval 1 + 1",
    "repr": "structure P where\n  x : Nat\nderiving Repr",
    "decide false": "theorem t : 2 + 2 = 5 := by decide",
    "undecidable": "theorem t (p : Prop) : p := by decide",
    "unknown tactic": "theorem t : True := by frobnicate",
    "ill founded": "def f (n : Nat) : Nat := f (n + 1)",
    "partial inductive": "inductive T where\n  | mk : (T → Nat) → T",
    "universe": "inductive U : Type where\n  | mk : Type → U",
    "run_tac": "theorem t : True := by run_tac pure ()",
    "exact? fails": "theorem t (p q : Prop) (h : p) : q := by exact?",
    "apply? fails": "theorem t (p q : Prop) (h : p) : q := by apply?",
    "rfl": "theorem t (a b : Nat) : a * b = b + a := by rfl",
    "deep recursion": "theorem t : " + "(" * 5000 + "True" + ")" * 5000 + " := trivial",
    "unfinished": "theorem t : True := by\n  constructor\n  · ",
    "init_quot": "init_quot",
    "mathlib": "import Mathlib\ntheorem t : True := trivial",
    "macro": 'macro "m" : term => `(m)\ntheorem t : m := trivial',
    "config": "theorem t : True := by simp (config := { nonsense := true })",
    "bad occurrences": "theorem t : True := by rw (occs := 3) [id]",
}


@pytest.mark.lean
@pytest.mark.parametrize("name", ERRORS)
def test_what_is_missing_is_an_error(
    embedded_toolchain: Toolchain, tmp_path: Path, name: str
) -> None:
    completed = run(embedded_toolchain, tmp_path, ERRORS[name] + "\n")
    if name == "apply? fails":
        # It leaves a hole that only the warning and the axioms show.
        assert any(
            "sorry" in d.message or d.severity is Severity.ERROR for d in diagnostics(completed)
        )
        return
    if name == "init_quot":
        assert completed.exit_code == 1 or "Quot" not in completed.stdout
        return
    assert errors_of(completed)


# Soundness


@pytest.mark.lean
def test_no_kernel_computed_name_can_be_defined_again(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    names = [*KERNEL, *PREDICATES, "log2", "succ", "pred"]
    text = "".join(f"def Nat.{name} (_ _ : Nat) : Nat := 0\n" for name in names)
    text += "".join(
        f"theorem {name} : True := trivial\n"
        for name in ("Lean.opaqueId", "sorryAx", "propext", "Nat", "String.ofList", "Char.ofNat")
    )
    found = errors_of(run(embedded_toolchain, tmp_path, text))
    assert [d.start.line for d in found] == list(range(1, text.count("\n") + 1))
    assert all("already been declared" in d.message for d in found)


@pytest.mark.lean
def test_the_kernel_computes_no_name_that_the_core_leaves_free(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    text = "".join(
        f"def Nat.{name} (_ _ : Nat) : Nat := 12345\n"
        f"theorem free_{i} : Nat.{name} 5 3 = 12345 := rfl\n"
        for i, name in enumerate(UNCLAIMED)
    )
    text += (
        "def Lean.reduceBool (_ : Bool) : Bool := true\n"
        "def no : Bool := false\n"
        "theorem native_bool : Lean.reduceBool no = true := rfl\n"
        "def Lean.reduceNat (_ : Nat) : Nat := 12345\n"
        "def three : Nat := 3\n"
        "theorem native_nat : Lean.reduceNat three = 12345 := rfl\n"
    )
    assert errors_of(run(embedded_toolchain, tmp_path, text)) == []


@pytest.mark.lean
def test_the_kernel_computes_what_the_names_mean(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    values = [0, 1, 2, 3, 5, 6, 8, 13]
    lines = []
    for a in values:
        for b in values:
            lines += [f"example : Nat.{n} {a} {b} = {f(a, b)} := rfl" for n, f in KERNEL.items()]
            lines += [
                f"example : Nat.{n} {a} {b} = {str(f(a, b)).lower()} := rfl"
                for n, f in PREDICATES.items()
            ]
        lines.append(f"example : Nat.log2 {a} = {max(a.bit_length() - 1, 0)} := rfl")
    completed = run(embedded_toolchain, tmp_path, "\n".join(lines) + "\n")
    assert errors_of(completed) == []


@pytest.mark.lean
def test_the_definitions_agree_with_the_kernel(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    """The functions behind the accelerated names have no accelerated name themselves."""
    lines = []
    for a in (0, 1, 2, 3, 5, 6, 11):
        for b in (0, 1, 2, 3, 4, 7):
            if b:
                lines.append(f"example : Nat.divFuel {b} {a} {a} = Nat.div {a} {b} := rfl")
                lines.append(f"example : Nat.modFuel {b} {a} {a} = Nat.mod {a} {b} := rfl")
            lines.append(f"example : Nat.gcdFuel {a} {a} {b} = Nat.gcd {a} {b} := rfl")
            for name, op in (("land", "and"), ("lor", "or"), ("xor", "xor")):
                lines.append(
                    f"example : Nat.bitwiseFuel Bool.{op} {a} {a} {b} = Nat.{name} {a} {b} := rfl"
                )
            lines.append(
                f"example : Nat.shiftLeft (Nat.mul 2 {a}) {b} = Nat.shiftLeft {a} {b + 1} := rfl"
            )
            lines.append(
                f"example : Nat.div (Nat.shiftRight {a} {b}) 2 = Nat.shiftRight {a} {b + 1} := rfl"
            )
            lines.append(f"example : Nat.pow {a} {b} * {a} = Nat.pow {a} {b + 1} := rfl")
        lines.append(f"example : Nat.log2Fuel {a} {a} = Nat.log2 {a} := rfl")
    lines += [
        "theorem add_zero (a : Nat) : Nat.add a 0 = a := rfl",
        "theorem add_succ (a b : Nat) : Nat.add a b.succ = (Nat.add a b).succ := rfl",
        "theorem sub_succ (a b : Nat) : Nat.sub a b.succ = Nat.pred (Nat.sub a b) := rfl",
        "theorem mul_succ (a b : Nat) : Nat.mul a b.succ = Nat.add (Nat.mul a b) a := rfl",
        "theorem pow_succ (a b : Nat) : Nat.pow a b.succ = Nat.mul (Nat.pow a b) a := rfl",
        "theorem ble_succ (a b : Nat) : Nat.ble a.succ b.succ = Nat.ble a b := rfl",
        "theorem beq_succ (a b : Nat) : Nat.beq a.succ b.succ = Nat.beq a b := rfl",
        'theorem string : "ab" = String.ofList [Char.ofNat 97, Char.ofNat 98] := rfl',
        "theorem char : 'a' = Char.ofNat 97 := rfl",
    ]
    assert errors_of(run(embedded_toolchain, tmp_path, "\n".join(lines) + "\n")) == []


ATTACKS = {
    "division": (
        "def Nat.div (_ _ : Nat) : Nat := 0\n"
        "theorem g (a b : Nat) : Nat.div a b = 0 := rfl\n"
        "theorem boom : False := nomatch (g 4 2).symm.trans (rfl : Nat.div 4 2 = 2)\n"
    ),
    "erased proof": "theorem boom : False := lcProof\n",
    "erased cast": "theorem boom : False := lcCast trivial\n",
    "unreachable": "theorem boom : False := lcUnreachable\n",
    "unsafe": "unsafe def boom' : False := boom'\ntheorem boom : False := boom'\n",
    "partial": "partial def f (n : Nat) : False := f (n + 1)\ntheorem boom : False := f 0\n",
    "implemented_by": (
        "def no : Bool := false\n@[implemented_by no] def yes : Bool := true\n"
        "theorem boom : yes = false := rfl\n"
    ),
    "opaque": "opaque boom : False\n",
    "opaque native": '@[extern ""] opaque boom : False\n',
    "recursion": "theorem boom : False := boom\n",
    "negative literal": "theorem boom : (0 : Nat) - 1 = 1 := rfl\n",
    "string": 'theorem boom : "a" = "b" := rfl\n',
    "never": "theorem boom : False := @outOfBounds (PLift False) ⟨⟨by assumption⟩⟩ |>.down\n",
}


@pytest.mark.lean
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_on_the_core_are_errors(
    embedded_toolchain: Toolchain, tmp_path: Path, name: str
) -> None:
    assert errors_of(run(embedded_toolchain, tmp_path, ATTACKS[name]))


@pytest.mark.lean
def test_the_core_rests_on_the_three_axioms(embedded_toolchain: Toolchain, tmp_path: Path) -> None:
    pattern = re.compile(r"(?:^|\s)theorem (\S+)")
    names = [
        bindings.quote(name) if "«" not in "".join(name) else ".".join(name)
        for module in embedded.modules()
        for name, _ in declarations(embedded.module_file(module), pattern)
    ]
    assert len(names) > 1000
    text = "".join(f"#print axioms {name}\n" for name in names)
    found = diagnostics(run(embedded_toolchain, tmp_path, text))
    assert [d.message for d in found if d.severity is not Severity.INFORMATION] == []
    assert len(found) == len(names)
    used = {
        axiom for d in found for axiom in re.findall(r"[\w.]+", d.message.partition("axioms: [")[2])
    }
    assert used == ALLOWED


def test_the_core_declares_no_other_axiom() -> None:
    declared: dict[str, bool] = {}
    for module in embedded.modules():
        for line in embedded.module_file(module).read_text(encoding="utf-8").splitlines():
            if match := re.search(r"(unsafe )?\baxiom (\S+)", line):
                declared[match[2]] = bool(match[1])
    safe = {name for name, unsafe in declared.items() if not unsafe}
    assert safe == {"propext", "Quot.sound", "Classical.choice", "sorryAx"}


def test_the_core_proves_what_it_states() -> None:
    for module in embedded.modules():
        text = embedded.module_file(module).read_text(encoding="utf-8")
        assert not re.search(r"\b(sorry|admit|skipKernelTC|native_decide)\b", text), module
