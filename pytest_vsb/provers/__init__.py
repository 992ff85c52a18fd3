"""Provers: what writes the proofs that are judged."""
