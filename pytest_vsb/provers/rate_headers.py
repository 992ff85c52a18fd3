"""What a service's response headers say about when to come back.

Formats, from the RFC and from copies and excerpts of the pages found on 2026-11-30:

- ``Retry-After``: RFC 9110, section 10.2.3, seconds or a date; ``retry-after-ms`` and
  ``x-should-retry`` as OpenAI's and Anthropic's own clients read them.
- Anthropic, "Rate limits" (platform.claude.com): ``anthropic-ratelimit-KIND-limit``, ``-remaining``
  and ``-reset``, the last an RFC 3339 time at which the limit is replenished in full.
- OpenAI, "Rate limits" (developers.openai.com): ``x-ratelimit-limit-KIND``,
  ``x-ratelimit-remaining-KIND`` and ``x-ratelimit-reset-KIND``, the last a duration, as ``6m0s``.

Dates are compared with the response's own ``Date``: the local clock may be wrong.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

_DURATION = re.compile(
    r"(?:(?P<h>\d+(?:\.\d+)?)h)?(?:(?P<m>\d+(?:\.\d+)?)m(?!s))?"
    r"(?:(?P<s>\d+(?:\.\d+)?)s)?(?:(?P<ms>\d+(?:\.\d+)?)ms)?"
)
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}

_ANTHROPIC_KINDS = ("requests", "tokens", "input-tokens", "output-tokens")
_OPENAI_KINDS = ("requests", "tokens")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the service asks to wait, or ``None`` if it does not say.

    ``headers`` has lower-case names.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    moment = _http_date(text)
    return None if moment is None else max(0.0, moment - _now(headers))


def wants_retry(headers: Mapping[str, str]) -> bool | None:
    """Whether the service says that another attempt makes sense; ``None`` if it does not say."""
    return {"true": True, "false": False}.get(headers.get("x-should-retry", "").strip().lower())


def quota_wait(headers: Mapping[str, str], tokens: int = 0) -> float:
    """Seconds until there is room for a request of ``tokens`` tokens again; 0 if there is now.

    Limits refill continuously, so that the wait is the part of the time to a full refill that
    one request needs, not all of it.
    """
    return max((_refill(*quota, tokens) for quota in _quotas(headers)), default=0.0)


def _refill(kind: str, limit: float | None, remaining: float, reset: float, tokens: int) -> float:
    needed = 1 if kind == "requests" else max(1, tokens)
    if remaining >= 1 and (remaining >= needed or limit is None):
        return 0.0
    if limit is None or limit <= remaining:
        return reset
    missing = min(needed, limit) - remaining
    return max(0.0, reset * min(1.0, missing / (limit - remaining)))


def _quotas(headers: Mapping[str, str]) -> Iterator[tuple[str, float | None, float, float]]:
    """(kind, limit, what remains of it, seconds to a full refill) of each limit."""
    for kind in _ANTHROPIC_KINDS:
        prefix = f"anthropic-ratelimit-{kind}-"
        moment = _rfc3339(headers.get(prefix + "reset", ""))
        remaining = _number(headers.get(prefix + "remaining"))
        if moment is not None and remaining is not None:
            reset = max(0.0, moment - _now(headers))
            yield kind, _number(headers.get(prefix + "limit")), remaining, reset
    for kind in _OPENAI_KINDS:
        duration = _duration(headers.get(f"x-ratelimit-reset-{kind}", ""))
        remaining = _number(headers.get(f"x-ratelimit-remaining-{kind}"))
        if duration is not None and remaining is not None:
            limit = _number(headers.get(f"x-ratelimit-limit-{kind}"))
            yield kind, limit, remaining, duration


def _now(headers: Mapping[str, str]) -> float:
    """The service's own time as far as it says, in seconds since the epoch."""
    moment = _http_date(headers.get("date", ""))
    return time.time() if moment is None else moment


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _http_date(text: str) -> float | None:
    try:
        return _seconds(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _rfc3339(text: str) -> float | None:
    try:
        return _seconds(datetime.fromisoformat(text.strip().upper().replace("Z", "+00:00")))
    except (ValueError, OverflowError):
        return None


def _seconds(moment: datetime) -> float:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.timestamp()


def _duration(text: str) -> float | None:
    """Seconds of a duration such as ``1h2m3.5s``, ``20ms`` or ``17``."""
    plain = _number(text)
    if plain is not None:
        return plain
    match = _DURATION.fullmatch(text.strip())
    if match is None or not match.group():
        return None
    return sum(float(match[unit]) * _UNITS[unit] for unit in _UNITS if match[unit])
