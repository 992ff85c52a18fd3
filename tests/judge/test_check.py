"""A verdict of every kind, by a real Lean."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.slots import LeanSlots
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate

pytestmark = pytest.mark.lean

Make = Callable[..., Bench]
NO_LIMITS = "set_option maxHeartbeats 0\nset_option maxRecDepth 1000000000\n"


def errors(verdict: Verdict) -> list[tuple[int, int, str]]:
    """Line, column and region of each error."""
    return [
        (d.start.line, d.start.column, d.region)
        for d in verdict.diagnostics
        if d.severity.value == "error"
    ]


def tree(root: Path) -> dict[str, tuple[int, int, str]]:
    """Everything below a directory, with contents and times of change."""
    found = {}
    for path in sorted(root.rglob("*")):
        facts = path.stat()
        data = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
        digest = hashlib.sha256(data).hexdigest()
        found[str(path.relative_to(root))] = (facts.st_mtime_ns, facts.st_mode, digest)
    return found


# The kinds


def test_accepted_says_what_it_rests_on(vault: Bench) -> None:
    verdict = vault.judge("Vault.double_two", "rfl")
    assert verdict.kind is VerdictKind.ACCEPTED
    assert verdict.assurance == (
        *("policy", "compile", "olean-layout", "statement", "file", "axioms", "kernel-replay"),
        "unsandboxed",
    )
    assert verdict.axioms == ()
    assert verdict.reason == ""
    assert verdict.lean_seconds > 0
    assert verdict.peak_memory_mb > 1
    assert vault.lean.version in verdict.toolchain
    submission = vault.checker.submission(vault.task("Vault.double_two"), Candidate("rfl"))
    assert verdict.submission == submission.digest


def test_axioms_are_told_and_can_be_allowed(vault: Bench) -> None:
    proof = "by\n  have h : (double 2 = 4) = True := propext ⟨fun _ => trivial, fun _ => rfl⟩\n"
    verdict = vault.judge("Vault.double_two", proof + "  exact h ▸ trivial")
    assert (verdict.kind, verdict.axioms) == (VerdictKind.ACCEPTED, ("propext",))
    by_oracle = vault.judge("Vault.double_two", "oracle _")
    assert by_oracle.kind is VerdictKind.UNSOUND
    assert "Vault.oracle" in by_oracle.reason
    allowing = type(vault.checker)(
        vault.checker.project, vault.checker.limits, allowed_axioms=frozenset({"Vault.oracle"})
    )
    again = allowing.check(vault.task("Vault.double_two"), Candidate("oracle _"))
    assert again.kind is VerdictKind.ACCEPTED


def test_many_axioms_over_several_lines(bench: Make) -> None:
    names = [f"assumption_with_a_rather_long_name_{number}" for number in range(30)]
    text = "".join(f"axiom {name} : 1 = 1\n" for name in names)
    one = bench({"A.lean": f"{text}\ntheorem t : 1 = 1 := rfl\n"})
    proof = "".join(f"({name}).trans (" for name in names) + "rfl" + ")" * len(names)
    verdict = one.judge("t", proof, path="A.lean")
    assert verdict.kind is VerdictKind.UNSOUND
    assert set(verdict.axioms) == set(names)


def test_a_changed_statement_is_shown(vault: Bench) -> None:
    verdict = vault.judge("Vault.Closed.halves", "rfl", "def double (n : Nat) : Nat := n")
    assert verdict.kind is VerdictKind.UNSOUND
    assert "Vault.Closed.double n" in verdict.reason
    assert "Vault.double n" in verdict.reason


@pytest.mark.parametrize("tactic", ["exact?", "apply?", "constructor <;> exact?"])
def test_an_unfinished_search_is_no_proof(vault: Bench, tactic: str) -> None:
    verdict = vault.judge("Vault.Closed.halves", f"by {tactic}")
    assert verdict.kind in (VerdictKind.REJECTED, VerdictKind.INCOMPLETE)


def test_timeout(bench: Make) -> None:
    one = bench({"A.lean": "theorem t (n : Nat) : n = n := rfl\n"})
    one.checker.prepare(one.task("t", "A.lean"))
    one.checker.limits = Limits(wall_seconds=1.5)
    endless = f"{NO_LIMITS}theorem aux : True := by\n  repeat (have h : True := trivial)\n"
    verdict = one.judge("t", "rfl", endless, "A.lean")
    assert verdict.kind is VerdictKind.TIMEOUT
    assert "1.5 s" in verdict.reason
    assert verdict.lean_seconds < 60


def test_out_of_memory(bench: Make) -> None:
    one = bench({"A.lean": "theorem t (n : Nat) : n = n := rfl\n"})
    one.checker.prepare(one.task("t", "A.lean"))
    usual = one.judge("t", "rfl", path="A.lean").peak_memory_mb
    one.checker.limits = Limits(wall_seconds=120, memory_mb=int(usual) + 30)
    assert one.judge("t", "rfl", path="A.lean").kind is VerdictKind.ACCEPTED
    depth = 12_000
    hog = f"{NO_LIMITS}theorem aux : {'(1 + ' * depth}1{')' * depth} = 2 := rfl\n"
    verdict = one.judge("t", "rfl", hog, "A.lean")
    assert verdict.kind is VerdictKind.OUT_OF_MEMORY
    assert f"{int(usual) + 30} MB" in verdict.reason


def test_a_stack_overflow_is_a_crash_and_the_next_check_is_right(
    lean: Toolchain, bench: Make
) -> None:
    # A real overflow that does not take long: threads with a small stack.
    options = ("-DmaxRecDepth=1000000000", "-s512")
    small = dataclasses.replace(lean, command=(*lean.command, *options))
    one = bench({"A.lean": "theorem t (n : Nat) : n = n := rfl\n"}, lean=small)
    deep = "id (" * 4000 + "rfl" + ")" * 4000
    verdict = one.judge("t", deep, path="A.lean")
    assert verdict.kind is VerdictKind.CRASHED
    assert "overflow" in verdict.reason
    assert one.judge("t", "rfl", path="A.lean").kind is VerdictKind.ACCEPTED
    assert one.judge("t", "n", path="A.lean").kind is VerdictKind.REJECTED


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("file", {"path": "Nothing.lean"}, "no file Nothing.lean"),
        ("outside", {"path": "../vault/Vault.lean"}, "not a path inside"),
        ("target", {"name": "Vault.double_too"}, "no declaration Vault.double_too"),
        ("statement", {"statement": "theorem double_two : double 2 = 5"}, "is not the one"),
    ],
)
def test_unavailable_by_the_task(
    vault: Bench, name: str, change: dict[str, str], words: str
) -> None:
    task = dataclasses.replace(vault.task("Vault.double_two"), **change)  # type: ignore[arg-type]
    with pytest.raises(EnvironmentUnavailable, match=words):
        vault.checker.prepare(task)
    with pytest.raises(EnvironmentUnavailable, match=words):
        vault.checker.check(task, Candidate("rfl"))


def test_unavailable_by_the_repository(bench: Make) -> None:
    files = {
        "Broken.lean": "theorem wrong : 1 = 2 := rfl\n\ntheorem t : 1 = 1 := rfl\n",
        "Imports.lean": "import Elsewhere.Entirely\n\ntheorem t : 1 = 1 := rfl\n",
        "Later.lean": "theorem t : 1 = 1 := rfl\n\ntheorem wrong : 1 = 2 := rfl\n",
    }
    one = bench(files)
    with pytest.raises(EnvironmentUnavailable, match="does not compile") as broken:
        one.judge("t", "rfl", path="Broken.lean")
    assert "Broken.lean" in str(broken.value)
    with pytest.raises(EnvironmentUnavailable, match=r"Elsewhere\.Entirely"):
        one.judge("t", "rfl", path="Imports.lean")
    # What stands below the target is no part of a submission.
    assert one.judge("t", "rfl", path="Later.lean").accepted


# The environment is never the candidate's fault


@pytest.fixture
def shim(lean: Toolchain, tmp_path: Path) -> Callable[[str], Toolchain]:
    """A Lean with a shell script before it: ``shim(script)``, where ``$COUNT`` is a file."""

    def make(text: str) -> Toolchain:
        script = tmp_path / "shim.sh"
        count = tmp_path / "count"
        script.write_text(f'#!/bin/sh\nCOUNT={count}\n{text}\nexec "$@"\n')
        script.chmod(0o755)
        return dataclasses.replace(lean, command=(str(script), *lean.command))

    return make


def test_a_lean_killed_once_by_something_else_is_started_again(
    shim: Callable[[str], Toolchain], bench: Make
) -> None:
    lean = shim('echo x >> "$COUNT"; [ "$(wc -l < "$COUNT")" = 3 ] && kill -KILL $$')
    one = bench({"A.lean": "theorem t : 1 = 1 := rfl\n"}, lean=lean)
    assert one.judge("t", "rfl", path="A.lean").accepted


@pytest.mark.parametrize("signal", ["KILL", "TERM"])
def test_a_lean_killed_twice_is_unavailable(
    shim: Callable[[str], Toolchain], bench: Make, signal: str
) -> None:
    lean = shim(f'echo x >> "$COUNT"; [ "$(wc -l < "$COUNT")" -ge 3 ] && kill -{signal} $$')
    one = bench({"A.lean": "theorem t : 1 = 1 := rfl\n"}, lean=lean)
    with pytest.raises(EnvironmentUnavailable, match=f"SIG{signal}"):
        one.judge("t", "rfl", path="A.lean")


@pytest.mark.parametrize("room", [True, False])
def test_a_full_disk_is_unavailable(
    shim: Callable[[str], Toolchain], bench: Make, monkeypatch: pytest.MonkeyPatch, room: bool
) -> None:
    full = 'echo x >> "$COUNT"; [ "$(wc -l < "$COUNT")" -ge 3 ] && echo x > /dev/full && exit 0'
    message = 'echo "error: write: No space left on device" >&2; exit 1'
    lean = shim(f'{full}\n[ "$(wc -l < "$COUNT")" -ge 3 ] && {{ {message}; }}')
    one = bench({"A.lean": "theorem t : 1 = 1 := rfl\n"}, lean=lean)
    if room:
        # A candidate can say so, too.
        assert one.judge("t", "rfl", path="A.lean").kind is VerdictKind.CRASHED
        return
    monkeypatch.setattr("pytest_vsb.judge.running._ROOM_BYTES", 2**70)
    with pytest.raises(EnvironmentUnavailable, match="no space left"):
        one.judge("t", "rfl", path="A.lean")


def test_no_place_for_scratch_files_is_unavailable(
    vault: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.checker.prepare(vault.task("Vault.double_two"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(EnvironmentUnavailable, match="TMPDIR"):
        vault.judge("Vault.double_two", "rfl")


def test_a_lean_without_json(lean: Toolchain, bench: Make) -> None:
    old = dataclasses.replace(lean, json=False)
    one = bench({"A.lean": "def f (n : Nat) := n\n\ntheorem t : f 1 = 1 := rfl\n"}, lean=old)
    assert one.judge("t", "rfl", path="A.lean").accepted
    assert one.judge("t", "sorry", path="A.lean").kind is VerdictKind.INCOMPLETE
    rejected = one.judge("t", "nonsense", path="A.lean")
    assert errors(rejected) == [(3, 23, "proof")]
    changed = one.judge("t", "rfl", "instance : OfNat Nat 1 := ⟨f 1⟩", "A.lean")
    assert changed.kind is VerdictKind.UNSOUND


# Targets of all shapes

SHAPES = """\
/-! Targets of many shapes: ℝ → ℕ. -/
section
variable {α : Type} (xs ys : List α) [Inhabited α]
include xs
theorem with_include (p : Prop) (h : p) : p := h
omit xs in
theorem with_omit (p : Prop) (h : p) : p := h
end

