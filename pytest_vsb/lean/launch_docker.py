"""Become a `docker run` that ends when this process does.

Run as ``python -I -S launch_docker.py WORD...``, with the standard library only. The container's
standard input is a pipe that nothing is ever written to and that nobody but this process holds
open: when this process is killed, the program in the container sees the end of its input, and ends
the container.
"""

from __future__ import annotations

import os
import sys

CWD = "{cwd}"
"""A word that stands for the directory that this process is started in."""


def main() -> None:
    """Execute the command."""
    words = [os.getcwd() if word == CWD else word for word in sys.argv[1:]]  # noqa: PTH109
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    os.dup2(reader, 0)
    os.close(reader)
    try:
        os.execvp(words[0], words)
    except OSError as error:
        print(f"cannot run {words[0]}: {error.strerror}", file=sys.stderr)
        os._exit(125)


if __name__ == "__main__":
    main()
