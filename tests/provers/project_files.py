"""A small Lean project for the tests of remote provers."""

from __future__ import annotations

from pathlib import Path

from pytest_vsb.tasks.model import Task

MAIN = """\
import Init
import Lib.Base

namespace Lib

theorem before : base = 1 := rfl

theorem goal : base = 1 := by
  -- SECRET
  exact SECRET

theorem after : base = 1 := goal

end Lib
"""

PROJECT = {
    "Lib/Main.lean": MAIN,
    "Lib/Base.lean": "import Lib.Deep\ndef base := deep\n",
    "Lib/Deep.lean": "def deep := 1\n",
    "Lib/Other.lean": "import Lib.Main\n#print SECRET\n",
    "lakefile.toml": 'name = "lib"\n\n[[lean_lib]]\nname = "Lib"\n',
    "lean-toolchain": "leanprover/lean4:v4.35.0\n",
    ".git/config": "SECRET",
    ".lake/build/Lib/Main.olean": "SECRET",
    ".env": "SECRET",
}

SENT = {
    **{path: PROJECT[path] for path in ("Lib/Base.lean", "Lib/Deep.lean")},
    "Lib/Main.lean": MAIN.replace("-- SECRET\n  exact SECRET", "sorry"),
    **{path: PROJECT[path] for path in ("lakefile.toml", "lean-toolchain")},
}


def make_project(root: Path) -> Path:
    for path, text in PROJECT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def project_task(**more: str) -> Task:
    fields = {
        "id": "goal",
        "module": "Lib.Main",
        "path": "Lib/Main.lean",
        "name": "Lib.goal",
        "statement": "theorem goal : base = 1",
        **more,
    }
    return Task(**fields)  # type: ignore[arg-type]
