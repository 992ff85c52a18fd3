"""What a prover is told of a task, and how its answer is read.

The names are loaded when they are first used: options need the kinds of context alone, in every
process that has the plugin.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_vsb.context.answer import ParsedAnswer, format_answer, parse_answer
    from pytest_vsb.context.leniencies import LENIENCIES
    from pytest_vsb.context.prompt import Prompt, PromptBuilder, RepairProblem, RepairRound, Turn
    from pytest_vsb.context.whole_file import format_whole_file, parse_whole_file

__all__ = [
    "LENIENCIES",
    "ParsedAnswer",
    "Prompt",
    "PromptBuilder",
    "RepairProblem",
    "RepairRound",
    "Turn",
    "format_answer",
    "format_whole_file",
    "parse_answer",
    "parse_whole_file",
]

_MODULES = {
    "LENIENCIES": "leniencies",
    "format_whole_file": "whole_file",
    "parse_whole_file": "whole_file",
    **dict.fromkeys(("ParsedAnswer", "format_answer", "parse_answer"), "answer"),
    **dict.fromkeys(("Prompt", "PromptBuilder", "RepairProblem", "RepairRound", "Turn"), "prompt"),
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
