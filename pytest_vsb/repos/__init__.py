"""Lean repositories at pinned commits: fetching, building, and saying what is ready."""
