"""The prover that asks any program: a request as JSON on stdin, an answer as JSON on stdout.

``command.schema.json`` describes both, docs/commands.md the contract around them.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shlex
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from pytest_vsb.context.prompt import PromptBuilder
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import process
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Feedback,
    Problem,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
    Usage,
)
from pytest_vsb.provers.options import check_no_model, check_options, nearest
from pytest_vsb.provers.pack import pack
from pytest_vsb.provers.secrets import scrub

FORMAT = 1
"""The version of the request's format."""

GAVE_UP = "the program gave up"

_OPTIONS = ("timeout", "memory", "concurrency", "cwd", "name", "project")
_SECONDS = 600.0
_OUTPUT_BYTES = 16 * 2**20
_STDERR_KEPT = 64 * 1024
_TAIL_LINES, _TAIL_CHARACTERS = 8, 1000
_SHOWN = 100  # characters of a wrong answer that its reason shows
_CLOSE_SECONDS = 20.0
_SECRET_NAME = re.compile(
    r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)\Z", re.IGNORECASE
)

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Filled = Annotated[str, msgspec.Meta(min_length=1)]


class AnswerUsage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The key ``usage`` of an answer."""

    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cached_tokens: _Count = 0
    cost_usd: Annotated[float, msgspec.Meta(ge=0)] | None = None


class ProgramAnswer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a program prints; one of ``proof``, ``malformed`` and ``give_up`` is there."""

    proof: _Filled | msgspec.UnsetType = msgspec.UNSET
    malformed: _Filled | msgspec.UnsetType = msgspec.UNSET
    give_up: bool | msgspec.UnsetType = msgspec.UNSET
    auxiliary: str = ""
    reasoning: str = ""
    usage: AnswerUsage = AnswerUsage()
    model: str = ""
    stop: str = ""
    prompt_digest: str = ""
    retries: _Count = 0
    notes: Any = None


