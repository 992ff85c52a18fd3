"""Setting up a run: the run directory in the main process, a runner where items run."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_vsb.context.kinds import check_needs
from pytest_vsb.context.tokens import token_counter
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.executor.address import is_remote
from pytest_vsb.judge.outside import comparator, programs
from pytest_vsb.lean import cache, docker, elan, toolchain
from pytest_vsb.lean.sandbox.choose import Choice, choose
from pytest_vsb.plugin import options, shards
from pytest_vsb.plugin.gate import GateController, read_baseline
from pytest_vsb.plugin.runner import RUNNER, ItemRunner
from pytest_vsb.provers import registry
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.section import samples_of
from pytest_vsb.run.directory import RunDirectory, default_path
from pytest_vsb.run.history import History, read_history
from pytest_vsb.run.session import RunSession, Workshop
from pytest_vsb.run.settings import Settings
from pytest_vsb.words import counted

PLACE: pytest.StashKey[Mapping[str, str]] = pytest.StashKey()
"""Where Lean runs and what confines it there, for the report."""
LACKING: pytest.StashKey[str] = pytest.StashKey()
"""What keeps all checks waiting as the cluster is at the start; empty if nothing does."""

WORKER_KEY = "vsb_run"
PROTOCOL_KEY = "vsb_protocol"


def is_worker(config: pytest.Config) -> bool:
    """Whether this process is a worker of pytest-xdist."""
    return hasattr(config, "workerinput")


def distributes(config: pytest.Config) -> bool:
    """Whether items run in workers of pytest-xdist, not in this process."""
    return not is_worker(config) and config.getoption("dist", "no") != "no"


def configure(config: pytest.Config) -> None:
    """Prepare the run in this process.

    Raises:
        UsageError: an option cannot be used.
    """
    _check_distribution(config)
    settings = options.read_settings(config)
    options.gate_rules(config)
    options.progress_seconds(config)
    options.read_selection(config)
    shards.times(config)
    options.known_bad(config)
    if config.option.collectonly:
        return
    workshop = make_workshop(config, settings)
    if is_worker(config):
        directory = _worker_directory(config)
        samples, repairs = config.workerinput[PROTOCOL_KEY]  # type: ignore[attr-defined]
        protocol = dataclasses.replace(settings.protocol, samples=samples, repairs=repairs)
        workshop.settings = dataclasses.replace(settings, protocol=protocol)
        if options.far(config) is not None:
            _check_far(workshop)
        baseline = read_baseline(config, workshop)
    else:
        directory, baseline = _begin(config, workshop)
    workshop.slots_directory = _slots(config, directory)
    workshop.contexts_directory = directory.path / "contexts"
    workshop.disagreements_directory = directory.disagreements
    workshop.waiting_directory = directory.waiting
    if not distributes(config):
        worker = "main" if not is_worker(config) else config.workerinput["workerid"]  # type: ignore[attr-defined]
        history = _history(config, directory)
        session = RunSession(workshop, directory, worker, history=history)
        config.stash[RUNNER] = ItemRunner(config, workshop.settings, directory, session)
        config.add_cleanup(session.close)
    if not is_worker(config):
        from pytest_vsb.plugin.controller import Controller

        # A broken line must not keep the other tasks from running.
        config.option.continue_on_collection_errors = True
        controller = Controller(config, workshop.settings, directory)
        config.pluginmanager.register(controller, "vsb-controller")
        _register_gate(config, workshop, directory, baseline)
        if distributes(config):
            from pytest_vsb.plugin.remote import RemoteWorkers

            remote = RemoteWorkers(config, workshop.settings, directory, baseline)
            config.pluginmanager.register(remote, "vsb-remote")
        if options.value(config, "shard"):
            config.pluginmanager.register(shards.ShardReporter(config), "vsb-shard")


def _slots(config: pytest.Config, directory: RunDirectory) -> Path:
    """Where Lean processes are counted: in the run; where that is out of reach, on this machine
    for all runs of the kind."""
    if "channel" in (options.far(config) or {}):
        return cache.directory().path / "slots"
    return directory.path / "slots"


def _check_distribution(config: pytest.Config) -> None:
    """Say that ``--tx`` alone distributes nothing."""
    if not is_worker(config) and config.getoption("tx", None) and not distributes(config):
        raise UsageError(
            "nothing is distributed to these workers", where="--tx", hint="add -d (or --dist=load)"
        )


def _worker_directory(config: pytest.Config) -> RunDirectory:
    """The run directory, or one of this machine where that is out of reach."""
    path = Path(config.workerinput[WORKER_KEY])  # type: ignore[attr-defined]
    if options.far(config) is None:
        return RunDirectory(path)
    from pytest_vsb.plugin.remote import worker_directory

    return worker_directory(config, path)


def _check_far(workshop: Workshop) -> None:
    """Say at once what another machine has not that the main process has: keys and a sandbox,
    above all."""
    with _about("--vsb-model"):
        _ = workshop.prover
    if not is_remote(workshop.settings.executor):
        choose_sandbox(workshop.settings)


def _register_gate(
    config: pytest.Config, workshop: Workshop, directory: RunDirectory, run: LoadedRun | None
) -> None:
    """Decide at the end where there is something to decide; tell GitHub Actions where it is."""
    from pytest_vsb.plugin.actions import ActionsReporter, in_actions

    rules = options.gate_rules(config)
    if run is not None or rules.min_pass_rate is not None:
        gate = GateController(config, rules, run, directory)
        config.pluginmanager.register(gate, "vsb-gate")
    if in_actions():
        reporter = ActionsReporter(config, workshop.settings.model)
        config.pluginmanager.register(reporter, "vsb-actions")


def make_workshop(config: pytest.Config, settings: Settings) -> Workshop:
    """The provers and judges of this process, with the plugins' own provers."""
    return Workshop(settings, factories(config))


