"""Compiling the audit's program, once for each Lean."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache, diagnostics, process
from pytest_vsb.lean.imports import module_path
from pytest_vsb.lean.toolchain import Toolchain

MODULE = "VsbAuditProgram"
"""The program's module; its entry is ``VsbAudit.run``."""

_HERE = Path(__file__).resolve().parent
_SHIM = ("Lean", "Lean.Replay")
_RECIPE = b"1"
_LIMITS = process.Limits(wall_seconds=300.0)


def build(toolchain: Toolchain, directory: Path | None = None) -> Path:
    """The directory with the compiled program, made if it is not in the cache yet.

    Args:
        toolchain: the Lean to compile it with.
        directory: the cache to use instead of the usual one.

    Raises:
        EnvironmentUnavailable: this Lean cannot compile it, as when it lacks the module ``Lean``.
    """
    sources = dict(_sources(toolchain))
    name = f"audit-{_digest(toolchain, sources)[:32]}"
    usual = directory if directory is not None else cache.usual()
    if usual is not None and cache.is_whole(usual / name):
        return usual / name
    place = directory if directory is not None else cache.directory().path
    return cache.build_once(place / name, lambda out: _compile_all(toolchain, sources, out))


def _sources(toolchain: Toolchain) -> Iterator[tuple[str, bytes]]:
    files = {MODULE: _HERE / f"{MODULE}.lean"}
    if toolchain.kind == "embedded":
        shim = {name: _HERE / "embedded" / module_path(name, ".lean") for name in _SHIM}
        files = {**shim, **files}
    for module, file in files.items():
        try:
            yield module, file.read_bytes()
        except OSError as error:
            raise EnvironmentUnavailable(
                f"this installation lacks the audit's program: {error.strerror}", where=str(file)
            ) from error


def _digest(toolchain: Toolchain, sources: dict[str, bytes]) -> str:
    digest = hashlib.sha256(_RECIPE)
    # The embedded Lean's library directory is named by what is in it.
    facts = (toolchain.kind, toolchain.version, toolchain.commit, *toolchain.library_path)
    for fact in facts:
        digest.update(str(fact).encode() + b"\0")
    for module, data in sources.items():
        digest.update(f"{module}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _compile_all(toolchain: Toolchain, sources: dict[str, bytes], out: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="pytest-vsb-audit-") as name:
        root = Path(name)
        for module, data in sources.items():
            for place, suffix in ((root, ".lean"), (out, ".olean")):
                (place / module_path(module, suffix)).parent.mkdir(parents=True, exist_ok=True)
            (root / module_path(module, ".lean")).write_bytes(data)
            _compile(toolchain, root, module, out)


def _compile(toolchain: Toolchain, root: Path, module: str, out: Path) -> None:
    olean, source = out / module_path(module, ".olean"), str(module_path(module, ".lean"))
    argv = toolchain.argv("--root=.", "-o", str(olean), source)
    done = process.run(
        argv,
        cwd=root,
        env=toolchain.environment((out,)),
        limits=_LIMITS,
        confinement=toolchain.confinement(argv, (), (root, out)),
    )
    if done.exit_code == 0 and olean.is_file():
        return
    said = diagnostics.first_error(done.stdout, done.stderr, file_name=source)
    ending = done.outcome.value if done.exit_code is None else f"exit code {done.exit_code}"
    raise EnvironmentUnavailable(
        f"Lean {toolchain.version} does not compile the audit's program: {said or ending}"
    )