class CommandProver:
    """Runs a program for each request: ``command:CMD``.

    The words of ``CMD`` are told apart as a shell does, but no shell runs. Options: ``timeout``
    (seconds a request, 600), ``memory`` (MiB of the whole process tree, no limit),
    ``concurrency`` (programs at once in each worker, 1), ``cwd`` (the program's directory, by
    default the one that pytest was started in), ``name`` (in reports, by default the command) and
    ``project``: ``copy`` gives the program a copy of the project with ``sorry`` for the target's
    proof, ``path`` the project itself, with all its proofs, ``none`` no project.

    ``answer_seconds`` is the most one answer takes.
    """

    needs_reference = False

    def __init__(self, spec: ProverSpec) -> None:
        check_no_model(spec)
        check_options(spec, _OPTIONS)
        options = spec.options
        self.answer_seconds = _positive(options, "timeout", _SECONDS)
        memory = _positive(options, "memory", math.inf)
        self.concurrency = int(_positive(options, "concurrency", 1, whole=True))
        self._limits = Limits(
            wall_seconds=self.answer_seconds,
            memory_mb=None if math.isinf(memory) else max(1, int(memory)),
            output_bytes=_OUTPUT_BYTES,
        )
        self._project = options.get("project", "copy")
        if self._project not in ("copy", "none", "path"):
            raise UsageError(
                f"{self._project!r} is none of 'copy', 'none' and 'path'",
                where="--vsb-model-option project",
            )
        self._directory = _directory(options.get("cwd", ""))
        self._command = spec.argument.strip()
        self._argv = _words(self._command, self._directory)
        self.name = options.get("name", "").strip() or f"command:{self._command}"
        self._running: set[process.Cancel] = set()
        self._closed = False
        self._changed = threading.Condition()

    def settings(self) -> Mapping[str, str]:
        """The command, its limits, and what it saw of the project."""
        found = {
            "command": self._command,
            "timeout": f"{self.answer_seconds:g}",
            "project": self._project,
        }
        if self._limits.memory_mb is not None:
            found["memory"] = str(self._limits.memory_mb)
        return found

    def prove(self, request: ProofRequest) -> Answer | None:
        """What the program answers; ``None`` after it has given up the sample.

        An answer that breaks the contract, a program over its limits, and one that gives up are
        answers without a proof.

        Raises:
            EnvironmentUnavailable: the program cannot be started, fails, crashes, or was stopped.
        """
        if request.history and request.history[-1].reason.startswith(GAVE_UP):
            return None
        environment = dict(os.environ)
        with self._call() as cancel, _scratch() as scratch:
            text = request_json(request, scratch, self._root(request, scratch))
            done = process.run(
                self._argv,
                cwd=self._directory,
                env=environment,
                limits=self._limits,
                stdin=text,
                cancel=cancel,
            )
        return self._answer(done, _secrets(environment))

    def abandon(self) -> None:
        """Kill the programs that are running. Safe in any thread; later requests are answered."""
        with self._changed:
            for cancel in self._running:
                cancel.set()

    def close(self) -> None:
        """Kill the programs that are running, wait for their ends, and start no more."""
        self._closed = True
        self.abandon()
        with self._changed:
            self._changed.wait_for(lambda: not self._running, _CLOSE_SECONDS)

    @contextlib.contextmanager
    def _call(self) -> Iterator[process.Cancel]:
        """What stops one call of the program, known to the others as long as it lasts."""
        cancel = process.Cancel()
        try:
            with self._changed:
                if self._closed:
                    raise ProverUnavailable("the prover is closed")
                self._running.add(cancel)
            yield cancel
        finally:
            with self._changed:
                self._running.discard(cancel)
                self._changed.notify_all()
            cancel.close()

    def _root(self, request: ProofRequest, scratch: Path) -> Path | None:
        """The project as the program may see it."""
        if request.root is None or self._project == "none":
            return None
        if self._project == "path":
            return request.root
        try:
            packed = pack(request.task, request.root)
        except EnvironmentUnavailable as error:
            raise ProverUnavailable(
                f"the project cannot be copied for the program: {error.message}",
                where=error.where,
                hint=error.hint or "do without a copy: --vsb-model-option project=none",
            ) from error
        root = scratch / "project"
        for name, content in packed.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return root

    def _answer(self, done: Completed, secrets: Sequence[str]) -> Answer:
        stdout, stderr = scrub(done.stdout, secrets), scrub(done.stderr, secrets)
        if done.outcome is Outcome.KILLED or done.exit_code not in (0, None):
            raise self._failed(done, stderr)
        response = _response(done, stdout, stderr)
        usage = Usage(seconds=done.wall_seconds)
        if done.outcome is Outcome.TIMEOUT:
            reason = f"no answer within {self.answer_seconds:g} s"
            return Answer(None, malformed=reason, usage=usage, response=response, stop="timeout")
        if done.outcome is Outcome.OUT_OF_MEMORY:
            reason = f"the program needed more than {self._limits.memory_mb} MiB of memory"
            if self._limits.memory_mb is None:
                raise self._failed(done, stderr)
            return Answer(None, malformed=reason, usage=usage, response=response, stop="memory")
        try:
            read = read_answer(stdout)
        except _BrokenContract as error:
            reason = f"{error}{_beginning(stdout)}"
            return Answer(None, malformed=reason, usage=usage, response=response)
        return _as_answer(read, done.wall_seconds, response)

    def _failed(self, done: Completed, stderr: str) -> ProverUnavailable:
        if done.outcome is Outcome.OUT_OF_MEMORY:
            how = "was killed because the machine ran out of memory"
        elif done.exit_code is None:
            how = f"was killed by signal {done.signal}"
        else:
            how = f"ended with exit code {done.exit_code}"
        tail = _tail(stderr)
        said = f"; the end of its stderr:\n{tail}" if tail else ", with nothing on stderr"
        return ProverUnavailable(f"the program {how}{said}", where=self._argv[0])


class _BrokenContract(Exception):
    """What a program printed is no answer; the text says why."""


