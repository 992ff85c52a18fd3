"""The page in a real browser: what it does, by mouse and by keyboard, and what it refuses to do."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import html_samples
import pytest
from html_browser import Browser, find
from html_samples import FILE

PROGRAM = find()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium here")

DESKTOP, PHONE = (1280, 900), (390, 844)


@dataclass(frozen=True)
class Pages:
    """Files of pages, and the number of tasks of the usual one."""

    usual: Path
    single: Path
    hostile: Path
    unescaped: Path
    without_streams: Path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    directory = tmp_path_factory.mktemp("pages")

    def write(name: str, text: str) -> Path:
        path = directory / f"{name}.html"
        path.write_text(text, encoding="utf-8")
        return path

    first = html_samples.usual_run(directory / "first")
    second = html_samples.usual_run(directory / "second", model="other", skill=1)
    usual, _ = html_samples.page_of(first, second)
    hostile, _ = html_samples.page_of(html_samples.hostile_run(directory / "hostile"))
    # As if something had got through: markup of theirs, where ours is.
    through = "".join(payload for payload in html_samples.HOSTILE if "</title>" not in payload)
    unescaped = usual.replace('<main id="main"', f'{through}<main id="main"', 1)
    # An old browser: it knows no DecompressionStream. Its policy lets the other script say so.
    old = "delete window.DecompressionStream;"
    allowed = f"script-src &#39;{html_samples.digest(old)}&#39; "
    old_page = usual.replace("script-src ", allowed, 1).replace(
        "<body>", f"<body><script>{old}</script>", 1
    )
    return Pages(
        usual=write("usual", usual),
        single=write("single", html_samples.page_of(first)[0]),
        hostile=write("hostile", hostile),
        unescaped=write("unescaped", unescaped),
        without_streams=write("old", old_page),
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def visit(browser: Browser) -> Callable[..., Browser]:
    """Opens a page, ready to be used."""

    def visit(path: Path, fragment: str = "", size: tuple[int, int] = DESKTOP) -> Browser:
        browser.size(*size)
        browser.open(path, fragment)
        browser.wait("document.documentElement.hasAttribute('data-ready')")
        if fragment.startswith("#task="):
            browser.wait("document.querySelector('#task h1').textContent")
        return browser

    return visit


def task_link(number: int) -> str:
    return "#task=" + quote(f"{FILE}::thm_{number:02}")


def names(browser: Browser) -> list[str]:
    """The tasks that the table shows, in its order."""
    found = browser.evaluate(
        "[...document.querySelectorAll('#task-table tbody tr')].filter((row) => !row.hidden)"
        ".map((row) => row.querySelector('a').textContent)"
    )
    return [name.removeprefix("Demo.thm_") for name in found]


def select(browser: Browser, field: str, value: str) -> None:
    browser.evaluate(
        f"(() => {{ const field = document.querySelector('#filter [name={field}]');"
        f" field.value = {value!r};"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )


def text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({selector!r}).textContent"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 600)], ids=["desktop", "phone", "narrow"])
@pytest.mark.parametrize("fragment", ["", task_link(1)], ids=["overview", "task"])
def test_it_opens_alone_and_fits(
    pages: Pages, visit: Callable[..., Browser], size: tuple[int, int], fragment: str
) -> None:
    browser = visit(pages.usual, fragment, size)
    assert browser.complaints() == []
    assert {url.partition("#")[0] for url in browser.requests()} == {pages.usual.as_uri()}
    assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_filtering(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.usual)
    every = [f"{number:02}" for number in range(12)]
    assert names(browser) == every
    select(browser, "text", "THM_1 demo")
    assert names(browser) == ["10", "11"]
    assert text(browser, "#shown") == "2 of 12 tasks"
    select(browser, "text", "")
    select(browser, "result", "repaired")
    assert names(browser) == ["01", "03", "07", "09"]
    select(browser, "result", "first")
    assert names(browser) == ["00", "04", "06"]
    select(browser, "result", "solved")
    assert names(browser) == ["00", "01", "03", "04", "06", "07", "09"]
    select(browser, "repository", "repo-1")
    assert names(browser) == ["01", "04", "07"]
    select(browser, "result", "differs")
    assert names(browser) == ["01", "04", "07"]
    select(browser, "category", "Semantics")
    assert names(browser) == ["04"]
    select(browser, "text", "nowhere")
    assert names(browser) == []
    assert not browser.evaluate("document.getElementById('nothing').hidden")
    browser.evaluate("document.querySelector('#filter [type=reset]').click()")
    browser.wait("document.getElementById('shown').textContent === '12 tasks'")
    select(browser, "error", "unsolved goals")
    assert set(names(browser)) == {"02", "05", "08", "01", "04", "07"}


def test_sorting(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single)
    click = "[...document.querySelectorAll('#task-table th button')].find((b) => {}).click()"
    browser.evaluate(click.format("b.textContent === 'Depth'"))
    assert names(browser) == [f"{number:02}" for number in reversed(range(12))]
    browser.evaluate(click.format("b.textContent === 'Depth'"))
    assert names(browser)[:2] == ["00", "01"]
    browser.evaluate(click.format("b.textContent === 'Solved'"))
    assert set(names(browser)[:7]) == {"00", "01", "03", "04", "06", "07", "09"}
    assert set(names(browser)[-2:]) == {"10", "11"}
    state = "document.querySelectorAll('#task-table [aria-sort=descending]').length"
    assert browser.evaluate(state) == 1
    browser.evaluate(click.format("b.textContent === 'Repository'"))
    assert names(browser)[:5] == ["00", "03", "06", "09", "01"]


def test_a_task_shows_every_attempt(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single, task_link(1))
    browser.wait("document.querySelector('#task .attempt')")
    assert text(browser, "#task h1") == "Demo.thm_01"
    assert browser.evaluate("document.title").startswith("Demo.thm_01 - ")
    assert browser.evaluate("document.activeElement.id") == "task-title"
    # Sample 2 is the one that was proved: it is shown first, both rounds of it.
    shown = "[...document.querySelectorAll('#task .attempt h3')].map((e) => e.textContent)"
    assert browser.evaluate(shown) == ["Sample 2, first answer", "Sample 2, repair 1"]
    badges = "[...document.querySelectorAll('#task .attempt .badge')].map((e) => e.textContent)"
    assert browser.evaluate(badges) == ["rejected", "accepted"]
    for sample in range(1, 5):
        browser.evaluate(f"document.querySelectorAll('#task .sample')[{sample - 1}].click()")
        assert browser.evaluate(shown)[0] == f"Sample {sample}, first answer"
        assert browser.evaluate("location.hash").endswith(f"&run=0&sample={sample}")
    assert browser.evaluate(badges) == ["rejected", "timeout"]


def test_messages_stand_at_their_lines(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single, task_link(2))
    browser.wait("document.querySelector('#task .attempt')")
    below = (
        "[...document.querySelectorAll('#task .attempt .code > .diagnostic')].map((e) => {"
        " while (!e.classList.contains('l')) e = e.previousElementSibling;"
        " return e.textContent; })"
    )
    assert browser.evaluate(below) == ["  | succ n ih => simp [foo]"] * 2
    marked = "[...document.querySelectorAll('#task .mark')].map((e) => e.textContent).join('')"
    assert browser.evaluate(marked) == "simp [foo]"
    assert text(browser, "#task .goal") == html_samples.GOALS
    outside = text(browser, "#task .attempt > .diagnostic")
    assert outside.startswith("warning in the statement at 10:14 of the file")
    assert outside.endswith("unused variable `n`")


def test_lean_is_highlighted(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single, task_link(2))
    browser.wait("document.querySelector('#task .attempt')")
    words = (
        "[...new Set([...document.querySelectorAll('#task .attempt .code .{}')]"
        ".map((e) => e.textContent))]"
    )
    assert browser.evaluate(words.format("k")) == ["by", "with"]
    assert {"induction", "rfl", "simp"} <= set(browser.evaluate(words.format("t")))
    assert browser.evaluate(words.format("c")) == ["-- again"]


def test_highlighting_keeps_every_text(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.usual)
    texts = [
        *(
            "",
            "\n",
            "a\n\n b",
            "-- x\ny",
            "/- a /- b -/ c",
            "/- a -/ b",
            "/--/ d -/ e",
            "'",
            "'a' 'b",
        ),
        *(
            '"open',
            '"a\\"b" c',
            's!"x{y}"',
            "«a b».c «open",
            "x.«y».z 𝒜.𝓑 λx ↦ x₁'✝",
            "0x1f 1.5e 1.",
            "#eval",
        ),
        *("«" * 60_000, '"' * 59_999, "/-" * 30_000, "'" * 60_000, "a." * 30_000, "\\" * 60_000),
    ]
    check = (
        "((texts) => texts.filter((text) => lexLean(text, new Set(), new Set())"
        ".map((line) => line.map((token) => token[1]).join('')).join('\\n') !== text).length)"
    )
    assert browser.evaluate(f"{check}({json.dumps(texts)})") == 0
    kinds = "JSON.stringify(lexLean({}, new Set(['by']), new Set(['simp'])))"
    assert json.loads(browser.evaluate(kinds.format(json.dumps("by simp -- é\n  sorry «by»")))) == [
        [["k", "by"], ["", " "], ["t", "simp"], ["", " "], ["c", "-- é"]],
        [["", "  "], ["bad", "sorry"], ["", " "], ["", "«by»"]],
    ]
    assert json.loads(browser.evaluate(kinds.format(json.dumps("/--/ d -/ by")))) == [
        [["c", "/--/ d -/"], ["", " "], ["k", "by"]]
    ]


def test_differences_lead_from_one_text_to_the_other(
    pages: Pages, visit: Callable[..., Browser]
) -> None:
    browser = visit(pages.usual)
    chance = random.Random(7)
    pairs = [
        tuple("\n".join(chance.choices("abc", k=chance.randrange(12))) for _ in range(2))
        for _ in range(200)
    ]
    pairs.append(("a\n" * 2500, "b\n" * 2500))  # too large to compare line by line
    found = browser.evaluate(f"({json.dumps(pairs)}).map(([one, other]) => difference(one, other))")
    for (before, after), lines in zip(pairs, found, strict=True):
        assert "\n".join(line for sign, line in lines if sign != "+") == before
        assert "\n".join(line for sign, line in lines if sign != "-") == after
    same = sum(sign == " " for lines in found[:-1] for sign, _ in lines)
    assert same == sum(common(a.split("\n"), b.split("\n")) for a, b in pairs[:-1])


def common(one: list[str], other: list[str]) -> int:
    """The length of the longest common subsequence."""
    best = [0] * (len(other) + 1)
    for line in one:
        before = 0
        for place, there in enumerate(other, 1):
            before, best[place] = (
                best[place],
                before + 1 if line == there else max(best[place], best[place - 1]),
            )
    return best[-1]


def test_what_a_repair_changed(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single, task_link(1))
    browser.wait("document.querySelector('#task .attempt')")
    browser.evaluate("document.querySelectorAll('#task .choice button')[1].click()")
    lines = (
        "[...document.querySelectorAll('#task .diff .l')]"
        ".map((e) => e.dataset.n + e.querySelector('code').textContent)"
    )
    assert browser.evaluate(lines) == [
        "+theorem foo : p := q",
        "+",
        " := by",
        "   induction n with",
        "   | zero => rfl",
        "-  | succ n ih => simp [foo]",
        "+  | succ n ih =>",
        "+    rw [ih] -- again",
    ]
    pressed = (
        "[...document.querySelectorAll('#task .choice button')]"
        ".map((e) => e.ariaPressed === 'true')"
    )
    assert browser.evaluate(pressed) == [False, True]
    browser.evaluate("document.querySelectorAll('#task .choice button')[0].click()")
    assert browser.evaluate(pressed) == [True, False]
    assert not browser.evaluate("document.querySelector('#task .diff')")


def test_deep_links(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.usual, task_link(1) + "&run=1&sample=3")
    browser.wait("document.querySelectorAll('#task .one-run').length === 2")
    pressed = (
        "[...document.querySelectorAll('#task .one-run')].map((e) =>"
        " e.querySelector('[aria-pressed=true]').firstChild.textContent)"
    )
    assert browser.evaluate(pressed) == ["2", "3"]
    browser.open(pages.usual, "#task=no%20such&sample=x")
    browser.wait("document.querySelector('#task pre')")
    assert text(browser, "#task h1") == "No such task"
    assert text(browser, "#task pre") == "no such"
    browser.open(pages.usual, "#task=%E0%A4%A")
    browser.wait("document.documentElement.hasAttribute('data-ready')")
    assert browser.complaints() == []
    assert not browser.evaluate("document.getElementById('report').hidden")


def test_the_way_back(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.usual)
    select(browser, "repository", "repo-1")
    browser.evaluate("document.querySelectorAll('#task-table tr:not([hidden]) a')[1].focus()")
    browser.key("Enter")
    browser.wait("document.querySelector('#task .attempt')")
    assert text(browser, "#task h1") == "Demo.thm_04"
    browser.evaluate("document.querySelector('#task [rel=next]').click()")
    browser.wait("document.querySelector('#task h1').textContent === 'Demo.thm_07'")
    browser.evaluate("history.back()")
    browser.wait("document.querySelector('#task h1').textContent === 'Demo.thm_04'")
    browser.key("Escape")
    browser.wait("document.getElementById('task').hidden")
    assert names(browser) == ["01", "04", "07", "10"]
    assert browser.evaluate("document.activeElement.textContent") == "Demo.thm_04"
    assert browser.evaluate("document.title").startswith("Results")


def test_by_keyboard_alone(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.single)
    browser.key("Tab")
    assert text(browser, ":focus") == "Skip to the content"
    stops = []
    for _ in range(80):
        browser.key("Tab")
        stops.append(browser.evaluate("document.activeElement.textContent.trim().slice(0, 40)"))
        visible = browser.evaluate(
            "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        )
        assert visible, stops[-1]
        if stops[-1] == "Demo.thm_00":
            break
    assert {"Overview", "Tasks", "Theme: automatic", "The numbers", "Clear", "Depth"} <= set(stops)
    browser.key("Enter")
    browser.wait("document.querySelector('#task .attempt')")
    for _ in range(8):
        browser.key("Tab")
        if browser.evaluate("document.activeElement.classList.contains('sample')"):
            break
    browser.key("Tab")
    browser.key(" ")
    assert text(browser, "#task .sample[aria-pressed=true]") == "2"
    assert text(browser, "#task .attempt h3") == "Sample 2, first answer"


def test_light_and_dark(pages: Pages, visit: Callable[..., Browser], browser: Browser) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    visit(pages.usual)
    light = browser.evaluate(back)
    browser.size(*DESKTOP, dark=True)
    dark = browser.evaluate(back)
    assert light != dark
    press = "document.getElementById('theme').click()"
    browser.evaluate(press)
    assert text(browser, "#theme") == "Theme: light"
    assert browser.evaluate(back) == light
    browser.evaluate(press)
    browser.size(*DESKTOP)
    assert browser.evaluate(back) == dark
    browser.evaluate(press)
    assert text(browser, "#theme") == "Theme: automatic"
    assert browser.evaluate(back) == light


def test_browsers_without_decompression(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.without_streams, task_link(1))
    assert browser.evaluate("typeof DecompressionStream") == "undefined"
    browser.wait("document.querySelector('#task .attempt')")
    assert text(browser, "#task h1") == "Demo.thm_01"
    same = (
        "(async () => { for (const script of document.querySelectorAll('[id^=packed-]')) {"
        " const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));"
        " JSON.parse(new TextDecoder().decode(inflateZlib(bytes))); } return true; })()"
    )
    assert browser.evaluate(same) is True
    assert browser.complaints() == []


@pytest.mark.parametrize(
    ("level", "size"), [(0, 100_000), (1, 300_000), (9, 300_000), (9, 0), (9, 3)]
)
def test_unpacking_as_zlib_packs(
    pages: Pages, visit: Callable[..., Browser], level: int, size: int
) -> None:
    chance = random.Random(size + level)
    words = [chance.randbytes(chance.randrange(1, 12)) for _ in range(400)]
    plain = b"".join(chance.choices(words, k=size // 6))[:size] + chance.randbytes(size % 1000)
    packed = base64.b64encode(zlib.compress(plain, level)).decode()
    browser = visit(pages.usual)
    found = browser.evaluate(
        "(() => {"
        f" const bytes = Uint8Array.from(atob('{packed}'), (c) => c.charCodeAt(0));"
        " const plain = inflateZlib(bytes);"
        " let text = ''; for (const byte of plain) text += byte.toString(16).padStart(2, '0');"
        " return text; })()"
    )
    assert hashlib.sha256(bytes.fromhex(found)).digest() == hashlib.sha256(plain).digest()


def test_damaged_data_is_told(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.usual)
    browser.evaluate(
        "(() => { const other = document.createElement('p'); other.id = 'packed-1';"
        " other.textContent = btoa('nonsense');"
        " document.getElementById('packed-1').replaceWith(other); })()"
    )
    browser.evaluate(f"location.hash = {task_link(1)!r}")
    browser.wait("document.querySelector('#task .note')")
    assert "cannot be unpacked" in text(browser, "#task .note")
    browser.evaluate(f"location.hash = {task_link(2)!r}")
    browser.wait("document.querySelector('#task .attempt')")


# ---- Hostile text --------------------------------------------------------------------------------


def test_no_script_of_theirs_runs(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.hostile)
    count = browser.evaluate("document.querySelectorAll('#task-table tbody tr').length")
    assert count == len(html_samples.HOSTILE)
    seen = browser.evaluate("document.body.textContent")
    for number in range(0, count, 4):
        link = browser.evaluate(
            f"document.querySelectorAll('#task-table tbody a')[{number}].getAttribute('href')"
        )
        browser.evaluate(f"document.querySelectorAll('#task-table tbody a')[{number}].click()")
        browser.wait(f"location.hash === {link!r} && document.querySelector('#task .attempt')")
        browser.evaluate("document.querySelectorAll('#task button').forEach((b) => b.click())")
        browser.evaluate("document.querySelectorAll('#task details').forEach((d) => d.open = true)")
        seen += browser.evaluate("document.getElementById('task').textContent")
        # Only elements of ours are there.
        assert browser.evaluate(
            "[...new Set([...document.querySelectorAll('#task *')].map((e) => e.localName))].sort()"
        ) == sorted(
            "a button code dd details div dl dt h1 h2 h3 i nav p pre section span strong "
            "summary".split()
        )
        assert browser.evaluate(
            "[...document.querySelectorAll('*')].every((e) => e.getAttributeNames().every((name) =>"
            " !name.startsWith('on') && name !== 'style' && name !== 'srcdoc'"
            " && !(name === 'href' && !e.getAttribute(name).startsWith('#'))))"
        )
        browser.evaluate("location.hash = '#tasks'")
        browser.wait("document.getElementById('task').hidden")
    for payload in html_samples.HOSTILE[:-1]:
        assert payload in seen
    assert browser.evaluate("window.hit") is None
    # Nothing even had to be refused.
    assert browser.complaints() == []
    assert {url.partition("#")[0] for url in browser.requests()} == {pages.hostile.as_uri()}


def test_what_got_through_would_be_refused(pages: Pages, visit: Callable[..., Browser]) -> None:
    browser = visit(pages.unescaped)
    assert browser.evaluate("document.images.length") >= 1  # it did get through
    browser.evaluate(
        "document.querySelectorAll('a[href^=javascript]')"
        ".forEach((a) => a.dispatchEvent(new MouseEvent('click', { bubbles: true })))"
    )
    assert browser.evaluate("window.hit") is None
    told = browser.complaints()
    assert any("Content Security Policy" in line for line in told), told
    assert {url.partition("#")[0] for url in browser.requests()} == {pages.unescaped.as_uri()}


def test_texts_cannot_become_elements(pages: Pages, visit: Callable[..., Browser]) -> None:
    """The policy forbids it to the page's own script, too."""
    browser = visit(pages.usual)
    tried = (
        "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'done'; }"
        " catch (error) { return error.name; } })()"
    )
    assert browser.evaluate(tried) == "TypeError"