def factories(config: pytest.Config) -> Mapping[str, registry.ProverFactory]:
    """The provers that plugins offer; raises ``UsageError`` if two have one name."""
    found: dict[str, registry.ProverFactory] = {}
    for offered in config.hook.pytest_vsb_provers(config=config):
        for name, factory in (offered or {}).items():
            if name in found:
                raise UsageError(
                    f"two plugins offer a prover {name!r}", hint="see pytest_vsb_provers"
                )
            found[name] = factory
    return found


@contextlib.contextmanager
def _about(option: str) -> Iterator[None]:
    """Say which option a ``UsageError`` is about where the error does not."""
    try:
        yield
    except UsageError as error:
        where = error.where or ""
        if option in where:
            raise
        raise UsageError(
            error.message, where=f"{option}: {where}".removesuffix(": "), hint=error.hint
        ) from error


def _begin(config: pytest.Config, workshop: Workshop) -> tuple[RunDirectory, LoadedRun | None]:
    """The run directory, after everything that can be wrong with the options has been checked, and
    the baseline."""
    with _about("--vsb-model"):
        prover = workshop.prover
    workshop.settings = dataclasses.replace(
        workshop.settings,
        protocol=options.fit_protocol(config, workshop.settings.protocol, prover),
        prover_settings=dict(prover.settings()),
    )
    with _about("--vsb-context"):
        _check_context(workshop)
    baseline = read_baseline(config, workshop)
    workshop.close()
    # Before any Lean runs: what was required must be there.
    where = config.stash[PLACE] = (
        _cluster(config, workshop)
        if is_remote(workshop.settings.executor)
        else _here(config, workshop)
    )
    base = options.base_directory(config)
    given = options.value(config, "run")
    # Items are known by their nodeids, which are relative to pytest's root directory.
    identity = {**workshop.settings.identity(), "rootdir": str(config.rootpath)}
    if options.value(config, "resume"):
        if not given:
            raise UsageError("which run?", where="--vsb-resume", hint="add --vsb-run=DIR")
        run = RunDirectory.resume(base / Path(given).expanduser(), identity)
        _hold(config, run)
        history = config.stash[_HISTORY] = read_history(run.path)
        _check_samples(run, history, workshop.settings.protocol.samples)
        _share(config, run, history)
        _check_recording(config, run)
        return run, baseline
    _check_recording(config, None)
    path = base / Path(given).expanduser() if given else default_path(base, workshop.settings.model)
    facts: dict[str, Any] = {
        "samples": workshop.settings.protocol.samples,
        **where,
        "pytest": pytest.__version__,
    }
    run = RunDirectory.create(path, identity, facts)
    _hold(config, run)
    return run, baseline


def _here(config: pytest.Config, workshop: Workshop) -> Mapping[str, str]:
    """The Lean and the sandbox of this machine; raises ``UsageError``."""
    sandbox = choose_sandbox(workshop.settings)
    lean: str
    try:
        with _about("--vsb-lean"):
            lean = toolchain.find(workshop.settings.lean).describe()
    except EnvironmentUnavailable as error:
        _check_lean(workshop.settings, error)
        lean = f"no Lean for a project without a lean-toolchain file: {error.message}"
    if workshop.settings.assurance == "comparator":
        _check_comparator(workshop.settings, sandbox, config.rootpath)
    return {"lean": lean, "sandbox": sandbox.describe()}