def request_json(request: ProofRequest, scratch: Path, root: Path | None) -> bytes:
    """The request as a program reads it: one JSON object, UTF-8, and a line end."""
    task = request.task
    record = {
        "format": FORMAT,
        "task": {
            "id": task.id,
            "number": task.number,
            "suite": task.suite,
            "repository": task.repository,
            "module": task.module,
            "path": task.path,
            "name": task.name,
            "kind": task.kind,
            "statement": task.statement,
            "category": task.category,
            "subsets": task.subsets,
            "dependencies": task.dependencies,
        },
        "prefix": request.prefix,
        "context": _context(request),
        "sample": request.sample,
        "samples": request.samples,
        "round": request.round,
        "seed": request.seed,
        "history": [_feedback(feedback) for feedback in request.history],
        "root": os.fspath(root) if root is not None else None,
        "scratch": os.fspath(scratch),
    }
    try:
        return msgspec.json.encode(record) + b"\n"
    except UnicodeEncodeError:
        # A text from outside may hold a lone surrogate, which UTF-8 cannot carry.
        text = json.dumps(msgspec.to_builtins(record), ensure_ascii=False)
        return text.encode("utf-8", "replace") + b"\n"


def _context(request: ProofRequest) -> dict[str, str | int] | None:
    """What ``--vsb-context`` says that a prover may see, as a chat model would be shown it."""
    context = request.context()
    if context is None:
        return None
    shown = PromptBuilder().build(request.task, request.prefix, context=context)
    return {"kind": str(context.kind), "tokens": context.tokens, "text": shown.context}


def read_answer(stdout: str) -> ProgramAnswer:
    """The answer that a program printed.

    Raises:
        _BrokenContract: it is no JSON, or not what ``command.schema.json`` asks for.
    """
    if not stdout.strip():
        raise _BrokenContract("the program printed nothing on stdout")
    try:
        raw = msgspec.json.decode(stdout)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if len(stdout) >= _OUTPUT_BYTES // 4:
            raise _BrokenContract(
                f"what the program printed is no JSON, or longer than {_OUTPUT_BYTES} bytes"
            ) from error
        raise _BrokenContract(f"what the program printed is no JSON object ({error})") from error
    if not isinstance(raw, dict):
        raise _BrokenContract("what the program printed is JSON, but no object")
    valid = ProgramAnswer.__struct_fields__
    for key in raw:
        if key not in valid:
            raise _BrokenContract(
                f"the answer has an unknown key {key!r}. {nearest(key, valid)}"
                f"Valid keys: {', '.join(valid)}."
            )
    try:
        answer = msgspec.convert(raw, ProgramAnswer)
    except msgspec.ValidationError as error:
        raise _BrokenContract(f"the answer is wrong: {error}") from error
    if answer.give_up is False:
        raise _BrokenContract("the answer is wrong: 'give_up' can only be true")
    given = [key for key in ("proof", "malformed", "give_up") if key in raw]
    if len(given) != 1:
        raise _BrokenContract(
            "the answer must have one of 'proof', 'malformed' and 'give_up', but it has "
            + (" and ".join(map(repr, given)) or "none")
        )
    return answer


def _beginning(stdout: str) -> str:
    """How the output of a program begins, for a message on it."""
    text = " ".join(stdout[: 4 * _SHOWN].split())
    if not text:
        return ""
    return f"; it printed {text!r}" if len(text) <= _SHOWN else f"; it began {text[:_SHOWN]!r}"


def _as_answer(read: ProgramAnswer, seconds: float, response: str) -> Answer:
    candidate, malformed = None, ""
    if isinstance(read.proof, str):
        candidate = Candidate(read.proof, read.auxiliary, read.reasoning)
    elif isinstance(read.malformed, str):
        malformed = read.malformed
    else:
        malformed = f"{GAVE_UP}: {read.reasoning}" if read.reasoning.strip() else GAVE_UP
    return Answer(
        candidate=candidate,
        malformed=malformed,
        usage=Usage(
            input_tokens=read.usage.input_tokens,
            output_tokens=read.usage.output_tokens,
            cached_tokens=read.usage.cached_tokens,
            cost_usd=read.usage.cost_usd,
            seconds=seconds,
        ),
        response=response,
        prompt_digest=read.prompt_digest,
        model=read.model,
        stop=read.stop,
        retries=read.retries,
    )


