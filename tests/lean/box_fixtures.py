"""Running small programs in boxes, as the tests of sandboxes do."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from pytest_vsb.lean import process
from pytest_vsb.lean.process import Completed, Limits
from pytest_vsb.lean.sandbox import paths
from pytest_vsb.lean.sandbox.box import Box, Sandbox


@dataclasses.dataclass
class Boxed:
    """A box with a directory of its own, next to things that are outside of it."""

    sandbox: Sandbox
    inside: Path
    outside: Path

    def run(
        self,
        *argv: str,
        limits: Limits = Limits(60.0),  # noqa: B008 - frozen
        box: Box | None = None,
        env: dict[str, str] | None = None,
    ) -> Completed:
        """Run a command in the box."""
        box = box or Box(paths.python_files(), (self.inside,))
        return process.run(
            argv,
            cwd=self.inside,
            env=env or {},
            limits=limits,
            confinement=self.sandbox.confine(argv, box),
            writes=box.writable,
        )

    def python(self, text: str, **options: object) -> Completed:
        """Run a Python program in the box."""
        return self.run(sys.executable, "-I", "-S", "-c", text, **options)  # type: ignore[arg-type]

    def refused(self, texts: list[str], before: str) -> list[str]:
        """Those of some pieces of Python that raise an OSError or AssertionError in the box; each
        is run in one program, after ``before``."""
        done = self.python(
            f"{before}\n"
            f"for number, text in enumerate({texts!r}):\n"
            "    try: exec(text, globals())\n"
            "    except (OSError, AssertionError): print(number, flush=True)\n"
            "print('all')\n"
        )
        *numbers, last = done.stdout.split() or ["nothing"]
        assert (last, done.exit_code) == ("all", 0), done.stderr
        return [texts[int(number)] for number in numbers]

    def shell(self, text: str, **options: object) -> Completed:
        """Run a shell script in the box."""
        options.setdefault("env", {"PATH": "/usr/bin:/bin"})
        return self.run("/bin/sh", "-c", text, **options)  # type: ignore[arg-type]