namespace Deep.«odd name»

def double (n : Nat) : Nat := n + n

open Deep in
@[simp] protected theorem «the target» (n : Nat) : double n = n + n := rfl

theorem by_where (p q : Prop) (h : p ∧ q) : q ∧ p := by exact ⟨right, left⟩
where
  left : p := h.1
  right : q := h.2

theorem by_cases' : (n : Nat) → n = n
  | 0 => rfl
  | _ + 1 => rfl

def count : Nat → Nat
  | 0 => 0
  | n + 1 => count n + 1
termination_by n => n

theorem count_zero : count 0 = 0 := by simp [count]

end Deep.«odd name»

theorem _root_.Deep.outside (α : Type) (x : α) : x = x := rfl
"""

TARGETS = {
    "with_include": "h",
    "with_omit": "h",
    "Deep.«odd name».«the target»": "rfl",
    "Deep.«odd name».by_where": "⟨b, a⟩\nwhere\n  a : p := h.1\n  b : q := h.2",
    "Deep.«odd name».by_cases'": "| 0 => rfl\n| _ + 1 => rfl",
    "Deep.«odd name».count_zero": "by\n  unfold count\n  rfl",
    "Deep.outside": "rfl",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", ["Deep.«odd name».«the target»", "Deep.outside"])
def test_targets_with_both_line_ends(bench: Make, name: str, newline: str) -> None:
    one = bench({"Shapes.lean": SHAPES.replace("\n", newline)})
    verdict = one.judge(name, TARGETS[name], path="Shapes.lean")
    assert verdict.accepted, (verdict.reason, verdict.diagnostics)


@pytest.mark.parametrize("name", [n for n in TARGETS if n not in ("Deep.outside",)])
def test_targets_of_many_shapes(bench: Make, name: str) -> None:
    one = bench({"Shapes.lean": SHAPES})
    verdict = one.judge(name, TARGETS[name], path="Shapes.lean")
    assert verdict.accepted, (verdict.reason, verdict.diagnostics)


def test_a_definition_whose_type_depends_on_its_body(bench: Make) -> None:
    text = "section\nvariable (n : Nat) (h : 0 < n)\nnoncomputable def t : Nat := n\nend\n"
    one = bench({"A.lean": text})
    reference = one.task("t", "A.lean", reference=":= n")
    # A definition takes the variables that its body mentions; `sorry` mentions none.
    assert one.judge("t", "n", path="A.lean").kind is VerdictKind.UNSOUND
    assert one.checker.check(reference, Candidate("n + 0")).accepted
    assert one.checker.check(reference, Candidate("5")).accepted
    both = Candidate("(fun _ => n) h")
    assert one.checker.check(reference, both).kind is VerdictKind.UNSOUND
    # The same target in another task file, with another reference proof.
    other = one.task("t", "A.lean", reference=":= (fun _ => n) h")
    assert one.checker.check(other, both).accepted
    assert one.checker.check(other, Candidate("n + 0")).kind is VerdictKind.UNSOUND


def test_no_candidate_is_blamed_where_the_reference_proof_runs_out_of_time(bench: Make) -> None:
    text = "section\nvariable (n : Nat)\nnoncomputable def t : Nat := n\nend\n"
    one = bench({"A.lean": text}, limits=Limits(wall_seconds=60.0))
    task = one.task("t", "A.lean", reference=":= n")
    originals = one.checker._acceptance.originals
    originals.stub(task, one.checker._locate(task))
    one.checker.limits = Limits(wall_seconds=0.01)
    with pytest.raises(EnvironmentUnavailable, match=r"settles what .* ran out of time"):
        originals.reference(task, one.checker._locate(task))
    one.checker.limits = Limits(wall_seconds=60.0)
    assert one.checker.check(task, Candidate("n + 0")).accepted


def test_proofs_inside_of_a_statement_may_differ(bench: Make) -> None:
    text = (
        "theorem t (n : Nat) : (fun h : n + 0 = n => h) (by simp) = rfl := rfl\n"
        "theorem u (n : Nat) : (fun _ : n + 0 = n => 1) (by simp) = 1 := rfl\n"
    )
    one = bench({"A.lean": text})
    lemma = "@[simp] theorem mine (n : Nat) : (n + 0 = n) = True := eq_true rfl"
    for name in ("t", "u"):
        assert one.judge(name, "rfl", lemma, "A.lean").accepted, name


# Diagnostics


def test_regions_and_lines(vault: Bench) -> None:
    auxiliary = "theorem ℝ_aux : double 2 = 5 := by\n  rfl"
    verdict = vault.judge("Vault.double_two", "by\n  exact αβ", auxiliary)
    assert verdict.kind is VerdictKind.REJECTED
    task = vault.task("Vault.double_two")
    candidate = Candidate("by\n  exact αβ", auxiliary)
    lines = vault.checker.submission(task, candidate).text.split("\n")
    places = errors(verdict)
    assert [region for *_, region in places] == ["auxiliary", "proof"]
    assert lines[places[0][0] - 1] == "  rfl"
    assert lines[places[1][0] - 1][places[1][1] :] == "αβ"
    excerpts = vault.checker.excerpts(task, candidate, verdict)
    assert len(excerpts) == len(verdict.diagnostics)
    assert f"{places[0][0]:>5} |   rfl" in excerpts[0].split("\n")
    assert len(excerpts[0].split("\n")) <= 12


def test_regions_of_a_file_with_other_line_ends(bench: Make) -> None:
    text = "/-! ℝ -/\n\ntheorem a : 1 = 1 := rfl\n\ntheorem t (n : Nat) : n = n := rfl\n"
    one = bench({"A.lean": text.replace("\n", "\r\n")})
    verdict = one.judge("t", "by\n  have h := nonsense\n  rfl", path="A.lean")
    assert (6, 12, "proof") in errors(verdict)
    assert {region for *_, region in errors(verdict)} == {"proof"}
    task = one.task("t", "A.lean")
    excerpt = one.checker.excerpts(task, Candidate("by\n  have h := nonsense\n  rfl"), verdict)[0]
    assert "\r" not in excerpt
    assert "    6 |   have h := nonsense" in excerpt


def test_a_broken_statement_is_of_the_statement(vault: Bench) -> None:
    verdict = vault.judge("Vault.Closed.halves", "rfl", "structure double where\n  only : Nat")
    assert verdict.kind is VerdictKind.REJECTED
    assert "statement" in [region for *_, region in errors(verdict)]


def test_goals_are_shown(vault: Bench) -> None:
    verdict = vault.judge("Vault.ascription", "by\n  constructor\n  · rfl")
    goals = [d.goal for d in verdict.diagnostics if d.goal]
    assert verdict.kind is VerdictKind.REJECTED
    assert any("⊢" in goal for goal in goals)


def test_the_probe_of_a_private_target_is_not_told(vault: Bench) -> None:
    verdict = vault.judge("Vault.hidden", "rfl")
    assert verdict.accepted
    assert all("VsbProbe" not in d.message for d in verdict.diagnostics)


def test_warnings_of_the_repository_are_not_told(vault: Bench) -> None:
    verdict = vault.judge("Vault.double_two", "(fun unused => rfl) 5")
    assert verdict.accepted
    assert "context" not in [d.region for d in verdict.diagnostics]
    assert vault.judge("Vault.double_two", "sorry").diagnostics[0].region == "statement"


# Side effects, and many checks


def test_nothing_is_written_into_the_repository(vault: Bench) -> None:
    before = tree(vault.root)
    for proof in ("rfl", "sorry", "nonsense", "by native_decide"):
        vault.judge("Vault.double_two", proof)
    assert tree(vault.root) == before


def test_a_repository_that_cannot_be_written(bench: Make) -> None:
    one = bench({"A.lean": "import B\ntheorem t : b = b := rfl\n", "B.lean": "def b := 1\n"})
    one.root.chmod(0o555)
    try:
        assert one.judge("t", "rfl", path="A.lean").accepted
    finally:
        one.root.chmod(0o755)


def _many(one: Bench, number: int) -> None:
    for index in range(number):
        right = index % 3 != 0
        verdict = one.judge("t", f"{index} |> fun _ => {'rfl' if right else 'n'}", path="A.lean")
        expected = VerdictKind.ACCEPTED if right else VerdictKind.REJECTED
        assert verdict.kind is expected, index


def test_checks_in_a_row_are_all_judged(bench: Make, tmp_path: Path) -> None:
    one = bench({"A.lean": "theorem t (n : Nat) : n = n := rfl\n"})
    slots = LeanSlots(tmp_path / "slots", 1)
    one.checker = type(one.checker)(one.checker.project, one.checker.limits, slots=slots)
    _many(one, 6)


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("VSB_SLOW_TESTS"), reason="takes minutes; VSB_SLOW_TESTS=1 runs it"
)
def test_a_thousand_checks_in_a_row(bench: Make) -> None:
    _many(bench({"A.lean": "theorem t (n : Nat) : n = n := rfl\n"}), 1000)
