"""The audit's program: forged compiled files are refused, and what cannot be replayed is told."""

from __future__ import annotations

import dataclasses
import shutil
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_bench import LIMITS, Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit
from pytest_vsb.judge.acceptance import COMPILED_CODE_AXIOMS, Acceptance, Judgement
from pytest_vsb.judge.located import locate
from pytest_vsb.judge.program import answer, run
from pytest_vsb.judge.program.answer import Report
from pytest_vsb.judge.program.run import Replayer
from pytest_vsb.judge.running import LeanRun, Runner
from pytest_vsb.judge.stages import MODULE, Stages
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import ParsedOutput
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.lean.toolchain import Toolchain

FILE = """\
universe u
inductive Colour where
  | red
  | green
def size (c : Colour) : Nat := match c with | .red => 1 | .green => 2
def unused : Nat := 3
private def inner (n : Nat) : Nat := n
theorem known (n : Nat) : inner n = n := rfl
theorem small (c : Colour) : size c + inner 0 < (match c with | .red => 3 | .green => 4) := by
  cases c <;> decide
theorem any {α : Type u} (a : α) : a = a := rfl
"""
BEFORE, TARGET = FILE.split("theorem small")[0], "theorem small" + FILE.split("theorem small")[1]
TARGET = TARGET.split("theorem any")[0]
LAYOUT = ("olean-layout",)
REPLAYED = (*LAYOUT, "statement", "file", "axioms", "kernel-replay")
PRINTED = (*LAYOUT, "statement-printed", "axioms-printed")
SAME = "imports same\nstatement same\nfile same\n"
GOOD = SAME + "imported\nreplayed\naxiom propext\naxiom Quot.sound\nend\n"


class Forge:
    """Judges compiled files of any text, without policy and without a look at the errors."""

    def __init__(self, bench: Bench, lean: Toolchain | None = None) -> None:
        self.bench = bench
        runner = Runner(lean or bench.lean)
        self.stages = Stages(runner, LIMITS)
        self.acceptance = Acceptance(
            self.stages, Replayer(runner, bench.cache), audit.STANDARD_AXIOMS
        )

    def judge(
        self, text: str, name: str = "small", *, replay: bool = False, more: tuple[str, ...] = ()
    ) -> Judgement:
        """The judgement on a file that stands for the submission.

        Args:
            replay: see :meth:`Acceptance.judge`.
            more: the suffixes of further files that code in it has written.
        """
        task = self.bench.task(name, "A.lean")
        project = open_project(self.bench.root, self.bench.lean, cache=self.bench.cache)
        located = locate(project, task)
        with scratch() as directory:
            source = directory / f"{MODULE}.lean"
            source.write_text(text, encoding="utf-8")
            olean = directory / f"{MODULE}.olean"
            runner = Runner(self.bench.lean)
            places = (*located.search_path, *project.search_path(("Other",)))
            made = runner.run(source, places, "-o", str(olean), limits=LIMITS, olean=olean)
            assert not made.errors, made.errors
            assert olean.is_file()
            for suffix in more:
                olean.with_name(olean.name + suffix).write_bytes(olean.read_bytes())
            return self.acceptance.judge(task, located, directory, alone=False, replay=replay)


