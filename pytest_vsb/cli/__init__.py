"""The ``vsb`` command: what is not a test run. One module a command."""

from pytest_vsb.cli.main import main

__all__ = ["main"]
