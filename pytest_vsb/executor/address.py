"""Where checks are to be made: the value of ``--vsb-executor``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from pytest_vsb.errors import UsageError

LOCAL = "local"
_DASK = "dask:"
_OPTION = "--vsb-executor"


def parse_executor(given: str, base: Path | None = None) -> str:
    """The executor as settings hold it: ``local`` or ``dask:ADDRESS``.

    An address is what a Dask client takes: ``HOST:PORT``, ``tcp://HOST:PORT``, ``tls://HOST:PORT``,
    or the path of a scheduler file, relative to ``base``.

    Raises:
        UsageError: it is neither, or Dask is not installed.
    """
    given = given.strip()
    if given in ("", LOCAL):
        return LOCAL
    address = given.removeprefix(_DASK).strip()
    if not given.startswith(_DASK) or not address:
        raise UsageError(
            f"{given!r} is not a valid value",
            where=_OPTION,
            hint=f"Valid values: {LOCAL}, dask:ADDRESS, such as dask:tcp://10.0.0.7:8786.",
        )
    if find_spec("distributed") is None:
        raise UsageError(
            "Dask is not installed here",
            where=f"{_OPTION}={given}",
            hint='pip install "pytest-vsb[dask]"',
        )
    if is_file(address):
        path = (base or Path()) / Path(address).expanduser()
        if not path.is_file():
            raise UsageError("there is no such scheduler file", where=f"{_OPTION}={given}")
        address = str(path.absolute())
    return _DASK + address


def is_remote(executor: str) -> bool:
    """Whether checks are made on a cluster."""
    return executor.startswith(_DASK)


def address_of(executor: str) -> str:
    """The address in an executor that is remote."""
    return executor.removeprefix(_DASK)


def is_file(address: str) -> bool:
    """Whether an address is the path of a scheduler file."""
    return address.endswith(".json")
