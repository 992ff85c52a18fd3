"""The outside judges that an assurance level asks, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.originals import ORIGINAL
from pytest_vsb.judge.outside import comparator, programs, replaying
from pytest_vsb.judge.outside.levels import Assurance
from pytest_vsb.judge.outside.model import Case, Judge, Opinion
from pytest_vsb.judge.outside.programs import Programs
from pytest_vsb.judge.stages import MODULE, compiled_file
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Completed
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.source.splice import Submission, stub
from pytest_vsb.tasks.model import Task

REPLAY = "kernel-replay"
"""The name of the judge's own replay in a verdict's ``assurance``."""

_OPTION = "--vsb-assurance"


@dataclass(frozen=True)
class Joint:
    """What the judges say of a submission: accepted, or another verdict and why."""

    kind: VerdictKind
    reason: str
    checks: tuple[str, ...]
    runs: tuple[Completed, ...]


class Panel:
    """The outside judges of one project.

    Args:
        level: which to ask.
        root: the project's root, where Lake may have built some.
        run: runs their programs.
        axioms: what a proof may rest on.
    """

    def __init__(self, level: Assurance, root: Path, run: Programs, axioms: frozenset[str]) -> None:
        self.level = level
        self._root = root
        self._run = run
        self._axioms = axioms
        self._found: tuple[tuple[Judge, ...], Judge | None] | None = None
        self._suited: dict[Key, tuple[Judge, ...]] = {}

    def prepare(
        self, task: Task, located: Located, original: Compiled, no_replay: str
    ) -> tuple[Judge, ...]:
        """The judges that can judge a task, after a look at its own file.

        Args:
            original: the file with ``sorry`` for the proof, compiled.
            no_replay: why the judge's own replay cannot, if so.

        Raises:
            EnvironmentUnavailable: what the level needs is not installed, or cannot judge the task.
        """
        if self.level == "standard":
            return ()
        if key(task) not in self._suited:
            self._suited[key(task)] = self._try_out(located, original, no_replay)
        return self._suited[key(task)]

    def judge(
        self,
        task: Task,
        located: Located,
        original: Compiled,
        submission: Submission,
        directory: Path,
        *,
        replayed: bool,
    ) -> Joint:
        """Ask the judges that :meth:`prepare` found about the submission in ``directory``.

        Args:
            replayed: whether the judge's own replay has accepted it.
        """
        case = self._case(located, original, compiled_file(directory), submission.text)
        opinions: list[Opinion] = []
        try:
            for one in self._suited.get(key(task), ()):
                opinions.append(one.judge(case))
                if opinions[-1].accepted is False:
                    break
        finally:
            for file in directory.glob(f"{ORIGINAL}.olean*"):
                file.unlink()
        return self._join(opinions, replayed)

    def _join(self, opinions: list[Opinion], replayed: bool) -> Joint:
        checks = tuple(check for opinion in opinions for check in opinion.checks)
        runs = tuple(run for opinion in opinions for run in opinion.runs)
        silent = [opinion for opinion in opinions if opinion.accepted is None]
        for opinion in opinions:
            if opinion.accepted is False:
                return Joint(VerdictKind.UNSOUND, opinion.reason, checks, runs)
        accepted = {check for opinion in opinions if opinion.accepted for check in opinion.checks}
        if self.level == "comparator" and comparator.NAME not in accepted:
            why = opinions[-1]
            return Joint(why.kind, why.reason, checks, runs)
        if not replayed and not accepted:
            reason = "no kernel has checked it a second time"
            if silent:
                return Joint(silent[0].kind, f"{reason}: {silent[0].reason}", checks, runs)
            return Joint(VerdictKind.CRASHED, reason, checks, runs)
        return Joint(VerdictKind.ACCEPTED, "", checks, runs)

    # Which judges

    def _try_out(self, located: Located, original: Compiled, no_replay: str) -> tuple[Judge, ...]:
        replaying_judges, comparing = self._find()
        suited: list[Judge] = []
        reasons = [f"{REPLAY}: {no_replay}"] if no_replay else []
        with scratch() as directory:
            olean = original.restore(directory, MODULE)
            text = stub(located.source, located.target).text
            case = self._case(located, original, olean, text)
            for one in replaying_judges:
                unsuited = one.unsuited(case)
                if unsuited is None:
                    suited.append(one)
                else:
                    reasons.append(f"{one.name}: {unsuited}")
            unsuited = comparing.unsuited(case) if comparing is not None else None
        if no_replay and not suited:
            raise EnvironmentUnavailable(
                "nothing here can check a proof a second time; " + "; ".join(reasons),
                where=f"{_OPTION}={self.level}",
                hint="Lean 4.28 and newer bring leanchecker; for an older one, build the Lake "
                "package lean4checker in the project, or put it on PATH",
            )
        if comparing is None:
            return tuple(suited)
        if unsuited is not None:
            raise EnvironmentUnavailable(
                f"comparator cannot judge {located.target.full_name}: {unsuited}",
                where=f"{_OPTION}={self.level}",
                hint=f"{_OPTION}=replay",
            )
        return (*suited, comparing)

    def _find(self) -> tuple[tuple[Judge, ...], Judge | None]:
        if self._found is None:
            toolchain = self._run.toolchain
            judges: list[Judge] = []
            checker = programs.find(replaying.CHECKERS, toolchain, self._root)
            if checker is not None:
                judges.append(replaying.LeanChecker(checker, self._run))
            safe_verify = programs.find(replaying.SAFE_VERIFY, toolchain, self._root)
            if safe_verify is not None:
                judges.append(replaying.SafeVerify(safe_verify, self._run))
            comparing: Judge | None = None
            if self.level == "comparator":
                comparing = comparator.Comparator(comparator.find(self._run, self._root), self._run)
            self._found = tuple(judges), comparing
        return self._found

    def _case(self, located: Located, original: Compiled, submission: Path, text: str) -> Case:
        return Case(
            located=located,
            directory=submission.parent,
            original=original.restore(submission.parent, ORIGINAL),
            submission=submission,
            original_text=stub(located.source, located.target).text,
            submission_text=text,
            axioms=self._axioms,
        )
