"""What a prover is told of a task, and how its answer is read."""

from __future__ import annotations

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
