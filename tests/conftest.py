"""What all tests share."""

import gc
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# In the background of a shell that is not interactive, Ctrl-C is ignored, by children too: those
# that tests interrupt must see it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes is the machine's doing, which other workers keep busy. The examples are
# always the same, so that whoever changes something sees what that has broken; others are found by
# `python -m pytest --hypothesis-profile=search`.
_STEADY = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("search", **_STEADY)
settings.register_profile("tests", derandomize=True, **_STEADY)
settings.load_profile("tests")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage meanwhile, nor later in what has been collected: it is much, all of it
    stays, and looking takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
