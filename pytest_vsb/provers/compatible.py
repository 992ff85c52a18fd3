"""Any server with a Chat Completions API: vLLM, SGLang, Ollama, OpenRouter, a LiteLLM proxy.

The format is described in :mod:`pytest_vsb.provers.chat_completions`. Requests keep to what all
such servers take: texts as plain strings, the role ``system``, ``max_tokens``. The rest is up to
the user, by options ``body.KEY=VALUE``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pytest_vsb.context import Prompt
from pytest_vsb.provers.base import ProofRequest, ProverSpec
from pytest_vsb.provers.chat import ChatProver, Completion, Environment, user_text
from pytest_vsb.provers.chat_completions import ask_chat
from pytest_vsb.provers.chat_options import choice, flag, merged
from pytest_vsb.provers.http import HttpError, HttpPolicy

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


class CompatibleProver(ChatProver):
    """A model behind an OpenAI-compatible server: ``openai-compatible/MODEL-ID``.

    The base URL is needed, a key is not. Own options: ``effort`` (``reasoning_effort``), ``seed``
    (``yes`` sends the seed of the sample) and ``stream`` (``no`` asks for answers as a whole).
    """

    provider = "openai-compatible"
    key_variables = ("OPENAI_COMPATIBLE_API_KEY",)
    key_required = False
    url_variables = ("OPENAI_COMPATIBLE_BASE_URL",)
    own_options: ClassVar[tuple[str, ...]] = ("effort", "seed", "stream")
    fixed_body = frozenset({"model", "messages", "stream", "stream_options", "n", "tools"})

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        super().__init__(spec, policy=policy, environment=environment)
        self._effort = choice(spec.options, "effort", EFFORTS)
        self._seed = flag(spec.options, "seed", False)
        self._stream = flag(spec.options, "stream", True)

    def describe(self) -> Mapping[str, str]:
        return {
            "effort": self._effort or "default",
            "seed": "of the sample" if self._seed else "none",
        }

    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        body, estimated = self.body(prompt, request), self.estimate(prompt)
        if self._stream:
            try:
                return ask_chat(self, body, estimated, begun, stream=True)
            except HttpError as error:
                if not _knows_no_streams(error):
                    raise
                self._stream = False
        return ask_chat(self, body, estimated, begun, stream=False)

    def body(self, prompt: Prompt, request: ProofRequest) -> dict[str, Any]:
        """The body of a request, but for what asks for a stream."""
        messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
        messages.append({"role": "user", "content": user_text(prompt)})
        messages += [{"role": turn.role, "content": turn.text} for turn in prompt.turns]
        body: dict[str, Any] = {"model": self.model.id, "messages": messages}
        if self._effort:
            body["reasoning_effort"] = self._effort
        if self.options.max_tokens is not None:
            body["max_tokens"] = self.options.max_tokens
        if self.options.temperature is not None:
            body["temperature"] = self.options.temperature
        if self._seed:
            body["seed"] = request.seed
        return merged(body, self.options.body)


def _knows_no_streams(error: HttpError) -> bool:
    """Whether a server refused to answer as a stream, or answered as a whole all the same."""
    if error.code == "protocol":
        return "application/json" in error.message
    return error.code == "bad_request" and "stream" in error.message