def _feedback(feedback: Feedback) -> dict[str, Any]:
    candidate = feedback.candidate
    return {
        "round": feedback.round,
        "outcome": feedback.outcome,
        "reason": feedback.reason,
        "proof": candidate.proof if candidate else None,
        "auxiliary": candidate.auxiliary if candidate else "",
        "problems": [_problem(problem) for problem in feedback.problems],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    diagnostic = problem.diagnostic
    return {
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "line": diagnostic.start.line,
        "column": diagnostic.start.column,
        "end_line": diagnostic.end.line if diagnostic.end else None,
        "end_column": diagnostic.end.column if diagnostic.end else None,
        "region": diagnostic.region,
        "goal": diagnostic.goal,
        "excerpt": problem.excerpt,
    }


def _response(done: Completed, stdout: str, stderr: str) -> str:
    """What is kept of a program that ran: all that it printed, and the end of its stderr."""
    record = {
        "outcome": done.outcome.value,
        "stdout": stdout,
        "stderr": stderr[-_STDERR_KEPT:],
        "stderr_cut": len(stderr) > _STDERR_KEPT or done.truncated,
    }
    return msgspec.json.encode(record).decode("utf-8")


def _tail(stderr: str) -> str:
    lines = stderr.rstrip().splitlines()[-_TAIL_LINES:]
    return "\n".join(lines)[-_TAIL_CHARACTERS:]


def _secrets(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of the variables whose names say that they are secret, as SERVICE_API_KEY."""
    return tuple(value for name, value in environment.items() if _SECRET_NAME.search(name))


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """An empty directory for one call of the program, removed afterwards."""
    try:
        directory = tempfile.TemporaryDirectory(prefix="vsb-command-", ignore_cleanup_errors=True)
    except OSError as error:
        raise ProverUnavailable(
            f"no temporary directory for the program: {error.strerror or error}",
            where=error.filename and os.fspath(error.filename),
            hint="set TMPDIR to a directory that can be written",
        ) from error
    with directory as name:
        yield Path(name)


def _positive(
    options: Mapping[str, str], name: str, default: float, *, whole: bool = False
) -> float:
    text = options.get(name)
    if text is None:
        return default
    try:
        value = float(int(text)) if whole else float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        kind = "a whole number" if whole else "a number"
        raise UsageError(f"{text!r} is not {kind} above 0", where=f"--vsb-model-option {name}")
    return value


def _directory(text: str) -> Path:
    directory = (Path.cwd() / Path(text).expanduser()).resolve()
    if not directory.is_dir():
        raise UsageError("there is no such directory", where=f"--vsb-model-option cwd={text}")
    return directory


def _words(command: str, directory: Path) -> tuple[str, ...]:
    """The words of the command, whose first is a program that can be run."""
    where = "--vsb-model"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command cannot be split into words: {error}", where=where) from error
    if not words or not words[0]:
        raise UsageError(
            "prover 'command' needs a program",
            where=where,
            hint="Write --vsb-model='command:python3 my_prover.py'.",
        )
    program = words[0]
    if program.startswith("~"):
        program = str(Path(program).expanduser())
    if os.sep not in program:
        if shutil.which(program) is None:
            raise UsageError(
                f"there is no program {program!r} on the PATH",
                where=where,
                hint=f"For a file in {directory}, write ./{program}."
                if (directory / program).is_file()
                else None,
            )
        return (program, *words[1:])
    path = directory / program
    if not path.is_file():
        raise UsageError(f"there is no program {path}", where=where)
    if not os.access(path, os.X_OK):
        raise UsageError(
            f"{path} cannot be executed",
            where=where,
            hint=f"Make it executable: chmod +x {shlex.quote(str(path))}",
        )
    return (str(path), *words[1:])
