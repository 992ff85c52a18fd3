"""``vsb repos``: the repositories of a benchmark, fetched and built, and what is ready."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_vsb.cli.common import ACCEPTED, NOT_ACCEPTED, number
from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands as Subparsers
    from pytest_vsb.repos.manifest import Manifest, Repository
    from pytest_vsb.repos.places import Places
    from pytest_vsb.repos.status import Commands, Needs
    from pytest_vsb.repos.work import Result

VERBS = {
    "list": "what the manifest has: URL, commit, toolchain, licence, size",
    "fetch": "clone the repositories at their commits",
    "build": "fetch them, install their toolchains, and compile their modules",
    "status": "what is ready, and the command that sees to the rest",
}


def add(commands: Subparsers) -> None:
    """Add the command's arguments."""
    text = "the repositories of a benchmark: list, fetch and build them, say what is ready"
    sub = commands.add_parser("repos", help=text, description=text, allow_abbrev=False)
    verbs = sub.add_subparsers(title="what to do", metavar="VERB", required=True)
    for verb, what in VERBS.items():
        one = verbs.add_parser(verb, help=what, description=what, allow_abbrev=False)
        one.add_argument("names", nargs="*", metavar="NAME", help="repositories (default: all)")
        one.add_argument("--manifest", metavar="FILE", help="a manifest of your own (TOML)")
        one.add_argument("--json", action="store_true", help="print JSON on standard output")
        if verb != "list":
            one.add_argument("--repos", metavar="DIR", help="where they are, or are to be")
            one.add_argument(
                "--tasks",
                metavar="FILE",
                action="append",
                default=[],
                help="only what the tasks of this file need; repeatable",
            )
        if verb in ("fetch", "build"):
            jobs = "4" if verb == "fetch" else "2"
            one.add_argument("--jobs", metavar="N", default=jobs, help=f"at once (default: {jobs})")
            one.add_argument(
                "--timeout", metavar="SECONDS", default="21600", help="of a command (default: 6 h)"
            )
            one.add_argument("--force", action="store_true", help="also where the disk seems small")
        if verb == "build":
            one.add_argument(
                "--no-cache", action="store_true", help="compile Mathlib here, which takes hours"
            )
        one.set_defaults(command=run, verb=verb)


def run(options: argparse.Namespace) -> int:
    """Do what the verb says; exit code 1 if a repository is not, or does not become, ready."""
    from pytest_vsb.repos import manifest as manifests

    manifest = (
        manifests.read_manifest(Path(options.manifest)) if options.manifest else manifests.builtin()
    )
    if options.verb == "list":
        return _list(manifest.select(options.names), as_json=options.json)
    repositories, needs = _chosen(manifest, options)
    places = _places(options.repos)
    if options.verb == "status":
        return _status(repositories, needs, places, options)
    return _work(repositories, needs, places, options)


def _list(repositories: Sequence[Repository], *, as_json: bool) -> int:
    from tabulate import tabulate

    from pytest_vsb.repos.manifest import as_json as plain

    if as_json:
        _print_json([plain(repository) for repository in repositories])
        return ACCEPTED
    rows = [
        (
            one.name,
            one.commit[:12],
            one.toolchain.removeprefix("leanprover/lean4:"),
            "Mathlib" if one.mathlib else "",
            one.license,
            f"{(one.source_mb + one.build_mb) / 1000:.1f}",
            one.url,
        )
        for one in repositories
    ]
    headers = ("repository", "commit", "Lean", "uses", "licence", "GB", "URL")
    print(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))
    for one in repositories:
        if one.note:
            print(f"{one.name}: {one.note}")
    return ACCEPTED


# ---- What is meant -------------------------------------------------------------------------------


def _places(given: str | None) -> Places:
    from pytest_vsb.repos.places import Places, default_directory

    directory = Path(given) if given else default_directory()
    if directory is None:
        raise UsageError("there is no home directory", hint="say where: --repos=DIR")
    if directory.exists() and not directory.is_dir():
        raise UsageError("is not a directory", where=f"--repos={directory}")
    return Places(directory)


def _chosen(
    manifest: Manifest, options: argparse.Namespace
) -> tuple[tuple[Repository, ...], dict[str, Needs] | None]:
    """The repositories meant, and what of them is needed if task files say so."""
    from pytest_vsb.repos.status import Needs

    if not options.tasks:
        return manifest.select(options.names), None
    files = _task_files(options.tasks)
    names = options.names or list(files)
    if not options.names and not names:
        raise UsageError(
            "the tasks are about no repository of a manifest: they name none",
            where=", ".join(options.tasks),
        )
    repositories = manifest.select(names)
    for name in options.names:
        if name not in files:
            raise UsageError("no task is about it", where=name)
    return repositories, {name: Needs(tuple(files[name])) for name in names}


