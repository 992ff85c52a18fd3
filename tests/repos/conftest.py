"""Fixtures of the tests of repositories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repos_world import World


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """The world, whose environment is this process's, too."""
    made = World(tmp_path)
    for name in list(os.environ):
        if name.startswith(("GIT_", "ELAN_", "XDG_", "VSB_REPOS")):
            monkeypatch.delenv(name)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made
