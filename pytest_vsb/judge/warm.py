"""What a warm Lean session says of a candidate, before anything is judged from scratch.

A session has read the task's file up to the target already, so that an answer costs what the
candidate's own text costs. It may only refuse: what it finds no error in is judged from scratch,
and so is everything about its answer that is out of the ordinary. Before it may refuse candidates
for a task, it must have found no error in the task's own file, with ``sorry`` for the proof; and
as soon as a fresh Lean has compiled that file, it must have said exactly what that one said.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from pytest_vsb.files import write_atomically
from pytest_vsb.judge import audit
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.messages import mapped
from pytest_vsb.judge.opinion import Basis, Opinion, alike, disagreement, opinion_of, same
from pytest_vsb.judge.originals import Originals
from pytest_vsb.judge.running import LeanRun, Runner
from pytest_vsb.judge.stages import Stages
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.bounds import bounded
from pytest_vsb.lean.diagnostics import Diagnostic, Severity
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

_OF_STUB = "they say other things of the task's own file, with sorry for the proof"

_log = logging.getLogger("pytest_vsb")


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
        self._unconfirmed: dict[Key, list[tuple[Diagnostic, ...]]] = {}
        """What sessions said of tasks' own files that no fresh Lean had compiled, where they were
        believed."""
        self._refused: set[Key] = set()
        """The tasks of which candidates were refused then."""
        toolchain = runner.toolchain
        # A container would have to outlive the check that it was made for; a Lean without --json
        # does not say of a message where it ends.
        self._able = toolchain.container is None and toolchain.json

    @property
    def works(self) -> bool:
        """Whether a session may be asked at all."""
        return self._able and self._sessions.mode != "off"

    @property
    def _may_be_alone(self) -> bool:
        """Whether a session may be believed before a fresh Lean has compiled a task's file."""
        return self._sessions.mode == "auto" and self._sessions.planned >= AT_ONCE

    # Before candidates come

    def vouches(self, task: Task, located: Located) -> bool:
        """Whether a session knows the task's own file, which no fresh Lean has compiled yet, and
        finds no error in it. Opens the session, if it will pay, and waits for it."""
        document = self._document(located)
        if not self.works or not self._may_be_alone or not self._wanted(document):
            return False
        if self._originals.known(task, located) is not None:
            return False
        patience = self._stages.limits.wall_seconds
        try:
            with self._sessions.pool.lease(document, patience=patience) as lease:
                basis = None if lease is None else self._basis(lease, task, located)
                return basis is not None and not basis.is_slow(self._stages.limits)
        except Exception as error:
            self._give_up(document, located, error)
            return False

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
        if not self._may_be_alone:
            self._originals.stub(task, located)
        account = self._sessions.account(document)
        patience = max(_PATIENCE_SECONDS, 2 * account.opening)
        try:
            with self._sessions.pool.lease(document, patience=patience) as lease:
                basis = None if lease is None else self._basis(lease, task, located)
                if lease is None or basis is None:
                    return None
                wall_seconds = self._stages.limits.wall_seconds
                output = lease.session.check(text, wall_seconds=wall_seconds)
                if output.ended != "done":
                    lease.discard()
        except Exception as error:
            self._give_up(document, located, error)
            return None
        opinion = opinion_of(output, submission, basis, self._stages.limits)
        if opinion.kind is not None:
            account.saved += basis.seconds
            if not basis.fresh:
                self._refused.add(key(task))
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
        what = disagreement(opinion, compiled, mapped(compiled.output, submission), verdict)
        if not what:
            return
        self._distrust(document, what)
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

    def _ask_about_stub(self, lease: Lease, located: Located) -> _Known:
        """What a session says of a task's own file, with ``sorry`` for the proof."""
        submission = stub(located.source, located.target)
        first = not lease.session.alive
        if first:
            # Of a process that has died meanwhile, nothing holds for the next one.
            lease.notes.clear()
        known: _Known | None = lease.notes.get(submission.digest)
        if known is not None:
            return known
        text = self._stages.text(located, submission)
        asked = text + audit.presence(located.target)
        output = lease.session.check(asked, wall_seconds=self._stages.limits.wall_seconds)
        account = self._sessions.account(self._document(located))
        account.spent += output.wall_seconds
        if first:
            account.opening = max(account.opening, output.wall_seconds)
        place = located.target.span.start
        seconds = _seconds(place, output.wall_seconds, lease.notes.values())
        known = _Known.of(output, text.count("\n") + 1, place, seconds)
        lease.notes[submission.digest] = known
        return known

    def _basis(self, lease: Lease, task: Task, located: Located) -> Basis | None:
        """What the task's own file comes to, if a session says so too and may refuse candidates;
        ``None`` if it may not."""
        known = self._ask_about_stub(lease, located)
        account = self._sessions.account(self._document(located))
        original = self._originals.known(task, located)
        if original is None and known.ended == "done":
            if not known.vouches:
                # A fresh Lean has to say whether the task can be judged. That it cannot is no
                # reason to ask no session about the file's other tasks.
                return None
            said = self._unconfirmed.setdefault(key(task), [])
            if known.said not in said:
                said.append(known.said)
            account.failures = 0
            return Basis(known.said, known.seconds, fresh=False)
        if original is not None and known.ended == "done" and same(known.said, original.said):
            account.failures = 0
            return Basis(original.said, original.seconds, fresh=True)
        lease.discard()
        account.failures += 1
        if known.ended == "done" or account.failures >= _FAILURES:
            account.off = f"on its own file it said other things than a fresh Lean ({known.ended})"
            _log.info("no warm session for %s: %s", located.path, account.off)
        if known.ended == "done" and original is not None and self._sessions.mode == "verify":
            self._tell_of_stub(task, located, known.said, {"diagnostics": original.said})
        return None

    def confirm(self, task: Task, located: Located) -> None:
        """Hold what sessions said of the task's own file, when they were believed without, against
        what a fresh Lean has said since. If they differ, say so, and end the session."""
        if key(task) not in self._unconfirmed:
            return
        original = self._originals.known(task, located)
        if original is None:
            return
        for said in self._unconfirmed.pop(key(task)):
            if same(said, original.said):
                continue
            if key(task) not in self._refused or alike(said, original.said):
                # Nothing rests on it, or it is words such as times.
                self._sessions.account(self._document(located)).off = _OF_STUB
                continue
            self._distrust(self._document(located), _OF_STUB)
            self._tell_of_stub(task, located, said, {"diagnostics": original.said})

    def refuted(self, task: Task, located: Located, why: str) -> None:
        """Note that a fresh Lean cannot compile the task's own file, or not so that it can be
        judged. If a session has vouched for it, say so, and end the session."""
        for said in self._unconfirmed.pop(key(task), ()):
            self._distrust(self._document(located), _OF_STUB)
            self._tell_of_stub(task, located, said, {"reason": why})

    def _distrust(self, document: Document, what: str) -> None:
        """End a session that was found to be wrong, and forget what sessions have said."""
        self._sessions.pool.drop(document)
        if self._sessions.mode == "auto":
            self._sessions.account(document).off = what
        if self._sessions.suspect is not None:
            self._sessions.suspect()

    def _give_up(self, document: Document, located: Located, error: Exception) -> None:
        """Ask no session about a file any more; candidates can be judged without."""
        account = self._sessions.account(document)
        account.off = f"{type(error).__name__}: {error}"
        _log.warning("no warm session for %s: %s", located.path, account.off)

    def _tell_of_stub(
        self,
        task: Task,
        located: Located,
        said: tuple[Diagnostic, ...],
        fresh: dict[str, Any],
    ) -> None:
        session = {"output": {"diagnostics": said}}
        own = stub(located.source, located.target)
        self._tell(_OF_STUB, task, located, own, session=session, batch={"output": fresh})

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


