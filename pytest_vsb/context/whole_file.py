"""Answers that are a whole Lean file in one fenced block, as Goedel-Prover-V2 gives them.

The form is that of the model's card (Goedel-LM/Goedel-Prover-V2-32B), as public descriptions quote
it, in words of our own: the prompt shows the code up to ``sorry`` in a ``lean4`` block and asks for
a plan first; the answer repeats the code, completed, in the last block.
"""

from __future__ import annotations

from pytest_vsb.context.answer import ParsedAnswer, read_blocks
from pytest_vsb.tasks.model import Task


def parse_whole_file(
    text: str, task: Task, *, prefix: str = "", strict: bool = False
) -> ParsedAnswer:
    """Read an answer that is a Lean file. Never raises.

    The declarations around the target are auxiliary, but for those that the file already has;
    the proof is the target's body.

    Args:
        text, task, prefix, strict: as for :func:`pytest_vsb.context.answer.parse_answer`.
    """
    return read_blocks(text, task, prefix=prefix, strict=strict)


def format_whole_file(proof: str, task: Task, auxiliary: str = "", reasoning: str = "") -> str:
    """The answer that says this; the inverse of :func:`parse_whole_file`."""
    separator = "\n" if proof.startswith("|") else " " if proof.startswith("where") else " := "
    code = "\n\n".join(filter(None, (auxiliary, f"{task.statement.strip()}{separator}{proof}")))
    return "\n\n".join(filter(None, (reasoning, f"```lean4\n{code}\n```")))
