"""Goedel-Prover-V2, behind any OpenAI-compatible server.

The form of prompt and answer, a whole Lean file in one code block, is that of the model's card
(Goedel-LM/Goedel-Prover-V2-32B), as public descriptions quoted it on 2026-11-30: see the style
``whole-file`` of :mod:`pytest_vsb.context`. Its context window of 40,960 tokens holds the prompt
and the answer; tasks that leave no room in it for an answer are excluded. Repair rounds are not
offered: how the model corrects itself is its own matter, and its prompt for that is another.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pytest_vsb.context import ParsedAnswer, Prompt, format_whole_file, parse_whole_file
from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Excluded,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
)
from pytest_vsb.provers.chat import Completion, Environment, user_text
from pytest_vsb.provers.chat_options import count
from pytest_vsb.provers.compatible import CompatibleProver
from pytest_vsb.provers.http import HttpClient, HttpError, HttpPolicy
from pytest_vsb.provers.json_values import as_count, as_object

MODEL = "Goedel-LM/Goedel-Prover-V2-32B"
CONTEXT_WINDOW = 40_960
ANSWER_ROOM = 4096
"""Tokens that are to be left for an answer, unless the option ``room`` says otherwise."""


class GoedelProver(CompatibleProver):
    """Goedel-Prover-V2: ``goedel``, ``goedel/MODEL-ID`` with the id that the server gives it.

    Own options: ``context-window`` and ``room`` (tokens), besides those of ``openai-compatible``.
    Tokens are counted by the server's ``/tokenize`` where it has one (vLLM, SGLang), else
    estimated; :meth:`settings` and the reason of an exclusion say which.
    """

    provider = "goedel"
    default_model = MODEL
    key_variables = ("GOEDEL_API_KEY",)
    url_variables = ("GOEDEL_BASE_URL",)
    own_options: ClassVar[tuple[str, ...]] = (
        *CompatibleProver.own_options,
        "context-window",
        "room",
    )
    style = "whole-file"
    default_repairs = 0

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        super().__init__(spec, policy=policy, environment=environment)
        self._window = (
            count(spec.options, "context-window") or self.model.context_window or CONTEXT_WINDOW
        )
        self._room = count(spec.options, "room") or self.options.max_tokens or ANSWER_ROOM
        if self._room >= self._window:
            raise UsageError(
                f"a context window of {self._window:,} tokens has no room for an answer of "
                f"{self._room:,}",
                where="--vsb-model-option room",
            )
        self._counting = threading.Lock()
        self._counter: HttpClient | None = None
        self._server_counts = True
        self._counted: dict[str, tuple[int, str]] = {}

    def describe(self) -> Mapping[str, str]:
        return {
            **super().describe(),
            "context_window": str(self._window),
            "room": str(self._room),
            "token_count": "by the server's /tokenize, else estimated from the text",
        }

    def parse(self, text: str, request: ProofRequest, strict: bool) -> ParsedAnswer:
        return parse_whole_file(text, request.task, prefix=request.prefix, strict=strict)

    def restate(self, candidate: Candidate, request: ProofRequest) -> str:
        return format_whole_file(
            candidate.proof, request.task, candidate.auxiliary, candidate.reasoning
        )

    def prove(self, request: ProofRequest) -> Answer | None:
        """The model's answer in round 0, then ``None``."""
        if request.round > 0:
            return None
        return super().prove(request)

    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        tokens, method = self._count(prompt)
        if tokens + self._room > self._window:
            raise Excluded(
                f"the prompt has {tokens:,} tokens ({method}); with room for an answer of "
                f"{self._room:,} that is beyond the context window of {self._window:,}"
            )
        return super().complete(prompt, request, begun)

    def close(self) -> None:
        super().close()
        # Without the lock: who holds it may be waiting for this very client.
        counter = self._counter
        if counter is not None:
            counter.close()

    # Counting

    def _count(self, prompt: Prompt) -> tuple[int, str]:
        """How many tokens a prompt has, and how that is known. One task's samples share it."""
        with self._counting:
            if prompt.digest not in self._counted:
                self._counted = {prompt.digest: self._counted_now(prompt)}
            return self._counted[prompt.digest]

    def _counted_now(self, prompt: Prompt) -> tuple[int, str]:
        if self._server_counts:
            text = user_text(prompt)
            messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
            messages.append({"role": "user", "content": text})
            # vLLM takes messages, SGLang the text alone.
            body = {"model": self.model.id, "messages": messages, "add_generation_prompt": True}
            for request in (body, {"model": self.model.id, "prompt": text}):
                found = self._ask_count(request)
                if found:
                    return found, "counted by the server"
                if not self._server_counts:
                    break
        return self.estimate(prompt), "estimated from its text"

    def _ask_count(self, body: Mapping[str, Any]) -> int:
        """What the server counts; 0 where it does not."""
        if self._closed:
            return 0
        if self._counter is None:
            parts = urlsplit(self._url)
            path = parts.path.rstrip("/").removesuffix("/v1")
            self._counter = HttpClient(
                f"{parts.scheme}://{parts.netloc}{path}",
                headers=self.headers(),
                secrets=self._secrets,
                policy=HttpPolicy(read_seconds=30.0, total_seconds=60.0, retries=0),
            )
        try:
            answer = self._counter.post_json("tokenize", body)
        except HttpError as error:
            if error.code in ("auth", "permission"):
                raise ProverUnavailable(error.message, where=error.where, hint=error.hint) from None
            # Not there, which it will not be later either; or not to be had just now.
            self._server_counts = error.status is None or error.status not in (404, 405, 501)
            return 0
        return as_count(as_object(answer.json).get("count"))
