"""Lean source text: commands and declarations with exact spans, and splicing proofs into it."""

from __future__ import annotations

from pytest_vsb.source.check import (
    Problem,
    auxiliary_declarations,
    check_parts,
    check_submission,
)
from pytest_vsb.source.introduced import commands_introduced
from pytest_vsb.source.lexer import Token, tokens
from pytest_vsb.source.model import Command, Declaration, DeclarationNotFound, Import, Source, Span
from pytest_vsb.source.scanner import SCANNER_VERSION, scan
from pytest_vsb.source.splice import Region, Submission, normalise_proof, splice, stub

__all__ = [
    "SCANNER_VERSION",
    "Command",
    "Declaration",
    "DeclarationNotFound",
    "Import",
    "Problem",
    "Region",
    "Source",
    "Span",
    "Submission",
    "Token",
    "auxiliary_declarations",
    "check_parts",
    "check_submission",
    "commands_introduced",
    "normalise_proof",
    "scan",
    "splice",
    "stub",
    "tokens",
]
