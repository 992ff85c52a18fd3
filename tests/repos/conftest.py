"""Fixtures of the tests of repositories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repos_world import World

from pytest_vsb.lean import cache


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """The world, whose environment is this process's, too."""
    # The embedded Lean's core is not to be compiled again for each home.
    if (usual := cache.usual()) is not None:
        monkeypatch.setenv(cache.VARIABLE, str(usual))
    made = World(tmp_path)
    for name in list(os.environ):
        if name.startswith(("GIT_", "ELAN_", "XDG_", "VSB_REPOS")):
            monkeypatch.delenv(name)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made
