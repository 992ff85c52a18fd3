"""What a warm Lean session says of a candidate, before anything is judged from scratch.

A session has read the task's file up to the target already, so that an answer costs what the
candidate's own text costs. It may only refuse: what it finds no error in is judged from scratch,
and so is everything about its answer that is out of the ordinary. Before it may refuse candidates
for a task, it must have said of the task's own file, with ``sorry`` for the proof, exactly what a
fresh Lean said of it.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from pytest_vsb.files import write_atomically
from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.located import Located
from pytest_vsb.judge.messages import mapped
from pytest_vsb.judge.originals import Originals
from pytest_vsb.judge.running import LeanRun, Runner, out_of_time
from pytest_vsb.judge.stages import Stages
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.bounds import bounded
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.lean.session_pool import Document, Lease, SessionPool, Slots
from pytest_vsb.source.splice import Submission, stub
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.lean.session import SessionOutput

SessionMode = Literal["auto", "off", "verify"]
SESSION_MODES: tuple[SessionMode, ...] = get_args(SessionMode)

AT_ONCE = 4
"""With so many candidates to come for a task, a session is opened before the first; with fewer,
once one for the same file has been rejected. See ``docs/sessions.md`` for the numbers."""

SPOT_CHECK = 200
"""Each so-manieth refusal is judged from scratch all the same, lest a session that is wrong is
never found out."""

_REGRET = 3.0
"""How many openings a file's session may cost more than it saves before no more is asked of it."""

_FAILURES = 2
"""After so many sessions in a row that died or did not know the task's own file, no more are
opened for it."""

_MOST = 2
"""Sessions at once where memory is counted: the module's, and the next one's."""

_PATIENCE_SECONDS = 10.0
_MARGIN = 0.8
_AT_WORK = 0.5
"""What share of the time a session must have computed for the candidate to be to blame."""

# What depends on the state of the process, not on the text alone.
_FICKLE = re.compile(
    r"deterministic\) timeout|maximum number of heartbeats|deep recursion|stack overflow"
    r"|\binterrupted\b|out of memory|memory consumption|internal exception",
    re.IGNORECASE,
)

_log = logging.getLogger("pytest_vsb")


@dataclass(frozen=True)
class Opinion:
    """A session's answer about a candidate.

    ``kind`` is ``rejected`` or ``timeout``, or ``None`` if a fresh Lean has to decide: there is no
    error, or ``odd`` says what is out of the ordinary.
    """

    kind: VerdictKind | None
    reason: str
    diagnostics: tuple[Diagnostic, ...]
    output: SessionOutput
    odd: str = ""


@dataclass(eq=False)
class _Account:
    """What the sessions of one file have cost and saved, in seconds of Lean."""

    opening: float = 0.0
    spent: float = 0.0
    saved: float = 0.0
    rejections: int = 0
    failures: int = 0
    off: str = ""

    @property
    def pays(self) -> bool:
        return self.spent <= self.saved + _REGRET * self.opening


@dataclass(eq=False)
class Sessions:
    """The warm sessions of one process, for all its checkers.

    Args:
        mode: ``auto``; ``verify``, by which every candidate is judged from scratch too and the
            session's answer does not count; or ``off``.
        planned: the most candidates that one task will have.
        pool: the sessions.
        disagreements: the directory for what a session and a fresh Lean did not agree on.
        suspect: called when they do not agree, so that what sessions have said can be forgotten.
    """

    mode: SessionMode = "auto"
    planned: int = 1
    pool: SessionPool = field(default_factory=SessionPool)
    disagreements: Path | None = None
    suspect: Callable[[], object] | None = None
    _accounts: dict[Document, _Account] = field(default_factory=dict)
    _refusals: int = 0

    @classmethod
    def of(
        cls,
        mode: SessionMode,
        *,
        planned: int,
        slots: Slots | None = None,
        disagreements: Path | None = None,
        suspect: Callable[[], object] | None = None,
    ) -> Sessions:
        """Sessions with a pool of their own."""
        pool = SessionPool(most=_MOST if slots is not None else 1, slots=slots)
        return cls(mode, planned, pool, disagreements, suspect)

    def account(self, document: Document) -> _Account:
        return self._accounts.setdefault(document, _Account())

    def spot_check(self) -> bool:
        """Whether a refusal is to be judged from scratch, too."""
        self._refusals += 1
        return self._refusals % SPOT_CHECK == 0

    def close(self) -> None:
        """End all sessions; none is opened any more. Safe twice."""
        self.pool.close()