@pytest.fixture(scope="module")
def forge(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    root = tmp_path_factory.mktemp("replay")
    (root / "A.lean").write_text(FILE, encoding="utf-8")
    (root / "Other.lean").write_text("def other : Nat := 0\n", encoding="utf-8")
    made = Forge(Bench(root, lean, root / "cache"))
    task = made.bench.task("small", "A.lean")
    why = made.acceptance.no_replay(task, locate(open_project(root, lean), task))
    if why:
        pytest.skip(f"this Lean does not replay: {why}")
    yield made
    shutil.rmtree(root, ignore_errors=True)


def test_an_honest_file_is_replayed(forge: Forge) -> None:
    helper = "theorem helper (c : Colour) : size c < 3 := by cases c <;> decide\n"
    judgement = forge.judge(BEFORE + helper + TARGET)
    assert judgement.kind is VerdictKind.ACCEPTED
    assert judgement.assurance == REPLAYED
    assert judgement.axioms == ()


@pytest.mark.parametrize(
    "lie",
    [
        "set_option debug.skipKernelTC true in\ntheorem lie : (1 : Nat) = 2 := by decide +kernel",
        "set_option debug.skipKernelTC true in\nopaque lie : (1 : Nat) = 2 := by decide +kernel",
    ],
    ids=["theorem", "opaque"],
)
def test_what_the_kernel_never_saw_is_refused(forge: Forge, lie: str) -> None:
    proof = "by\n  exact absurd lie (by decide)\n"
    judgement = forge.judge(BEFORE + lie + "\n" + TARGET.split("by\n")[0] + proof)
    assert judgement.kind is VerdictKind.UNSOUND
    assert "a second time" in judgement.reason
    assert "lie" in judgement.reason
    assert "kernel-replay" in judgement.assurance
    assert "axioms" not in judgement.assurance


def test_a_forged_lemma_that_the_target_does_not_use_is_refused_too(forge: Forge) -> None:
    lie = (
        "set_option debug.skipKernelTC true in\ntheorem lie : (1 : Nat) = 2 := by decide +kernel\n"
    )
    assert forge.judge(BEFORE + lie + TARGET).kind is VerdictKind.UNSOUND


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("| red\n  | green", "| green\n  | red", "the statement does not mean"),
        ("Nat := n\n", "Nat := n + 0\n", "the statement does not mean"),
        ("unused : Nat := 3", "unused : Nat := 4", "unused"),
        ("inner n = n := rfl", "inner n = inner n := rfl", "known"),
        ("theorem small", "def small", "is a definition, not a theorem"),
        ("theorem small", "theorem other", "is missing"),
    ],
)
def test_what_is_not_as_in_the_original_file(forge: Forge, old: str, new: str, why: str) -> None:
    text = BEFORE + TARGET
    assert old in text
    changed = text.replace(old, new).replace("cases c <;> decide", "sorry")
    judgement = forge.judge(changed)
    assert judgement.kind is VerdictKind.UNSOUND
    assert why in judgement.reason


def test_other_imports_are_refused(forge: Forge) -> None:
    judgement = forge.judge("import Other\n" + BEFORE + TARGET)
    assert judgement.kind is VerdictKind.UNSOUND
    assert "imports" in judgement.reason


def test_universe_parameters_count(forge: Forge) -> None:
    judgement = forge.judge(BEFORE + "theorem any.{w} {α : Type w} (a : α) : a = a := rfl", "any")
    assert judgement.kind is VerdictKind.UNSOUND
    assert "universe parameters" in judgement.reason


def test_axioms_are_found_by_a_walk_of_our_own(forge: Forge) -> None:
    own = "axiom evil : ∀ n : Nat, n < 0\n"
    lemma = "theorem lemma1 (n : Nat) : n < 0 := evil n\n"
    bad = TARGET.replace("cases c <;> decide", "exact absurd (lemma1 0) (by decide)")
    judgement = forge.judge(BEFORE + own + lemma + bad)
    assert judgement.kind is VerdictKind.UNSOUND
    assert judgement.axioms == ("evil",)
    # An axiom that the target does not use is no part of a proof either.
    judgement = forge.judge(BEFORE + own + TARGET)
    assert judgement.kind is VerdictKind.UNSOUND
    assert "declares the axiom(s) evil" in judgement.reason
    judgement = forge.judge(BEFORE + TARGET.replace("cases c <;> decide", "exact sorry"))
    assert judgement.kind is VerdictKind.INCOMPLETE
    assert judgement.axioms == ("sorryAx",)


# A replay that cannot run


def wrapped(lean: Toolchain, directory: Path, body: str) -> Toolchain:
    """A Lean that a program stands before: it sees the arguments after ``lean``'s own words."""
    script = directory / "wrapper.py"
    script.write_text("import os, signal, sys\nwords = sys.argv[1:]\n" + body)
    script.write_text(script.read_text() + "\nos.execv(words[0], words)\n")
    return dataclasses.replace(lean, command=(sys.executable, str(script), *lean.command))


