#!/usr/bin/env python3
"""Lets a coding agent prove: runs an agent's command in a directory with the problem in it.

    agent='claude -p --permission-mode acceptEdits'
    pytest benchmark/demo --vsb-samples=1 --vsb-repairs=0 --vsb-model-option=timeout=3600 \\
        --vsb-model="command:python3 examples/agent_prover.py $agent"

The agent's command follows the program's name. It gets the instructions on its stdin, works in a
directory of its own, and leaves ``proof.lean`` there, and ``auxiliary.lean`` if the proof needs
further lemmas. If its stdout is one JSON object with the numbers of tokens in ``usage``, they are
passed on. What it prints goes to stderr, which is kept with the run.
"""

import json
import subprocess
import sys
from pathlib import Path

INSTRUCTIONS = """\
Prove the Lean 4 declaration `{name}`. Its statement is in the file `statement.lean` of this
directory, and the text of its file before it in `prefix.lean`.{project}

Write the proof, from `:=` on, to `proof.lean` in this directory. Lemmas of your own, if the proof
needs any, go to `auxiliary.lean`: they will be put before the declaration. Neither file may have
`sorry`, `axiom` or imports, and neither repeats the statement. Do not look for an existing proof.
{history}"""

PROJECT = """
The Lean project, with `sorry` in place of the proof, is in {root}."""


def instructions(request):
    """What the agent is told."""
    history = ""
    for attempt in request["history"]:
        history += f"\nAn earlier attempt was {attempt['outcome']}. {attempt['reason']}\n"
        if attempt["proof"]:
            history += f"{attempt['auxiliary']}\n{attempt['proof']}\n"
        for problem in attempt["problems"]:
            history += f"\n{problem['severity']}: {problem['message']}\n{problem['excerpt']}\n"
            if problem["goal"]:
                history += f"{problem['goal']}\n"
    project = PROJECT.format(root=request["root"]) if request["root"] else ""
    return INSTRUCTIONS.format(name=request["task"]["name"], project=project, history=history)


def usage(stdout):
    """The tokens and the cost in an agent's report, as far as it has them."""
    try:
        report = json.loads(stdout)
        tokens = report["usage"]
        written = tokens.get("cache_creation_input_tokens", 0)
        cached = tokens.get("cache_read_input_tokens", 0)
        return {
            "input_tokens": tokens["input_tokens"] + written + cached,
            "output_tokens": tokens["output_tokens"],
            "cached_tokens": cached,
            "cost_usd": report.get("total_cost_usd"),
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def main(agent):
    if not agent:
        sys.exit("usage: agent_prover.py AGENT [ARGUMENT...]")
    request = json.load(sys.stdin)
    place = Path(request["scratch"])
    (place / "statement.lean").write_text(request["task"]["statement"], encoding="utf-8")
    (place / "prefix.lean").write_text(request["prefix"], encoding="utf-8")
    done = subprocess.run(
        agent, cwd=place, input=instructions(request).encode(), stdout=subprocess.PIPE
    )
    sys.stderr.write(done.stdout.decode("utf-8", "replace"))
    if done.returncode != 0:
        # No failure to prove: the agent is broken, or its service is down.
        sys.exit(f"the agent ended with exit code {done.returncode}")
    answer = {"usage": usage(done.stdout)}
    proof, auxiliary = place / "proof.lean", place / "auxiliary.lean"
    if proof.is_file() and proof.read_text(encoding="utf-8").strip():
        answer["proof"] = proof.read_text(encoding="utf-8")
        if auxiliary.is_file():
            answer["auxiliary"] = auxiliary.read_text(encoding="utf-8")
    else:
        answer["malformed"] = "the agent left no proof.lean"
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
