"""What may be forgiven in an answer."""

from __future__ import annotations

from typing import Final

LENIENCIES: Final[dict[str, str]] = {
    "tag-spelling": "a tag was spelled otherwise",
    "unclosed-section": "a section had no closing tag",
    "repeated-section": "a section came twice; the last counts",
    "section-order": "the sections came in another order",
    "missing-section": "the reasoning or the auxiliary section was not there",
    "text-outside": "text stood outside of the sections",
    "no-tags": "there were no sections, only code",
    "no-block": "the Lean file was not in a fenced block",
    "statement-left-out": "the proof stood without the statement that was to be completed",
    "thinking-tags": "what the model thought aloud stood before the answer",
    "fenced-code": "the Lean code was in a fenced block",
    "unclosed-fence": "a fenced block had no end",
    "text-around-code": "sentences or several blocks stood in a section of code",
    "placeholder-auxiliary": "the auxiliary section said in words that there is nothing",
    "restated-theorem": "the target's statement was repeated, with the same text",
    "renamed-theorem": "the target's statement was repeated under another name",
    "proof-in-auxiliary": "the proof stood in the auxiliary section",
    "lemmas-in-proof": "declarations stood with the proof",
    "commands-after-proof": "commands followed the proof",
    "leading-separator": "the proof began with its `:=`",
    "missing-by": "tactics stood without their `by`",
    "indentation": "the proof was indented as a whole, or its first line otherwise than the rest",
    "odd-spaces": "tabs or other unusual spaces stood in the code",
    "imports-dropped": "imports stood in the answer",
    "commands-dropped": "commands such as `#eval` stood in the answer",
    "context-namespace": "the namespace around the target was opened again",
    "stray-end": "an `end` closed what the answer did not open",
    "unclosed-scope": "a namespace or section was left open",
    "scoped-commands": "`open`, `variable` or the like stood free; they were kept to the answer",
    "restated-context": "what the file already says was said again",
    "repeated-declaration": "a declaration came twice; the last counts",
    "truncated": "the answer was cut off at its length limit, and what there was is complete",
    "mutual-members-dropped": "other members of the target's mutual block were repeated",
}
"""What may be forgiven, by its name in records."""
