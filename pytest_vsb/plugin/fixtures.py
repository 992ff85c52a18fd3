"""Fixtures for users' own tests: ``vsb_task``, ``vsb_prover`` and ``vsb_checker``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_vsb.errors import VsbError

if TYPE_CHECKING:
    from pytest_vsb.judge.verdict import Verdict
    from pytest_vsb.provers.base import Candidate, Feedback, Prover
    from pytest_vsb.run.session import Workshop
    from pytest_vsb.tasks.model import Task
    from pytest_vsb.tasks.select import Selection

MARK = "vsb_tasks"


class FixtureProver:
    """The chosen prover, ready to be asked about a task.

    ``prover`` is the prover itself.
    """

    def __init__(self, config: pytest.Config, workshop: Workshop) -> None:
        self._config = config
        self._workshop = workshop

    @property
    def prover(self) -> Prover:
        return self._workshop.prover

    def __call__(
        self, task: Task, *, sample: int = 0, history: Sequence[Feedback] = ()
    ) -> Candidate | None:
        """The prover's candidate for one sample; ``None`` if it offers none.

        ``history`` makes it a repair round. Raises ``EnvironmentUnavailable`` if the prover or
        the task's repository is not there.
        """
        from pytest_vsb.plugin.options import fit_protocol
        from pytest_vsb.provers.base import ProofRequest
        from pytest_vsb.run.loop import sample_seed

        protocol = fit_protocol(self._config, self._workshop.settings.protocol, self.prover)
        answer = self.prover.prove(
            ProofRequest(
                task=task if self.prover.needs_reference else task.without_reference(),
                prefix=self._workshop.judge(task).prefix(task),
                sample=sample,
                samples=protocol.samples,
                round=len(history),
                seed=sample_seed(protocol.seed, task.id, sample),
                history=tuple(history),
            )
        )
        return answer.candidate if answer is not None else None


class FixtureChecker:
    """The judge: ``vsb_checker(task, candidate)`` is the verdict, by a real Lean."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def __call__(self, task: Task, candidate: Candidate | str | None) -> Verdict:
        """Judge a candidate, or a proof given as text. No candidate is ``malformed``."""
        from pytest_vsb.judge.verdict import Verdict, VerdictKind
        from pytest_vsb.provers.base import Candidate

        if candidate is None:
            return Verdict(VerdictKind.MALFORMED, reason="the prover offered no candidate")
        if isinstance(candidate, str):
            candidate = Candidate(proof=candidate)
        return self._workshop.check(task, candidate)


@pytest.fixture(scope="session")
def _vsb_workshop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workshop]:
    from pytest_vsb.plugin import options
    from pytest_vsb.plugin.setup import is_worker, make_workshop

    try:
        settings = options.read_settings(request.config, default_model="reference")
        settings = dataclasses.replace(settings, session="off")
    except VsbError as error:
        raise pytest.UsageError(str(error)) from None
    workshop = make_workshop(request.config, settings)
    # The workers of pytest-xdist have directories of their own in one of the whole run.
    base = tmp_path_factory.getbasetemp()
    workshop.slots_directory = (base.parent if is_worker(request.config) else base) / "vsb-slots"
    yield workshop
    workshop.close()


@pytest.fixture(scope="session")
def vsb_prover(request: pytest.FixtureRequest, _vsb_workshop: Workshop) -> FixtureProver:
    """The prover of ``--vsb-model`` (or ``vsb_model`` in the ini file): call it with a task."""
    from pytest_vsb.plugin import options

    if options.model(request.config) is None:
        pytest.skip("no prover is chosen: give --vsb-model=NAME")
    return FixtureProver(request.config, _vsb_workshop)


@pytest.fixture(scope="session")
def vsb_checker(_vsb_workshop: Workshop) -> FixtureChecker:
    """The judge: call it with a task and a candidate, or a proof as text, for a verdict."""
    return FixtureChecker(_vsb_workshop)


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give ``vsb_task`` its values: the tasks of the files in ``@pytest.mark.vsb_tasks(...)``, or
    of the ini option ``vsb_tasks``, that the mark's and the command line's filters select."""
    from pytest_vsb.plugin import options
    from pytest_vsb.tasks.dataset import read_tasks
    from pytest_vsb.tasks.select import select

    config = metafunc.config
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is not None and mark.args:
        here = metafunc.definition.path.parent
        paths = [here / str(name) for name in mark.args]
    else:
        paths = list(config.getini("vsb_tasks"))
    tasks: list[Task] = []
    try:
        for path in paths:
            file = read_tasks(path)
            if file.problems:
                raise file.problems[0].error(path)
            tasks += file.tasks
        marked = _marked_selection(mark.kwargs if mark is not None else {})
        for selection in (marked, options.read_selection(config)):
            tasks = [tasks[index] for index in select(tasks, selection).indices]
    except VsbError as error:
        # pytest shows any other exception of this hook with a traceback through its own code.
        raise pytest.Collector.CollectError(str(error)) from None
    metafunc.parametrize("vsb_task", tasks, ids=[task.id for task in tasks])


FILTERS = ("repository", "category", "subset", "ids")


def _marked_selection(given: Mapping[str, Any]) -> Selection:
    """The selection that the keywords of ``@pytest.mark.vsb_tasks`` ask for."""
    from pytest_vsb.tasks.select import Selection

    unknown = sorted(set(given) - set(FILTERS))
    if unknown:
        from pytest_vsb.provers.options import nearest

        raise VsbError(
            f"{unknown[0]!r} is no filter of @pytest.mark.{MARK}",
            hint=f"{nearest(unknown[0], FILTERS)}Filters: {', '.join(FILTERS)}.",
        )
    texts = {name: _texts(name, value) for name, value in given.items()}
    return Selection.parse(
        repositories=texts.get("repository", ()),
        categories=texts.get("category", ()),
        subsets=texts.get("subset", ()),
        ids=texts.get("ids", ()),
    )


def _texts(name: str, value: object) -> tuple[str, ...]:
    """The values of one filter: a text or a number, or several of them."""
    several = value if isinstance(value, (list, tuple, set, frozenset)) else (value,)
    if not all(isinstance(each, (str, int)) for each in several):
        raise VsbError(
            f"{name}={value!r} is no text, number or sequence of them",
            where=f"@pytest.mark.{MARK}",
        )
    return tuple(str(each) for each in several)
