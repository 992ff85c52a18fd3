"""Tables as text for a terminal, as Markdown, and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import tabulate

from pytest_vsb.report.formats.cells import Table, shown
from pytest_vsb.report.text import fit, one_line, wrap

COLUMNS = 100
_NAME = 44


def terminal(tables: Sequence[Table], notes: Iterable[str] = ()) -> str:
    """Plain text. Tables are as wide as they must be; everything else has at most 100 columns."""
    parts: list[str] = []
    for table in tables:
        parts += [table.title, ""]
        cells = [
            [
                fit(cell, _NAME if place + 1 < len(row) else COLUMNS)
                for place, cell in enumerate(row)
            ]
            for row in _cells(table)
        ]
        text = tabulate.tabulate(
            [[column.title for column in table.columns], *cells],
            tablefmt="simple",
            disable_numparse=True,
            colalign=_alignment(table),
        )
        # The header goes in as a row, since tabulate pads headers; the rule is made again below.
        rule, head, *rows, _ = text.split("\n")
        parts += [line.rstrip() for line in (head, rule, *rows)]
        parts += ["", *_wrapped(table.note)]
    for note in notes:
        parts += wrap(f"note: {note}", COLUMNS)
    return "\n".join(parts).rstrip("\n") + "\n"


def markdown(tables: Sequence[Table], notes: Iterable[str] = ()) -> str:
    """Markdown as GitHub renders it."""
    parts: list[str] = []
    for table in tables:
        parts += [f"### {_markdown(table.title)}", ""]
        parts.append(_pipes(column.title for column in table.columns))
        rules = ["---" if way == "left" else "---:" for way in _alignment(table)]
        parts.append(_pipes(rules, plain=True))
        parts += [_pipes(row) for row in _cells(table)]
        parts.append("")
        if table.note:
            parts += [_markdown(table.note), ""]
    parts += [f"- {_markdown(note)}" for note in notes]
    return "\n".join(parts).rstrip("\n") + "\n"


def latex(tables: Sequence[Table], notes: Iterable[str] = ()) -> str:
    """LaTeX ``table`` environments; they need the package ``booktabs``, and an engine that reads
    UTF-8, such as LuaLaTeX, where names have other letters than ASCII."""
    parts = ["% \\usepackage{booktabs}"]
    for table in tables:
        spec = "".join("l" if way == "left" else "r" for way in _alignment(table))
        parts += [
            "",
            "\\begin{table}",
            "  \\centering",
            f"  \\caption{{{_latex(table.title)}.{_after(table.note)}}}",
            f"  \\label{{tab:{table.key.replace('_', '-')}}}",
            f"  \\begin{{tabular}}{{{spec}}}",
            "    \\toprule",
            f"    {_ampersands(column.title for column in table.columns)}",
            "    \\midrule",
            *(f"    {_ampersands(row)}" for row in _cells(table)),
            "    \\bottomrule",
            "  \\end{tabular}",
            "\\end{table}",
        ]
    parts += [f"% {one_line(note, 1000)}" for note in notes]
    return "\n".join(parts) + "\n"


def _cells(table: Table) -> list[list[str]]:
    return [
        [
            one_line(shown(cell, column.kind), 1000)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def _alignment(table: Table) -> list[str]:
    return ["left" if column.kind == "text" else "right" for column in table.columns]


def _wrapped(note: str) -> list[str]:
    return [*wrap(note, COLUMNS, ""), ""] if note else []


def _pipes(cells: Iterable[str], *, plain: bool = False) -> str:
    return "| " + " | ".join(cell if plain else _markdown(cell) for cell in cells) + " |"


_MENTION = re.compile(r"(?<!\w)@")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|#~$])")


def _markdown(text: str) -> str:
    """Text that Markdown shows as it is; hostile text makes no markup and no link."""
    escaped = _MARKUP.sub(r"\\\1", one_line(text, 1000))
    # Bare addresses and mentions would become links.
    return _MENTION.sub("&#64;", escaped.replace("&", "&amp;").replace("://", "&#58;//"))


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "\u00b7": r"\textperiodcentered{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text, 1000))


def _after(note: str) -> str:
    return f" {_latex(note)}" if note else ""


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(_latex(cell) for cell in cells) + r" \\"