class WarmJudge:
    """Asks the sessions about the candidates of one checker.

    Args:
        sessions: the process's sessions.
        runner: runs the Lean that judges from scratch.
        stages: its limits, and the text that it is given.
        originals: what it said of the tasks' own files.
    """

    def __init__(
        self, sessions: Sessions, runner: Runner, stages: Stages, originals: Originals
    ) -> None:
        self._sessions = sessions
        self._runner = runner
        self._stages = stages
        self._originals = originals
        toolchain = runner.toolchain
        # A container would have to outlive the check that it was made for; a Lean without --json
        # does not say of a message where it ends.
        self._able = toolchain.container is None and toolchain.json

    @property
    def works(self) -> bool:
        """Whether a session may be asked at all."""
        return self._able and self._sessions.mode != "off"

    # Before candidates come

    def begin(self, located: Located) -> None:
        """Open the session of a task's file, without waiting for it, if it will pay."""
        if self.works and self._wanted(self._document(located)):
            self._open(lambda: located, ahead=False)

    def expect(self, locate: Callable[[], Located]) -> None:
        """Open the session of a task's file that will be needed later, without waiting for it, if
        nothing that is still needed has to make room for it."""
        sessions = self._sessions
        if self.works and sessions.planned >= AT_ONCE and sessions.pool.has_room():
            self._open(locate, ahead=True)

    def _open(self, locate: Callable[[], Located], *, ahead: bool) -> None:
        def work() -> None:
            # What is wrong with the task or the Lean is told when it is the task's turn.
            with contextlib.suppress(Exception):
                located = locate()
                with self._sessions.pool.lease(self._document(located), ahead=ahead) as lease:
                    if lease is not None:
                        self._ask_about_stub(lease, located)

        threading.Thread(target=work, name="vsb-warm", daemon=True).start()

    # About a candidate

    def ask(self, task: Task, located: Located, submission: Submission) -> Opinion | None:
        """What a session says of a submission; ``None`` if none is asked."""
        if not self.works:
            return None
        document = self._document(located)
        if not self._wanted(document):
            return None
        text = self._stages.text(located, submission)
        if not _is_text(text):
            return None
        original = self._originals.stub(task, located)
        patience = max(_PATIENCE_SECONDS, 2 * original.seconds)
        account = self._sessions.account(document)
        try:
            with self._sessions.pool.lease(document, patience=patience) as lease:
                if lease is None or not self._trusted(lease, task, located):
                    return None
                wall_seconds = self._stages.limits.wall_seconds
                output = lease.session.check(text, wall_seconds=wall_seconds)
                if output.ended != "done":
                    lease.discard()
        except Exception as error:
            # Whatever it is, candidates can be judged without a session.
            account.off = f"{type(error).__name__}: {error}"
            _log.warning("no warm session for %s: %s", located.path, account.off)
            return None
        opinion = self._opinion(located, submission, output, original)
        if opinion.kind is not None:
            account.saved += original.seconds
        account.spent += output.wall_seconds
        return opinion

    def is_final(self, opinion: Opinion) -> bool:
        """Whether an opinion is the verdict."""
        if opinion.kind is None or self._sessions.mode == "verify":
            return False
        return not self._sessions.spot_check()

    def compare(
        self,
        task: Task,
        located: Located,
        submission: Submission,
        opinion: Opinion | None,
        compiled: LeanRun,
        verdict: Verdict,
    ) -> None:
        """Hold a verdict from scratch against a session's opinion. If they cannot both be right,
        say so, keep both, and end the session."""
        if not self.works:
            return
        document = self._document(located)
        if verdict.kind is VerdictKind.REJECTED:
            self._sessions.account(document).rejections += 1
        if opinion is None:
            return
        what = _disagreement(opinion, compiled, mapped(compiled.output, submission), verdict)
        if not what:
            return
        self._sessions.pool.drop(document)
        if self._sessions.mode == "auto":
            self._sessions.account(document).off = what
        if self._sessions.suspect is not None:
            self._sessions.suspect()
        session = {"kind": opinion.kind, "odd": opinion.odd, "output": opinion.output}
        batch = {
            "kind": verdict.kind,
            "reason": verdict.reason,
            "completed": compiled.completed,
            "output": compiled.output,
        }
        self._tell(what, task, located, submission, session=session, batch=batch)

    # Steps

    def _document(self, located: Located) -> Document:
        return Document(
            path=located.path,
            toolchain=self._runner.toolchain,
            search_path=located.search_path,
            options=located.options,
            hidden=located.hidden,
            sandbox=self._runner.sandbox,
            limits=bounded(self._stages.limits),
            threads=self._runner.threads,
        )

    def _wanted(self, document: Document) -> bool:
        account = self._sessions.account(document)
        if account.off:
            return False
        if self._sessions.mode == "verify":
            return True
        if not account.pays:
            return False
        return self._sessions.planned >= AT_ONCE or account.rejections > 0

    def _ask_about_stub(self, lease: Lease, located: Located) -> SessionOutput:
        """What a session says of a task's own file, with ``sorry`` for the proof."""
        submission = stub(located.source, located.target)
        first = not lease.session.alive
        if first:
            # Of a process that has died meanwhile, nothing holds for the next one.
            lease.notes.clear()
        known: SessionOutput | None = lease.notes.get(submission.digest)
        if known is not None:
            return known
        text = self._stages.text(located, submission)
        output = lease.session.check(text, wall_seconds=self._stages.limits.wall_seconds)
        account = self._sessions.account(self._document(located))
        account.spent += output.wall_seconds
        if first:
            account.opening = max(account.opening, output.wall_seconds)
        lease.notes[submission.digest] = output
        return output

    def _trusted(self, lease: Lease, task: Task, located: Located) -> bool:
        """Whether a session says of the task's own file what a fresh Lean said of it."""
        said = self._ask_about_stub(lease, located)
        original = self._originals.stub(task, located)
        account = self._sessions.account(self._document(located))
        told, known = (
            Counter(_comparable(each)) for each in (said.output.diagnostics, original.said)
        )
        if said.ended == "done" and told == known:
            account.failures = 0
            return True
        lease.discard()
        account.failures += 1
        if said.ended == "done" or account.failures >= _FAILURES:
            account.off = f"on its own file it said other things than a fresh Lean ({said.ended})"
            _log.info("no warm session for %s: %s", located.path, account.off)
        if said.ended == "done" and self._sessions.mode == "verify":
            what = "they say other things of the task's own file, with sorry for the proof"
            self._tell(
                what,
                task,
                located,
                stub(located.source, located.target),
                session={"output": said},
                batch={"output": {"diagnostics": original.said}},
            )
        return False

    def _opinion(
        self, located: Located, submission: Submission, output: SessionOutput, original: Compiled
    ) -> Opinion:
        """What an answer comes to, by what a fresh Lean made of the task's own file."""
        diagnostics = mapped(output.output, submission)
        limit = self._stages.limits.wall_seconds
        odd = ""
        if output.ended == "timeout":
            if output.cpu_seconds >= _AT_WORK * limit:
                reason = out_of_time(self._stages.limits)
                return Opinion(VerdictKind.TIMEOUT, reason, diagnostics, output)
            odd = "the session was not at work when its time was over"
        elif output.ended != "done":
            odd = f"the session ended: {output.ended}"
        elif original.seconds + output.wall_seconds > _MARGIN * limit:
            odd = "a fresh Lean may run out of time"
        else:
            odd = _odd(output.output.diagnostics, original.said, _end_of_context(submission))
        errors = any(each.severity is Severity.ERROR for each in output.output.diagnostics)
        kind = VerdictKind.REJECTED if errors and not odd else None
        return Opinion(kind, "", diagnostics, output, odd)

    def _tell(
        self,
        what: str,
        task: Task,
        located: Located,
        submission: Submission,
        *,
        session: dict[str, Any],
        batch: dict[str, Any],
    ) -> None:
        """Keep a disagreement, and warn of it."""
        record = {
            "what": what,
            "task": task.id,
            "file": str(located.path),
            "toolchain": self._runner.toolchain.describe(),
            "options": located.options,
            "search_path": [str(path) for path in located.search_path],
            "submission": self._stages.text(located, submission),
            "session": session,
            "batch": batch,
        }
        place = ""
        directory = self._sessions.disagreements
        if directory is not None:
            path = directory / f"{submission.digest}.json"
            try:
                directory.mkdir(parents=True, exist_ok=True)
                write_atomically(path, msgspec.json.format(msgspec.json.encode(record)))
                place = f"; see {path}"
            except OSError as error:
                place = f"; it cannot be kept: {error}"
        _log.warning(
            "a warm session and a fresh Lean disagree about %s: %s%s", task.id, what, place
        )