def test_a_lean_that_cannot_compile_the_program_prints(forge: Forge, tmp_path: Path) -> None:
    body = "if any('VsbAuditProgram' in word for word in words): sys.exit(1)"
    other = Forge(forge.bench, wrapped(forge.bench.lean, tmp_path, body))
    other.acceptance = Acceptance(
        other.stages,
        Replayer(other.stages.runner, tmp_path / "cache"),
        audit.STANDARD_AXIOMS,
    )
    judgement = other.judge(BEFORE + TARGET)
    assert judgement.kind is VerdictKind.ACCEPTED
    assert judgement.assurance == PRINTED
    bad = other.judge(BEFORE.replace("green => 2", "green => 0") + TARGET)
    # The same text of the type: only the replay sees through to the definitions.
    assert bad.assurance == PRINTED


# Looks at what is to be replayed, as the submission of an attacker would have its effect on it.
SEES = """
olean = os.path.join(os.path.dirname(words[-1]), "VsbSubmission.olean")
def sees(word):
    return "--run" in words and os.path.exists(olean) and word in open(olean, "rb").read()
"""
FAILURES = {
    "crash": ("os.kill(os.getpid(), signal.SIGSEGV)", VerdictKind.CRASHED, "signal"),
    "timeout": ("import time; time.sleep(60)", VerdictKind.TIMEOUT, "longer than"),
    "memory": (
        "block = bytearray(1 << 30); import time; time.sleep(60)",
        VerdictKind.OUT_OF_MEMORY,
        "more than",
    ),
    "nothing said": ("sys.exit(0)", VerdictKind.CRASHED, "not understood"),
    "exit code": ("sys.exit(7)", VerdictKind.CRASHED, "exit code 7"),
    "kernel gives up": (
        f"print({SAME + 'imported'!r}); sys.exit('uncaught exception: (kernel) deep recursion')",
        VerdictKind.CRASHED,
        "gave up",
    ),
    "half an answer": (f"print({SAME!r}, end=''); sys.exit(1)", VerdictKind.CRASHED, "failed"),
}
HELPER = "theorem helper (c : Colour) : size c < 3 := by cases c <;> decide\n"


def failing(forge: Forge, directory: Path, body: str) -> Forge:
    made = Forge(forge.bench, wrapped(forge.bench.lean, directory, SEES + body))
    task = forge.bench.task("small", "A.lean")
    located = locate(open_project(forge.bench.root, forge.bench.lean), task)
    assert made.acceptance.no_replay(task, located) == ""
    return made


@pytest.mark.parametrize("failure", FAILURES)
def test_a_submission_whose_replay_fails_is_not_accepted(
    forge: Forge, tmp_path: Path, failure: str
) -> None:
    action, kind, why = FAILURES[failure]
    other = failing(forge, tmp_path, f"if sees(b'helper'): {action}")
    other.stages.limits = Limits(3.0) if failure == "timeout" else Limits(60.0, memory_mb=900)
    judgement = other.judge(BEFORE + HELPER + TARGET, replay=failure == "crash")
    assert judgement.kind is kind, judgement.reason
    assert "cannot be checked a second time" in judgement.reason
    assert why in judgement.reason
    assert judgement.assurance == LAYOUT
    assert len(judgement.runs) == 2
    # Nobody else suffers by it.
    other.stages.limits = LIMITS
    assert other.judge(BEFORE + TARGET).assurance == REPLAYED


def test_a_replay_is_tried_again(forge: Forge, tmp_path: Path) -> None:
    mark = tmp_path / "failed"
    action = f"open({str(mark)!r}, 'x'); os.kill(os.getpid(), signal.SIGSEGV)"
    body = f"if sees(b'helper') and not os.path.exists({str(mark)!r}): {action}"
    judgement = failing(forge, tmp_path, body).judge(BEFORE + HELPER + TARGET)
    assert judgement.kind is VerdictKind.ACCEPTED
    assert judgement.assurance == REPLAYED
    assert len(judgement.runs) == 2


def test_a_replay_that_fails_for_the_original_file_too_blames_nobody(
    forge: Forge, tmp_path: Path
) -> None:
    mark = tmp_path / "fail"
    body = f"if '--run' in words and os.path.exists({str(mark)!r}): sys.exit(1)"
    other = failing(forge, tmp_path, body)
    mark.touch()
    with pytest.raises(EnvironmentUnavailable, match="ran for this task before"):
        other.judge(BEFORE + TARGET)


