"""Keys and passwords out of texts that anyone may see."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from urllib.parse import quote, quote_plus

REMOVED = "[secret]"

SHORTEST = 8
"""A shorter text, such as ``EMPTY`` for a local server that asks for no key, is no secret, and
replacing it would change words of an answer."""

_URL_PASSWORD = re.compile(r"(?<=://)[^/?#@\s'\"]+@")


def scrub(text: str, secrets: Sequence[str]) -> str:
    """``text`` with each secret replaced, also where it is quoted, escaped or in base64, and with
    the user and password of any address, such as a proxy's, replaced.

    Secrets of fewer than eight characters are none; see ``SHORTEST``.
    """
    forms = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
    # The longest first: one secret may be part of another.
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, REMOVED)
    if "://" in text:
        text = _URL_PASSWORD.sub(f"{REMOVED}@", text)
    return text


def _forms(secret: str) -> set[str]:
    encoded = base64.b64encode(secret.encode("utf-8", "replace")).decode().rstrip("=")
    return {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        repr(secret)[1:-1],
        encoded,
    }
