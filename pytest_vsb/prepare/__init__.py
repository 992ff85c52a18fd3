"""Benchmark tasks out of a Lean repository: which theorems, judged, sampled, and described."""
