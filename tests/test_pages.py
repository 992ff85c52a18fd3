"""The documents name every option, and what they point to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_vsb.plugin.option_table import OPTIONS
from pytest_vsb.plugin.options import FAIL_ON

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
OPTIONS_PAGE = (DOCS / "options.md").read_text(encoding="utf-8")
_LINK = re.compile(r"!?\[[^\]\n]*\]\(([^()\s]+)\)")


def _targets(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return [target for target in _LINK.findall(text) if "://" not in target]


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+?) *$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_has_its_row(option: object) -> None:
    flag, key = option.flag_name, option.key  # type: ignore[attr-defined]
    rows = [
        line
        for line in OPTIONS_PAGE.splitlines()
        if re.search(rf"^\|[^|]*`{re.escape(flag)}[`=]", line.replace("\\|", "/"))
    ]
    assert len(rows) == 1, flag
    assert (f"`{key}`" in rows[0]) == option.ini  # type: ignore[attr-defined]


def test_no_row_is_of_an_option_that_is_not() -> None:
    named = set(re.findall(r"`(--vsb-[a-z-]+)", OPTIONS_PAGE))
    assert named == {option.flag_name for option in OPTIONS}
    shown = r"\|".join(FAIL_ON)
    assert f"`--vsb-fail-on={shown}`" in OPTIONS_PAGE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in _targets(page):
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in _anchors(file), target


def test_the_readme_links_every_page() -> None:
    linked = {
        (ROOT / target.partition("#")[0]).resolve() for target in _targets(ROOT / "README.md")
    }
    assert {page for page in DOCS.glob("*.md") if page.resolve() not in linked} == set()


def test_every_image_is_shown() -> None:
    shown = {(page.parent / t).resolve() for page in PAGES for t in _targets(page)}
    assert {image for image in (DOCS / "images").iterdir() if image.resolve() not in shown} == set()
