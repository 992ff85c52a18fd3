#!/usr/bin/env python3
"""A prover as a program: reads one request from stdin, prints one answer.

    pytest benchmark/demo --vsb-model='command:python3 examples/command_prover.py'

It needs only Python's standard library. Sample i tries script i; a repair round tries the script
of a sample that was not asked for, and gives up where there is none. What it knows of Lean is one
rule: induct over a variable of the statement and simplify with the definitions of the file.
"""

import json
import pathlib
import re
import sys

BINDER = re.compile(r"[({]\s*([^():{}]+?)\s*:(?!=)")
DEFINITION = re.compile(r"^(?:@\[[^\]]*\]\s*)?def\s+([^\s:({\[]+)", re.MULTILINE)


def sources(request):
    """The text of the project's modules that the task can see, and of its own file before it."""
    if not request["root"]:
        return request["prefix"]
    root = pathlib.Path(request["root"])
    own = root / request["task"]["path"]
    others = (path for path in sorted(root.rglob("*.lean")) if path != own)
    texts = [path.read_text(encoding="utf-8") for path in others]
    return "\n".join([*texts, request["prefix"]])


def scripts(request):
    """The proofs to try, the cheapest first."""
    statement = request["task"]["statement"]
    # Only what the statement can speak of; too many definitions make simp slow.
    definitions = [
        name
        for name in dict.fromkeys(DEFINITION.findall(sources(request)))
        if re.search(rf"\b{re.escape(name.split('.')[-1])}\b", statement)
    ]
    variables = [name for names in BINDER.findall(statement) for name in names.split()]
    simp = f"simp_all [{', '.join(definitions)}]" if definitions else "simp_all"
    yield "rfl"
    yield "intros\n  rfl"
    yield simp
    for variable in variables:
        yield f"induction {variable} <;> {simp}"
    for variable in variables:
        yield f"cases {variable} <;> {simp}"
    yield "omega"


def answer(request):
    """The answer to one request, as the program prints it."""
    tried = {attempt["proof"] for attempt in request["history"]}
    proofs = [f":= by\n  {script}" for script in scripts(request)]
    index = request["sample"] + request["samples"] * request["round"]
    if index >= len(proofs) or proofs[index] in tried:
        return {"give_up": True, "reasoning": "there is nothing else that this prover can try"}
    return {
        "proof": proofs[index],
        "reasoning": f"script {index} of {len(proofs)}",
        "usage": {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
    }


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
