"""Lines of task files for the tests of ``pytest_vsb.tasks``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_vsb.tasks.model import Origin, Task

NATIVE: Mapping[str, Any] = {
    "id": "Fold.sound",
    "suite": "demo",
    "repository": "demo",
    "root": ".",
    "module": "Demo.Fold",
    "path": "Demo/Fold.lean",
    "name": "Demo.Fold.sound",
    "kind": "theorem",
    "statement": "theorem sound (e : Expr) :\n    eval (fold e) = eval e",
    "reference_proof": ":= by\n  induction e <;> simp_all [fold]",
    "category": "Program transformation",
    "subsets": ["easy", "automatable"],
    "dependencies": [
        {"name": "Demo.fold", "module": "Demo.Fold", "scope": "file", "role": "definition"},
        {"name": "Nat.add_comm", "module": "Init", "scope": "library", "role": "lemma"},
    ],
    "metrics": {
        "direct_dependencies": 2,
        "transitive_dependencies": 5,
        "nesting_depth": 3,
        "proof_lines": 2,
    },
}

OFFICIAL: Mapping[str, Any] = {
    "id": 7,
    "thm_name": "eval_completeness",
    "thm_stmt": "@[simp]\nlemma eval_completeness (e : Expr) : Big e (eval e) := by",
    "lean_root": "Evaluator",
    "rel_path": "Evaluator/Basic.lean",
    "imports": ["import Evaluator.Syntax"],
    "used_lib_defs": [{"name": "Nat", "module": "Init.Prelude"}],
    "used_repo_defs": [{"name": "Expr", "module": "Evaluator.Syntax", "content": "inductive Expr"}],
    "lib_lemmas": ["Nat.add_comm", {"text": "... (from )"}],
    "repo_lemmas": ["theorem Expr.closed (e : Expr) : e.free = []"],
    "used_local_defs": [{"name": "eval", "content": "def eval : Expr → Nat"}],
    "used_local_lemmas": [],
    "local_ctx": "import Evaluator.Syntax\n\nnamespace Evaluator",
    "target_theorem": "lemma eval_completeness (e : Expr) : Big e (eval e) :=",
    "ground_truth_proof": ":= by\n  induction e\n  all_goals simp_all",
    "nesting_depth": 2,
    "transitive_dep_count": 9,
    "category": "Semantics",
    "is_aristotle": True,
    "suffix": "",
}


def native(**changes: Any) -> dict[str, Any]:
    """A native line with some keys changed; ``None`` leaves a key out."""
    return _changed(NATIVE, changes)


def official(**changes: Any) -> dict[str, Any]:
    """An official record with some keys changed; ``None`` leaves a key out."""
    return _changed(OFFICIAL, changes)


def write(path: Path, *records: Mapping[str, Any] | str | bytes) -> Path:
    """Writes a task file whose lines are the records; text and bytes go in as they are."""
    lines = [
        record
        if isinstance(record, bytes)
        else (record if isinstance(record, str) else json.dumps(record)).encode()
        for record in records
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def task(identifier: str = "Fold.sound", **changes: Any) -> Task:
    """A task record, made without a file."""
    values: dict[str, Any] = {
        "id": identifier,
        "module": "Demo.Fold",
        "path": "Demo/Fold.lean",
        "name": f"Demo.{identifier}",
        "statement": "theorem sound : True",
        "origin": Origin(Path("demo.vsb.jsonl"), 1),
    }
    return Task(**{**values, **changes})


def _changed(record: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**record, **changes}
    return {key: value for key, value in merged.items() if value is not None}
