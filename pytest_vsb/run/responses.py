"""Raw provider responses, content-addressed: ``responses/<digest>.json`` in the run directory."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from pytest_vsb.files import write_atomically


class ResponseStore:
    """Files named by the SHA-256 of the response they hold; equal responses share one.

    Safe under many processes: a file appears whole or not at all.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def put(self, response: str) -> str:
        """Keep ``response`` and return its digest."""
        text = response.encode("utf-8", "replace").decode("utf-8")
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        path = self.directory / f"{digest}.json"
        if not path.exists():
            self.directory.mkdir(parents=True, exist_ok=True)
            write_atomically(path, msgspec.json.encode({"response": text}))
        return digest

    def get(self, digest: str) -> str:
        """The response of ``digest``; raises ``OSError`` if it is not there."""
        record = msgspec.json.decode((self.directory / f"{digest}.json").read_bytes())
        return str(record["response"])
