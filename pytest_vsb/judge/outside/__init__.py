"""Judges of others that are asked too where they are installed: programs that replay a compiled
file with Lean's kernel (``leanchecker``, SafeVerify), and ``comparator``, which compiles both files
itself and may ask a second kernel."""
