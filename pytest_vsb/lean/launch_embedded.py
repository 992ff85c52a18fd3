"""Run the embedded Lean as a process: ``python -I -S launch_embedded.py LIBRARY ARGUMENT...``.

Standard library only and nothing imported that is not needed, so that it starts quickly. Lean must
run on the main thread, and the process must leave without Python's shutdown, which Lean's threads
would not survive.
"""

from __future__ import annotations

import ctypes
import os
import sys


def main() -> None:
    """Call Lean's own ``main`` with the arguments and exit with its code."""
    lean = ctypes.CDLL(sys.argv[1])
    arguments = [b"lean", *map(os.fsencode, sys.argv[2:])]
    lean.lean_main.restype = ctypes.c_int
    code = lean.lean_main(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments))
    # Lean prints through C's streams, which `os._exit` does not flush.
    ctypes.CDLL(None).fflush(None)
    os._exit(code & 0xFF)


if __name__ == "__main__":
    main()
