"""An honest offline baseline: closing tactics and small scripts made from the statement's text.

Sample i tries entry i of the portfolio. The prover sees the statement and the file before it,
never a reference proof or the dependency lists; it is deterministic and keeps no state between
requests but a cache.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Answer, Candidate, Feedback, ProofRequest, ProverSpec
from pytest_vsb.provers.options import check_no_argument, check_no_model, check_options
from pytest_vsb.provers.portfolio import OPTIONAL, Hints, portfolio
from pytest_vsb.provers.statement import Statement, identifiers, read_statement
from pytest_vsb.provers.surroundings import Surroundings, read_surroundings

MAX_REPAIRS = 1

HEARTBEATS = 10_000
"""Lean's measure of the work allowed to an entry after the first, a twentieth of its own default:
searching longer costs much and finds little. The statement's elaboration counts in it."""

_UNKNOWN_NAME = re.compile(r"[Uu]nknown (?:constant|identifier)\s+[`']([^`'\s]+)[`']")
_REFUSED = re.compile(r"unknown tactic|unexpected (?:token|identifier|end of input)|expected \S")
_GOAL_NAMES = 12


class AutomationProver:
    """Tries a portfolio of proofs, one a sample, and uses feedback for one repair.

    The option ``tactics`` lists further closing tactics that the Lean in use has, separated by
    commas, such as ``grind,aesop``; ``heartbeats`` is the work allowed to an entry other than the
    first, as in Lean's ``maxHeartbeats`` (0: as much as the project allows).
    """

    needs_reference = False
    deterministic = True
    # It is deterministic, and its first entries are the most productive.
    default_samples = 4
    default_repairs = 0

    def __init__(self, spec: ProverSpec) -> None:
        check_no_model(spec)
        check_no_argument(spec)
        check_options(spec, ["tactics", "heartbeats"])
        self.name = "automation"
        self._closers = _closers(spec.options.get("tactics", ""))
        self._heartbeats = _heartbeats(spec.options.get("heartbeats", str(HEARTBEATS)))
        self._read: tuple[tuple[str, str], Statement, Surroundings] | None = None

    def settings(self) -> Mapping[str, str]:
        return {"tactics": ",".join(self._closers), "heartbeats": str(self._heartbeats)}

    def prove(self, request: ProofRequest) -> Answer | None:
        """Entry ``request.sample`` of the portfolio, or what feedback suggests instead of it.

        ``None`` beyond the portfolio's end, and where a repair has nothing new to offer.
        """
        if request.round == 0 or not request.history:
            return self._answer(self._portfolio(request, Hints(closers=self._closers)), request)
        if request.round > MAX_REPAIRS:
            return None
        return self._repair(request)

    def close(self) -> None:
        self._read = None

    def _repair(self, request: ProofRequest) -> Answer | None:
        tried = {
            feedback.candidate.proof
            for feedback in request.history
            if feedback.candidate is not None
        }
        if any(feedback.outcome in ("timeout", "out_of_memory") for feedback in request.history):
            # More of the same costs as much again.
            return None
        learnt = self._learn(request.history)
        names = _goal_names(request.history)
        answer = self._answer(self._portfolio(request, learnt, names), request)
        if answer and answer.candidate and answer.candidate.proof not in tried:
            return answer
        return None

    def _answer(self, entries: Sequence[str], request: ProofRequest) -> Answer | None:
        if request.sample >= len(entries):
            return None
        limited = self._heartbeats and request.sample > 0  # standard automation has Lean's default
        limit = f"set_option maxHeartbeats {self._heartbeats}" if limited else ""
        return Answer(Candidate(entries[request.sample], auxiliary=limit))

    def _learn(self, history: Sequence[Feedback]) -> Hints:
        unknown: set[str] = set()
        without: set[str] = set()
        for feedback in history:
            proof = feedback.candidate.proof if feedback.candidate else ""
            for problem in feedback.problems:
                message = problem.diagnostic.message
                unknown.update(_UNKNOWN_NAME.findall(message))
                if _REFUSED.search(message):
                    used = (*OPTIONAL, *self._closers)
                    without.update(tactic for tactic in used if tactic in proof)
        return Hints(
            unknown=frozenset(unknown),
            without=frozenset(without),
            closers=tuple(c for c in self._closers if c not in without),
        )

    def _portfolio(
        self, request: ProofRequest, hints: Hints, names: Sequence[str] = ()
    ) -> tuple[str, ...]:
        key = request.task.statement, request.prefix
        if self._read is None or self._read[0] != key:
            around = read_surroundings(request.prefix)
            statement = read_statement(request.task.statement, around.variables)
            self._read = key, statement, around
        _, statement, around = self._read
        if names:
            known = dict.fromkeys((*statement.identifiers, *names))
            statement = dataclasses.replace(statement, identifiers=tuple(known))
        return portfolio(statement, around, hints)


def _closers(text: str) -> tuple[str, ...]:
    closers = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for closer in closers:
        if not re.fullmatch(r"[^\W\d][\w'!?]*", closer):
            raise UsageError(
                f"{closer!r} is not the name of a tactic",
                where="--vsb-model-option tactics",
                hint="Separate names by commas: tactics=grind,aesop.",
            )
    return closers


def _heartbeats(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise UsageError(f"{text!r} is not a whole number", where="--vsb-model-option heartbeats")
    return int(text)


def _goal_names(history: Sequence[Feedback]) -> tuple[str, ...]:
    """Names in the goals that were left open, functions called on variables as ``T.f``."""
    found: dict[str, None] = {}
    for feedback in history:
        for problem in feedback.problems:
            if problem.diagnostic.goal:
                found.update(dict.fromkeys(_names_of_goal(problem.diagnostic.goal)))
    return tuple(found)[:_GOAL_NAMES]


def _names_of_goal(goal: str) -> Iterator[str]:
    types: dict[str, str] = {}
    for line in goal.splitlines():
        names, separator, kind = line.partition(" : ")
        head = re.match(r"[A-Z][\w'!?.]*", kind)
        if separator and head and "⊢" not in names:
            types.update(dict.fromkeys(names.split(), head.group()))
    for name in identifiers(goal):
        first, _, rest = name.partition(".")
        if first in types:
            for part in rest.split(".") if rest else ():
                yield f"{types[first]}.{part}"
        elif rest and first[:1].isupper():
            yield name
