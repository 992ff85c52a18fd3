"""Measure warm sessions: the time and the processor time of a check in one, against a fresh Lean,
and what memory a session holds over many checks.

python bench/session.py [--checks N] [--declarations N]
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import psutil

from pytest_vsb.lean import process, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.lean.session import Session
from pytest_vsb.lean.toolchain import Toolchain

LIMITS = Limits(wall_seconds=300.0)
DEMO = Path(__file__).parents[1] / "benchmark" / "demo" / "Demo" / "Syntax.lean"
STATEMENT = "theorem target (xs ys : List Nat) (h : xs ++ [] = ys) : ys = xs"
PROOFS = {
    "right": "by\n  rw [List.append_nil] at h\n  exact h.symm",
    "wrong term": "by\n  rw [List.append_nil] at h\n  exact h",
    "unknown name": "by\n  simp [List.append_nothing] at h\n  exact h.symm",
    "does not parse": "by\n  rw [List.append_nil at h\n  exact h.symm",
    "unsolved goal": "by\n  cases xs with\n  | nil => exact h.symm\n  | cons x xs => simp",
}


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--checks", type=int, default=1000, help="of the session whose memory counts"
    )
    parser.add_argument("--declarations", type=int, default=500, help="of the large module")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of the comparison")
    parser.add_argument("--lean", default="auto", help="which Lean")
    options = parser.parse_args()
    lean = toolchain.find(options.lean)
    print(lean.describe())
    modules = {
        f"{DEMO.stem} of the demo": DEMO.read_text(encoding="utf-8"),
        f"{options.declarations} declarations": large(options.declarations),
    }
    print("\n| module | candidate | fresh s | session s | faster | fresh CPU s | session CPU s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, prefix in modules.items():
        compare(lean, name, prefix, options.repeat)
    print("\n| checks | resident MB |\n| ---: | ---: |")
    memory(lean, modules[f"{DEMO.stem} of the demo"], options.checks)


def large(declarations: int) -> str:
    """A module with so many definitions, inductive types and lemmas."""
    kinds = (
        "def f{0} (n : Nat) : Nat := n + {0}",
        "inductive T{0} where\n  | a (n : Nat)\n  | b (x : T{0})",
        "def s{0} : T{1} -> Nat\n  | .a n => n\n  | .b x => s{0} x + 1",
        "theorem t{0} (x y : Nat) (h : x = y) : f{3} x = f{3} y := by\n  rw [h]",
        "theorem u{0} (x : T{3}) : s{2} (.b x) = s{2} x + 1 := by\n  simp [s{2}]",
    )
    parts = [
        kinds[n % len(kinds)].format(n, n - 1, n - 2, n - 3, n - 4) for n in range(declarations)
    ]
    return "\n\n".join(["namespace Large", *parts, "end Large", ""])


def compare(lean: Toolchain, module: str, prefix: str, repeat: int) -> None:
    """One row a candidate: medians of each way, taken in turn."""
    session = Session(lean, (), limits=LIMITS)
    try:
        session.check(prefix, wall_seconds=300)
        rows: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in PROOFS}
        for number in range(repeat):
            for name, proof in PROOFS.items():
                text = f"{prefix}\n{STATEMENT} := {proof}\n-- {number}\n"
                wall, cpu = fresh(lean, text)
                before = used()
                warm = session.check(text, wall_seconds=300)
                # What Lean does for an editor after its answer counts, too.
                time.sleep(0.5)
                rows[name].append((wall, cpu, warm.wall_seconds, used() - before))
    finally:
        session.close()
    for name, found in rows.items():
        wall, cpu, warm_wall, warm_cpu = map(statistics.median, zip(*found, strict=True))
        faster = wall / warm_wall
        print(
            f"| {module} | {name} | {wall:.2f} | {warm_wall:.3f} | {faster:.0f} × |"
            f" {cpu:.2f} | {warm_cpu:.3f} |",
            flush=True,
        )


def fresh(lean: Toolchain, text: str) -> tuple[float, float]:
    """Wall and processor seconds of a Lean of its own."""
    with scratch() as directory:
        file = directory / "VsbSubmission.lean"
        file.write_text(text, encoding="utf-8")
        argv = lean.argv("--json", f"--root={directory}", str(file))
        done = process.run(argv, cwd=directory, env=lean.environment(), limits=LIMITS)
    return done.wall_seconds, done.cpu_seconds


def used() -> float:
    """Processor seconds of all that runs below this process."""
    children = psutil.Process().children(recursive=True)
    return sum(sum(child.cpu_times()[:2]) for child in children)


def memory(lean: Toolchain, prefix: str, checks: int) -> None:
    """How much a session holds as its checks go on, each of another text."""
    session = Session(lean, (), limits=LIMITS)
    proofs = list(PROOFS.values())
    steps = {0, 1, *(checks * n // 10 for n in range(1, 11))}
    try:
        for number in range(checks + 1):
            text = f"{prefix}\n{STATEMENT} := {proofs[number % len(proofs)]}\n-- {number}\n"
            session.check(text, wall_seconds=300)
            if number in steps:
                print(f"| {number} | {session.memory_mb:.0f} |", flush=True)
    finally:
        session.close()


if __name__ == "__main__":
    main()