def _cluster(config: pytest.Config, workshop: Workshop) -> Mapping[str, str]:
    """The cluster that judges, whose workers have Leans and sandboxes of their own; raises
    ``UsageError`` if it is not there."""
    try:
        executor = workshop.cluster.describe()
        config.stash[LACKING] = workshop.cluster.lacking()
    except EnvironmentUnavailable as error:
        raise UsageError(error.message, where=error.where, hint=error.hint) from error
    finally:
        workshop.close()
    return {
        "lean": f"Lean ({workshop.settings.lean}) of the workers",
        "sandbox": f"{workshop.settings.sandbox}, as each worker has it",
        "executor": executor,
    }


def _check_lean(settings: Settings, error: EnvironmentUnavailable) -> None:
    """Stop at once where the Lean that was asked for by name is missing for every project. Of
    elan's Leans and those found by themselves, each project may pin another."""
    pinned = settings.lean == "auto" or (settings.lean == "elan" and elan.find() is not None)
    if not pinned:
        where = f"--vsb-lean={settings.lean}"
        raise UsageError(
            f"there is no such Lean here: {error.message}", where=where, hint=error.hint
        ) from error


def _check_comparator(settings: Settings, sandbox: Choice, root: Path) -> None:
    """Stop at once where comparator can run for no project: what it needs is found neither here
    nor can a project bring it."""
    try:
        lean = toolchain.find(settings.lean)
    except EnvironmentUnavailable:
        return  # A project may pin one that is here.
    full = programs.binaries(lean) is not None or (settings.lean != "embedded" and elan.find())
    landrun = os.environ.get("COMPARATOR_LANDRUN") or "landrun"
    if full and shutil.which(landrun):
        return
    try:
        comparator.find(programs.Programs(lean, settings.limits, sandbox.sandbox), root)
    except EnvironmentUnavailable as error:
        raise UsageError(error.message, where=error.where, hint=error.hint) from error


def _check_recording(config: pytest.Config, resumed: RunDirectory | None) -> None:
    """Refuse to replace a recording that is not this run's own."""
    given = options.value(config, "record")
    if not given:
        return
    path = options.base_directory(config) / given
    if not path.is_file() or not path.stat().st_size:
        return
    if resumed is None or not resumed.wrote(path):
        raise UsageError(
            "the file is there already, and is no recording of this run as it was last written",
            where=f"--vsb-record={given}",
            hint="choose another file, or remove that one",
        )


_HISTORY: pytest.StashKey[History] = pytest.StashKey()


def _history(config: pytest.Config, run: RunDirectory) -> History | None:
    """What earlier sessions did, if the run is resumed. Workers need not read all journals: the
    main process has."""
    if not options.value(config, "resume"):
        return None
    known = config.stash.get(_HISTORY, None)
    return History(run.path, run.index) if known is None else known


def _share(config: pytest.Config, run: RunDirectory, history: History) -> None:
    """Tell the workers where in the journals everything is."""
    if not distributes(config):
        return
    with contextlib.suppress(OSError):  # they can find that out by themselves
        history.save(run.index)

    def remove() -> None:
        with contextlib.suppress(OSError):
            run.index.unlink(missing_ok=True)

    config.add_cleanup(remove)


def _check_samples(run: RunDirectory, history: History, samples: int) -> None:
    """Refuse to resume a run with fewer samples: those that were made would count in its table,
    but not in the items' outcomes."""
    had = samples_of(run, run.read(), history)
    if samples < had:
        raise UsageError(
            f"this run has {counted(had, 'sample')} a task; a resumed run may have more, not fewer",
            where=f"--vsb-samples={samples}",
            hint=f"give --vsb-samples={had} or more, or begin another run",
        )


def choose_sandbox(settings: Settings) -> Choice:
    """The sandbox of this process, tested; raises ``UsageError`` if it is not what is required."""
    try:
        lean = None
        if settings.lean.startswith(docker.PREFIX):
            # A container is its own sandbox; any other Lean is found for each project.
            with _about("--vsb-lean"):
                lean = toolchain.find(settings.lean)
        return choose(settings.sandbox, lean)
    except EnvironmentUnavailable as error:
        raise UsageError(error.message, where=error.where, hint=error.hint) from error


def _hold(config: pytest.Config, run: RunDirectory) -> None:
    lock = run.lock()
    config.add_cleanup(lambda: lock.release(force=True))


def _check_context(workshop: Workshop) -> None:
    """Say now, not in the middle of a run, that contexts cannot be put together. The workshop's
    own are made later: where they are recorded is not known yet."""
    settings = workshop.settings
    check_needs(settings.context, workshop.context_budget)
    token_counter(settings.tokenizer)