def _is_text(text: str) -> bool:
    """Whether there is no half of a character in it, which cannot be sent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _odd(
    diagnostics: tuple[Diagnostic, ...], original: tuple[Diagnostic, ...], place: Position
) -> str:
    """Why errors are not enough to reject a submission; empty if they are.

    Args:
        original: what a fresh Lean said of the task's own file.
        place: where the text before the target ends, in both.
    """
    before, known = (
        tuple(each for each in found if each.start < place) for found in (diagnostics, original)
    )
    if Counter(_comparable(before)) != Counter(_comparable(known)):
        return "other messages than before about the text before the target"
    for each in diagnostics:
        if each.severity is Severity.ERROR and _FICKLE.search(each.message):
            return "an error that depends on the process"
    return ""


def _comparable(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The diagnostics as far as a session is told of them: without Lean's names for their kinds,
    and without an end that is the start."""
    return tuple(
        replace(each, kind="", end=None if each.end == each.start else each.end)
        for each in diagnostics
    )


def _end_of_context(submission: Submission) -> Position:
    """Where the text ends that a submission has in common with the task's own file."""
    context = submission.region("context")
    end = 0 if context is None else context.end
    return Position(
        submission.text.count("\n", 0, end) + 1, end - 1 - submission.text.rfind("\n", 0, end)
    )


def _disagreement(
    opinion: Opinion, compiled: LeanRun, said: tuple[Diagnostic, ...], verdict: Verdict
) -> str:
    """In which way an opinion and a verdict from scratch cannot both be right; empty if they can.

    Args:
        said: what Lean said when it compiled the submission from scratch, as verdicts have it.
    """
    if verdict.kind in (VerdictKind.TIMEOUT, VerdictKind.OUT_OF_MEMORY):
        return ""
    if opinion.kind is VerdictKind.TIMEOUT:
        return f"the session ran out of time, the fresh Lean did not: {verdict.kind}"
    if opinion.kind is None and opinion.odd:
        return ""
    if opinion.kind is None:
        return "the session found no error, the fresh Lean did" if compiled.errors else ""
    if not compiled.errors:
        return f"the session found errors, the fresh Lean did not: {verdict.kind}"
    if _comparable(opinion.diagnostics) != _comparable(said):
        return "their messages differ"
    return ""
