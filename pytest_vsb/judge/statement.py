"""Whether a submission's target still states what the original file states, by what Lean prints.

This is for Leans that cannot run the audit's program, which compares the terms themselves.
"""

from __future__ import annotations

import re
from pathlib import Path

from pytest_vsb.judge import audit
from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.originals import Originals, undeclared, unusable
from pytest_vsb.judge.running import tail
from pytest_vsb.judge.stages import MODULE, Stages
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.tasks.model import Task

_UNDECLARED = re.compile(r"unknown (?:constant|identifier) [`']_root_\.", re.IGNORECASE)

Meaning = tuple[str, ...]


class Statements:
    """The statements of the original files, and the comparison with what was compiled.

    Args:
        stages: audits.
        originals: the original files, compiled.
    """

    def __init__(self, stages: Stages, originals: Originals) -> None:
        self._stages = stages
        self._originals = originals
        self._findings: dict[Key, audit.Findings] = {}
        self._meanings: dict[tuple[Key, str | None], Meaning | None] = {}

    def findings(self, task: Task, located: Located) -> audit.Findings:
        """What the target states in its own file.

        Raises:
            EnvironmentUnavailable: the file does not compile with ``sorry`` for the proof, or
                cannot be audited then.
        """
        if key(task) not in self._findings:
            compiled = self._originals.stub(task, located)
            with scratch() as directory:
                compiled.restore(directory, MODULE)
                findings, run = self._stages.audit(located, directory)
            if findings is None:
                said = tail(run)
                if _UNDECLARED.search(said):
                    raise undeclared(task, located)
                raise unusable(task, located, f"the audit of the file with `sorry` failed: {said}")
            self._findings[key(task)] = findings
        return self._findings[key(task)]

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
        same = findings.types == self.findings(task, located).types
        if same and (alone or not audit.has_matchers(findings.types)):
            return True
        if same and audit.has_private_matchers(findings.types):
            return False
        found = self._meaning(located, findings, directory)
        if found is None:
            return False
        return found in (
            self._original_meaning(task, located, reference=False),
            self._original_meaning(task, located, reference=True),
        )

    def _meaning(
        self, located: Located, findings: audit.Findings, directory: Path
    ) -> Meaning | None:
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

    def _original_meaning(self, task: Task, located: Located, *, reference: bool) -> Meaning | None:
        """The meaning in the task's own file with ``sorry``, or with the ``reference`` proof: where
        the type depends on the proof, as by the section's variables that a definition mentions, it
        is the statement that was asked for."""
        which = (key(task), task.reference_proof if reference else None)
        if which not in self._meanings:
            with_proof = which[1] is not None
            compile_it = self._originals.reference if with_proof else self._originals.stub
            compiled = compile_it(task, located)
            self._meanings[which] = self._meaning_of(located, compiled) if compiled else None
        return self._meanings[which]

    def _meaning_of(self, located: Located, compiled: Compiled) -> Meaning | None:
        with scratch() as directory:
            compiled.restore(directory, MODULE)
            findings, _run = self._stages.audit(located, directory)
            return self._meaning(located, findings, directory) if findings else None
