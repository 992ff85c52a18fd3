"""``comparator``: compiles both files in a sandbox of its own, compares the exported terms, and
checks the submission's with Lean's kernel, and with ``nanoda`` if that is there.

It is given a JSON file in a Lake project with the two modules, needs ``lean4export`` and
``landrun``, and ends with exit code 0 if it accepts. Source: the README and ``Main.lean`` of
https://github.com/leanprover/comparator, read in 2026.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.outside import programs
from pytest_vsb.judge.outside.model import Case, Opinion
from pytest_vsb.judge.outside.programs import Programs
from pytest_vsb.judge.running import failure
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.scratch import scratch

CHALLENGE, SOLUTION = "Challenge", "Solution"
NAME, SECOND_KERNEL = "comparator", "nanoda"

_OKAY = "Your solution is okay!"
_HELPERS = {"landrun": "COMPARATOR_LANDRUN", "lean4export": "COMPARATOR_LEAN4EXPORT"}
_NANODA = ("nanoda_bin", "COMPARATOR_NANODA")
_THEOREMS = frozenset({"theorem", "lemma"})
# It compiles both files, exports both, and checks one: some times what one check takes.
_TIMES = 4

# Where Lake puts and looks for compiled modules: of recent and of older versions.
_LIBRARIES = (Path(".lake/build/lib/lean"), Path(".lake/build/lib"))


@dataclass(frozen=True)
class Installation:
    """The programs, and the environment variables that name some of them."""

    comparator: Path
    lake: Path
    environment: tuple[tuple[str, str], ...]
    nanoda: bool


def find(run: Programs, root: Path) -> Installation:
    """Find comparator and what it needs.

    Raises:
        EnvironmentUnavailable: something is missing; it says what to install.
    """
    toolchain = run.toolchain
    bin_directory = programs.binaries(toolchain)
    missing = []
    if bin_directory is None:
        missing.append("a full Lean toolchain with lake (--vsb-lean=elan)")
    lake = bin_directory / "lake" if bin_directory is not None else None
    if lake is not None and not lake.is_file():
        missing.append(f"lake beside {toolchain.command[0]}")
    program = programs.find((NAME,), toolchain, root)
    if program is None:
        missing.append("comparator (https://github.com/leanprover/comparator)")
    variables = {}
    for name, variable in _HELPERS.items():
        found = _named(variable) or programs.find((name,), toolchain, root)
        if found is None:
            missing.append(f"{name} on PATH or in {variable}")
        else:
            variables[variable] = str(found)
    if missing or program is None or lake is None:
        raise EnvironmentUnavailable(
            f"comparator cannot run here; missing: {', '.join(missing)}",
            where="--vsb-assurance=comparator",
            hint="install what is missing, or take --vsb-assurance=replay",
        )
    nanoda = _named(_NANODA[1]) or programs.find(_NANODA[:1], toolchain, root)
    if nanoda is not None:
        variables[_NANODA[1]] = str(nanoda)
    return Installation(program, lake, tuple(sorted(variables.items())), nanoda is not None)


def _named(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    found = shutil.which(value) if value else None
    return Path(found).absolute() if found else None


class Comparator:
    """Asks comparator, in a Lake project made for the purpose.

    Args:
        installation: the programs.
        run: runs them.
    """

    name = NAME

    def __init__(self, installation: Installation, run: Programs) -> None:
        self._installation = installation
        self._run = run

    @property
    def programs(self) -> tuple[Path, ...]:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        named = (Path(value) for _, value in self._installation.environment)
        return (self._installation.comparator, self._installation.lake, *named)

    def unsuited(self, case: Case) -> str | None:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        if "private" in case.located.target.modifiers:
            return "comparator cannot be asked for a private declaration"
        # The original file against itself, and `sorry` allowed: nothing is different.
        opinion = self._ask(case, case.original_text, case.axioms | {"sorryAx"})
        return None if opinion.accepted else f"not even of the original file: {opinion.reason}"

    def judge(self, case: Case) -> Opinion:
        """See :class:`~pytest_vsb.judge.outside.model.Judge`."""
        return self._ask(case, case.submission_text, case.axioms)

    def _ask(self, case: Case, text: str, axioms: frozenset[str]) -> Opinion:
        with scratch() as project:
            self._write(project, case, text, axioms)
            installed = self._installation
            home = ("HOME", str(project))
            done = self._run.unconfined(
                (str(installed.lake), "env", str(installed.comparator), "config.json"),
                project,
                dict((*installed.environment, home)),
                times=_TIMES,
            )
        return self._opinion(done)

    def _opinion(self, done: Completed) -> Opinion:
        said = (done.stderr.strip() or done.stdout.strip() or "no output")[-500:]
        if done.exit_code == 0 and _OKAY in done.stdout:
            checks = (NAME, SECOND_KERNEL) if self._installation.nanoda else (NAME,)
            return Opinion(True, checks, runs=(done,))
        if done.outcome is Outcome.EXITED and done.exit_code:
            return Opinion(False, (NAME,), f"comparator refuses it: {said}", runs=(done,))
        kind, reason = failure(done, Limits(wall_seconds=done.wall_seconds))
        reason = reason.replace("Lean ", "comparator ", 1) or f"comparator said: {said}"
        return (
            Opinion(None, (), reason, runs=(done,))
            if kind is None
            else Opinion(None, (), reason, kind, (done,))
        )

    def _write(self, project: Path, case: Case, text: str, axioms: frozenset[str]) -> None:
        """The Lake project: two modules, and links to the compiled modules that they import."""
        target = case.located.target
        for module, content in ((CHALLENGE, case.original_text), (SOLUTION, text)):
            (project / f"{module}.lean").write_bytes(content.encode("utf-8", "surrogatepass"))
        theorem = target.kind in _THEOREMS
        config = {
            "challenge_module": CHALLENGE,
            "solution_module": SOLUTION,
            "theorem_names": [target.full_name] if theorem else [],
            "definition_names": [] if theorem else [target.full_name],
            "permitted_axioms": sorted(axioms),
            "enable_nanoda": self._installation.nanoda,
        }
        (project / "config.json").write_text(json.dumps(config), encoding="utf-8")
        (project / "lakefile.toml").write_text(_lakefile(case.located.options), encoding="utf-8")
        for library in _LIBRARIES:
            (project / library).mkdir(parents=True, exist_ok=True)
        for library in _LIBRARIES:
            for name, file in _entries(case.located.search_path):
                with contextlib.suppress(FileExistsError):
                    (project / library / name).symlink_to(file)


def _lakefile(options: Sequence[str]) -> str:
    arguments = ", ".join(json.dumps(option) for option in options)
    lines = ['name = "vsbcomparison"']
    for module in (CHALLENGE, SOLUTION):
        lines += ["", "[[lean_lib]]", f'name = "{module}"', f"moreLeanArgs = [{arguments}]"]
    return "\n".join(lines) + "\n"


def _entries(search_path: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    for directory in search_path:
        with contextlib.suppress(OSError):
            for path in sorted(directory.iterdir()):
                yield path.name, path.absolute()
