"""Whether a submission's target still states what the original file states."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.running import scratch, tail
from pytest_vsb.judge.stages import Stages, trouble
from pytest_vsb.source.splice import Submission, splice, stub
from pytest_vsb.tasks.model import Task


@dataclass(frozen=True)
class Original:
    """What the audit must find again: of the task's file with ``sorry`` for the proof."""

    findings: audit.Findings
    meaning: tuple[str, ...] | None = None
    """The types' meaning, once it has been asked for; see :func:`audit.meaning`."""


class Statements:
    """The statements of the original files, and the comparison with what was compiled.

    Args:
        stages: compiles and audits.
    """

    def __init__(self, stages: Stages) -> None:
        self._stages = stages
        self._originals: dict[Key, Original] = {}
        self._references: dict[Key, tuple[str, ...] | None] = {}

    def original(self, task: Task, located: Located) -> Original:
        """What the target states in its own file.

        Raises:
            EnvironmentUnavailable: the file does not compile with ``sorry`` for the proof.
        """
        if key(task) in self._originals:
            return self._originals[key(task)]
        submission = stub(located.source, located.target)
        findings = None
        with scratch() as directory:
            run = self._stages.compile(located, submission, directory)
            wrong = trouble(run, directory)
            if wrong is None:
                findings, audited = self._stages.audit(located, directory)
                if findings is None:
                    wrong = "the audit of the file with `sorry` failed: " + tail(audited)
        if findings is None:
            raise EnvironmentUnavailable(
                f"the file does not compile with `sorry` as the proof of {task.name}: {wrong}",
                where=str(located.path),
                hint="the repository may be at another commit, or its Lean another version",
            )
        return self._originals.setdefault(key(task), Original(findings))

    def agree(
        self,
        task: Task,
        located: Located,
        findings: audit.Findings,
        directory: Path,
        *,
        alone: bool,
    ) -> bool:
        """Whether the types found are those of the original file.

        Types that print alike are the same unless they name a constant that Lean made for a
        ``match`` of theirs: auxiliary text can change what its patterns mean. A candidate that is
        a proof ``alone`` has nothing before the statement that could.
        """
        same = findings.types == self.original(task, located).findings.types
        if same and (alone or not audit.has_matchers(findings.types)):
            return True
        if same and audit.has_private_matchers(findings.types):
            return False
        found = self._meaning(located, findings, directory)
        if found is None:
            return False
        return found in (
            self._meaning_of_stub(task, located),
            self._meaning_of_reference(task, located),
        )

    def _meaning(
        self, located: Located, findings: audit.Findings, directory: Path
    ) -> tuple[str, ...] | None:
        """The meaning of the types in a compiled file; ``None`` if it cannot be told."""
        names = audit.matchers(findings.types)
        # A definition may name another one, though hardly ever.
        for _ in range(4):
            again, _run = self._stages.audit(located, directory, proofs=False, definitions=names)
            if again is None:
                return None
            more = audit.matchers((*again.types, *again.definitions))
            if set(more) <= set(names):
                return audit.meaning(again)
            names = more
        return None

    def _meaning_of_stub(self, task: Task, located: Located) -> tuple[str, ...] | None:
        original = self.original(task, located)
        if original.meaning is None:
            meaning = self._meaning_of_text(located, stub(located.source, located.target))
            self._originals[key(task)] = dataclasses.replace(original, meaning=meaning or ())
            return meaning
        return original.meaning or None

    def _meaning_of_reference(self, task: Task, located: Located) -> tuple[str, ...] | None:
        """The same with the reference proof: where the type depends on the proof, as by the
        section's variables that a definition mentions, it is the statement that was asked for."""
        if task.reference_proof is None:
            return None
        if key(task) not in self._references:
            submission = splice(
                located.source, located.target, auxiliary="", proof=task.reference_proof
            )
            self._references[key(task)] = self._meaning_of_text(located, submission)
        return self._references[key(task)]

    def _meaning_of_text(self, located: Located, submission: Submission) -> tuple[str, ...] | None:
        with scratch() as directory:
            run = self._stages.compile(located, submission, directory)
            if trouble(run, directory) is not None:
                return None
            findings, _run = self._stages.audit(located, directory)
            return self._meaning(located, findings, directory) if findings else None