@dataclass(frozen=True)
class _Known:
    """What a session said of a task's own file."""

    ended: str
    said: tuple[Diagnostic, ...]
    """Without what it said of the question whether the target is there."""
    vouches: bool
    """Whether there is no error, and the target is there."""
    place: int
    """Where the target begins."""
    seconds: float
    """How long a fresh Lean takes for the file, about."""

    @classmethod
    def of(cls, output: SessionOutput, lines: int, place: int, seconds: float) -> _Known:
        """Read an answer to a text of so many lines and the question after them."""
        found = output.output.diagnostics
        said = tuple(each for each in found if each.start.line <= lines)
        answers = [each.severity for each in found if each.start.line > lines]
        good = not any(each.severity is Severity.ERROR for each in said)
        there = answers == [Severity.INFORMATION]
        return cls(output.ended, said, output.ended == "done" and good and there, place, seconds)


def _seconds(place: int, own: float, known: Iterable[_Known]) -> float:
    """How long a fresh Lean takes for a file up to a place, by what a session took for what it had
    not read for another place."""
    there = list(known)
    behind = [each.seconds for each in there if each.place > place]
    if behind:
        return max(own, min(behind))
    return own + max((each.seconds for each in there), default=0.0)


def _is_text(text: str) -> bool:
    """Whether there is no half of a character in it, which cannot be sent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