@pytest.mark.parametrize("suffix", [".private", ".server", ".more"])
def test_a_compiled_file_too_many(forge: Forge, suffix: str) -> None:
    judgement = forge.judge(BEFORE + TARGET, more=(suffix,))
    assert judgement.kind is VerdictKind.UNSOUND
    assert f"{MODULE}.olean{suffix}" in judgement.reason
    assert "kernel-replay" not in judgement.assurance


def test_compiled_code_is_believed_only_where_it_is_used(forge: Forge) -> None:
    axioms = audit.STANDARD_AXIOMS | COMPILED_CODE_AXIOMS
    replayer = Replayer(forge.stages.runner, forge.bench.cache)
    other = Forge(forge.bench)
    other.acceptance = Acceptance(forge.stages, replayer, axioms)
    lie = "set_option debug.skipKernelTC true in\ntheorem lie : (1 : Nat) = 2 := by decide +kernel"
    proof = "by\n  exact absurd lie (by decide)\n"
    judgement = other.judge(BEFORE + lie + "\n" + TARGET.split("by\n")[0] + proof)
    assert judgement.kind is VerdictKind.UNSOUND
    assert "kernel-replay" in judgement.assurance


def test_a_file_that_is_no_olean(forge: Forge) -> None:
    task = forge.bench.task("small", "A.lean")
    located = locate(open_project(forge.bench.root, forge.bench.lean), task)
    with scratch() as directory:
        (directory / f"{MODULE}.olean").write_bytes(b"olean" + bytes(200))
        judgement = forge.acceptance.judge(task, located, directory, alone=True)
    assert judgement.kind is VerdictKind.UNSOUND
    assert "kernel-replay" not in judgement.assurance


# How a process ended


def ended(stdout: str, stderr: str = "", code: int = 0) -> LeanRun:
    completed = Completed(
        argv=("lean",),
        outcome=Outcome.EXITED,
        exit_code=code,
        signal=None,
        stdout=stdout,
        stderr=stderr,
        truncated=False,
        wall_seconds=0.1,
        cpu_seconds=0.1,
        peak_memory_mb=1.0,
    )
    return LeanRun(completed, ParsedOutput((), ""))


def test_what_an_ended_process_means() -> None:
    good = run.judge_run(ended(GOOD), LIMITS)
    assert good.report is not None
    assert good.report.axioms == ("Quot.sound", "propext")
    assert (good.refusal, good.trouble) == ("", "")
    said = "uncaught exception: while replaying 'x': (kernel) declaration type mismatch"
    refused = run.judge_run(ended(SAME + "imported\n", said, 1), LIMITS)
    assert "type mismatch" in refused.refusal
    for stdout, stderr in [
        (SAME + "imported\n", "uncaught exception: (kernel) deep recursion detected"),
        (SAME + "imported\n", "killed"),
        (SAME, "uncaught exception: object file of module X does not exist"),
        (GOOD, "uncaught exception: late"),
        ("", "uncaught exception: failed to open file"),
    ]:
        trouble = run.judge_run(ended(stdout, stderr, 1), LIMITS)
        assert trouble.trouble
        assert not trouble.refusal
        assert trouble.report is None


def test_answers() -> None:
    assert answer.read("imports other\n") == Report(same_imports=False, complete=True)
    found = answer.read("imports same\nstatement other a b\nfile other x\nnew-axiom e\nimported\n")
    assert found == Report(True, "a b", "x", ("e",), started=True)
    for text in (
        "",
        "imports same\n",
        "imports other\nend\n",
        "hello\n" + GOOD,
        GOOD + "end\n",
        GOOD + GOOD,
        GOOD.replace("replayed\n", ""),
        GOOD.replace("imported\n", ""),
        GOOD.replace("same", "maybe", 1),
        GOOD.replace("axiom propext", "axiom a\nreplayed"),
    ):
        assert answer.read(text) is None