def _task_files(names: Sequence[str]) -> dict[str, list[str]]:
    """The paths that tasks are about, by repository."""
    from pytest_vsb.tasks.dataset import read_tasks

    files: dict[str, dict[str, None]] = {}
    for name in names:
        path = Path(name).expanduser()
        read = read_tasks(path)
        for problem in read.problems:
            print(f"vsb: warning: {problem.error(path)}", file=sys.stderr)
        for task in read.tasks:
            if task.repository and not task.root:
                short = task.repository.rpartition("/")[2]
                files.setdefault(short, {})[task.path] = None
    return {name: list(paths) for name, paths in sorted(files.items())}


def _repairs(options: argparse.Namespace) -> Commands:
    from pytest_vsb.repos.status import Commands

    arguments = [f"--repos={options.repos}"] if options.repos else []
    arguments += [f"--manifest={options.manifest}"] if options.manifest else []
    arguments += [f"--tasks={name}" for name in options.tasks]
    return Commands(arguments)


# ---- vsb repos status ----------------------------------------------------------------------------


def _status(
    repositories: Sequence[Repository],
    needs: dict[str, Needs] | None,
    places: Places,
    options: argparse.Namespace,
) -> int:
    import msgspec

    from pytest_vsb.repos.status import State, look

    commands = _repairs(options)
    found = [
        look(one, places, needs=needs[one.name] if needs else None, commands=commands)
        for one in repositories
    ]
    ready = sum(status.state is State.READY for status in found)
    if options.json:
        _print_json(msgspec.to_builtins(found))
    else:
        width = max((len(status.name) for status in found), default=0)
        for status in found:
            print(f"{status.name:<{width}}  {status.state.value}: {status.text}")
            for note in status.notes:
                print(f"{'':<{width}}  note: {note}")
            if status.repair:
                print(f"{'':<{width}}  $ {status.repair}")
        print(f"{ready} of {len(found)} ready in {places.directory}")
    return ACCEPTED if ready == len(found) else NOT_ACCEPTED


# ---- vsb repos fetch, vsb repos build ------------------------------------------------------------


def _work(
    repositories: Sequence[Repository],
    needs: dict[str, Needs] | None,
    places: Places,
    options: argparse.Namespace,
) -> int:
    import msgspec

    from pytest_vsb.cli.board import Board
    from pytest_vsb.repos import disk
    from pytest_vsb.repos.command import Stopped
    from pytest_vsb.repos.status import look
    from pytest_vsb.repos.work import Rules, Work

    rules = Rules(
        jobs=int(number("--jobs", options.jobs, 1)),
        timeout=number("--timeout", options.timeout, 1),
        mathlib_cache=not getattr(options, "no_cache", False),
    )
    build = options.verb == "build"
    _say(f"{_count(len(repositories))} in {places.directory}")
    for line in _licences(repositories):
        _say(line)
    statuses = [look(one, places, needs=needs[one.name] if needs else None) for one in repositories]
    rooms = disk.estimate(repositories, statuses, places, build=build)
    for room in rooms:
        _say(f"disk: {room}")
    if not options.force:
        disk.need_room(rooms)
    board = Board()
    work = Work(
        places,
        rules,
        board.say,
        finished=lambda result: board.done(result.name, "\n".join(_told(result, build))),
        commands=_repairs(options),
    )
    try:
        results = work.build(repositories, needs) if build else work.fetch(repositories)
    except Stopped:
        raise KeyboardInterrupt from None
    finally:
        board.close()
    good = sum(result.ok for result in results)
    if options.json:
        _print_json(msgspec.to_builtins(results))
    _say(f"{good} of {len(results)} {'built' if build else 'fetched'}")
    return ACCEPTED if good == len(results) else NOT_ACCEPTED


def _told(result: Result, build: bool) -> list[str]:
    if result.ok:
        what = "ready" if build else "fetched"
        lines = [f"{result.name}: {what} ({result.seconds:.0f} s)"]
    else:
        lines = [f"{result.name}: FAILED: {result.error}"]
        if result.hint:
            lines.append(f"  hint: {result.hint}")
    return lines + [f"  note: {note}" for note in result.status.notes]


def _licences(repositories: Sequence[Repository]) -> list[str]:
    """Who may do what with the repositories, as far as a name can tell."""
    names: dict[str, list[str]] = {}
    for one in repositories:
        names.setdefault(one.license or "no licence known", []).append(one.name)
    lines = [f"licence {licence}: {', '.join(names[licence])}" for licence in sorted(names)]
    return lines + [f"note on {one.name}: {one.note}" for one in repositories if one.note]


def _count(number: int) -> str:
    return "1 repository" if number == 1 else f"{number} repositories"


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
