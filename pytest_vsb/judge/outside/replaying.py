"""Judges that replay a compiled file with Lean's kernel: ``leanchecker`` and SafeVerify.

``leanchecker`` comes with Lean from 4.28 on; before, it is the package ``lean4checker``. Both are
given a module's name, find it on LEAN_PATH, and end with exit code 0 if the kernel accepts all
declarations again. SafeVerify is given two oleans, the original file's and the submission's, and
ends with 0 and the line ``Finished.`` if the second proves what the first states.

Sources: the README files of https://github.com/leanprover/lean4checker and
https://github.com/GasStationManager/SafeVerify, read in 2026.
"""

from __future__ import annotations

import re
from pathlib import Path

from pytest_vsb.judge.outside.model import Asks, Case, Opinion
from pytest_vsb.judge.running import failure
from pytest_vsb.lean.process import Completed, Limits

CHECKERS = ("leanchecker", "lean4checker")
SAFE_VERIFY = ("safe_verify",)

_REFUSES = re.compile(r"found a problem in|\(kernel\)")
_PROBLEM = re.compile(r"^Found a problem in .*? with declaration (?P<name>.+?): (?P<why>.*)$", re.M)
_FINISHED = re.compile(r"^Finished\.$", re.M)


class LeanChecker:
    """``leanchecker`` or ``lean4checker``.

    Args:
        program: the program.
        ask: runs it.
    """

    def __init__(self, program: Path, ask: Asks) -> None:
        self._program = program
        self._ask = ask

    @property
    def programs(self) -> tuple[Path, ...]:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        return (self._program,)

    @property
    def name(self) -> str:
        return self._program.name

    def unsuited(self, case: Case) -> str | None:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        opinion = self.judge(case)
        return None if opinion.accepted else opinion.reason

    def judge(self, case: Case) -> Opinion:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        module = case.submission.name.removesuffix(".olean")
        done = self._ask(self._program, (module,), case.directory, case.located.search_path)
        if done.exit_code == 0:
            return Opinion(True, (self.name,), runs=(done,))
        said = _tail(done)
        if done.exit_code is not None and _REFUSES.search(f"{done.stdout}\n{done.stderr}"):
            return Opinion(False, (self.name,), f"{self.name} refuses it: {said}", runs=(done,))
        return _no_opinion(self.name, done)


class SafeVerify:
    """SafeVerify's program ``safe_verify``.

    It has a list of allowed axioms of its own, the standard ones, and holds every declaration of
    the file to it; a file that rests on others elsewhere is not for it to judge.

    Args:
        program: the program.
        ask: runs it.
    """

    name = "safeverify"

    def __init__(self, program: Path, ask: Asks) -> None:
        self._program = program
        self._ask = ask

    @property
    def programs(self) -> tuple[Path, ...]:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        return (self._program,)

    def unsuited(self, case: Case) -> str | None:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        done = self._run(case)
        # The file with `sorry` must fail, by its target alone.
        names = {match["name"] for match in _PROBLEM.finditer(_all(done))}
        if names == {case.located.target.full_name}:
            return None
        return f"it finds a problem in the original file, or none: {_tail(done)}"

    def judge(self, case: Case) -> Opinion:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        done = self._run(case)
        if done.exit_code == 0 and _FINISHED.search(done.stdout):
            return Opinion(True, (self.name,), runs=(done,))
        problem = next(iter(_PROBLEM.finditer(_all(done))), None)
        if problem is not None:
            reason = f"SafeVerify refuses {problem['name']}: {problem['why']}"
            return Opinion(False, (self.name,), reason, runs=(done,))
        if done.exit_code is not None and _REFUSES.search(_all(done)):
            reason = f"SafeVerify refuses it: {_tail(done)}"
            return Opinion(False, (self.name,), reason, runs=(done,))
        return _no_opinion(self.name, done)

    def _run(self, case: Case) -> Completed:
        files = (case.original.name, case.submission.name)
        return self._ask(self._program, files, case.directory, case.located.search_path)


def _no_opinion(name: str, done: Completed) -> Opinion:
    kind, reason = failure(done, Limits(wall_seconds=done.wall_seconds))
    reason = reason.replace("Lean ", f"{name} ", 1) or f"{name} ended with: {_tail(done)}"
    base = Opinion(None, (), reason, runs=(done,))
    return base if kind is None else Opinion(None, (), reason, kind, (done,))


def _all(done: Completed) -> str:
    return f"{done.stdout}\n{done.stderr}"


def _tail(done: Completed) -> str:
    return (done.stderr.strip() or done.stdout.strip() or "no output")[-500:]