@given(
    st.lists(
        st.sampled_from([*GOOD.splitlines(), "axiom x", "new-axiom e", "", "statement other w"])
    )
)
def test_only_the_right_order_is_complete(lines: list[str]) -> None:
    found = answer.read("\n".join(lines) + "\n")
    if found is not None and found.complete and found.same_imports:
        heads = [line.split(" ")[0] for line in lines]
        assert heads[:3] == ["imports", "statement", "file"]
        assert heads.count("replayed") == heads.count("imported") == heads.count("end") == 1
        assert heads[-1] == "end"


@given(st.text(max_size=30))
def test_strings_are_quoted(text: str) -> None:
    quoted = answer.quoted(text)
    inner = quoted[1:-1]
    assert quoted[0] == quoted[-1] == '"'
    assert "\n" not in inner
    unescaped = inner.replace("\\\\", "\0\0") if "\0" not in text else inner
    if "\0" not in text:
        plain = unescaped.replace('\\"', '"').replace("\\n", "\n").replace("\\r", "\r")
        assert plain.replace("\\t", "\t").replace("\0\0", "\\") == text


def test_names_are_terms() -> None:
    assert answer.name_term("a") == '(Lean.Name.mkStr .anonymous "a")'
    assert answer.name_term("A.«b.c»") == (
        '(Lean.Name.mkStr (Lean.Name.mkStr .anonymous "A") "b.c")'
    )
    private = answer.name_term("x", "M")
    assert private == (
        "(Lean.Name.mkStr (Lean.Name.mkNum (Lean.Name.mkStr (Lean.Name.mkStr .anonymous "
        '"_private") "M") 0) "x")'
    )


Make = Callable[..., Bench]


def test_a_private_target_with_a_match_and_a_lemma_of_the_same(bench: Make) -> None:
    text = (
        "inductive C where\n  | red\n  | green\n"
        "private theorem hidden (c : C) : (match c with | .red => 1 | _ => 2) ≠ 3 := by\n"
        "  cases c <;> decide\n"
    )
    made = bench({"A.lean": text})
    lemma = "theorem l (c : C) : (match c with | .red => 1 | _ => 2) ≠ 3 := by cases c <;> decide"
    assert made.judge("hidden", "l c", lemma, "A.lean").kind is VerdictKind.ACCEPTED


# Facts that compiled terms carry about themselves


def lying(olean: bytes) -> tuple[bytes, int]:
    """An olean in which each application and binder says of itself that nothing is free in it, and
    how many there were."""
    found, lies, place = bytearray(olean), 0, 96
    while place + 8 <= len(olean):
        size, pointers, tag = struct.unpack_from("<4xHBB", olean, place)
        if (tag, pointers) in ((5, 2), (6, 3), (7, 3), (8, 4)):
            facts = place + 8 + 8 * pointers
            found[facts : facts + 8] = bytes(8)
            lies += 1
        if tag > 244:
            units = {246: 8, 248: pointers, 249: 1}[tag]
            capacity = struct.unpack_from("<Q", olean, place + 16)[0]
            size = ((32 if tag == 249 else 24) + units * capacity + 7) // 8 * 8
        place += size
    return bytes(found), lies


def test_terms_are_made_anew(forge: Forge) -> None:
    text = "def f (n : Nat) : Nat := n + 1\ntheorem t (n : Nat) : f n = n + 1 := rfl\n"
    lean = forge.bench.lean
    places = open_project(forge.bench.root, lean).search_path(())
    with scratch() as directory:
        source = directory / f"{MODULE}.lean"
        source.write_text(text, encoding="utf-8")
        olean = directory / f"{MODULE}.olean"
        Runner(lean).run(source, places, "-o", str(olean), limits=LIMITS, olean=olean)
        honest = olean.read_bytes()
        if honest[:6] != b"olean\x02":
            pytest.skip("the test does not know this format")
        original = directory / "VsbOriginal.olean"
        original.write_bytes(honest)
        forged, lies = lying(honest)
        assert lies > 20
        olean.write_bytes(forged)
        done = Replayer(Runner(lean), forge.bench.cache).replay(
            original, olean, places, [answer.name_term("t")], [], LIMITS
        )
    # Were the facts believed, the kernel would find variables that nothing binds.
    assert done.report == Report(True, started=True, replayed=True, complete=True)
