"""What all tests share."""

import signal

pytest_plugins = ["pytester"]

# In the background of a shell that is not interactive, Ctrl-C is ignored, by children too: those
# that tests interrupt must see it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
