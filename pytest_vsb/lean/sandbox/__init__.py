"""Keeping commands that run candidate text in a box; see ``docs/sandbox.md``."""
