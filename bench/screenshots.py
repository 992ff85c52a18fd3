"""Make the pictures of the HTML report that are in ``docs/images``.

    python bench/screenshots.py [RUN...]

Each RUN is a run directory; without one the demo is run with the prover ``automation`` and eight
samples, which takes some minutes. It needs a Chromium.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "benchmark" / "demo" / "demo.vsb.jsonl"
TASK = "#task=" + quote("benchmark/demo/demo.vsb.jsonl::SearchTree.mirror_mirror") + "&sample=8"
DESKTOP, PHONE = (1200, 860), (390, 780)
PICTURES = (
    ("report-desktop-light", DESKTOP, False, ""),
    ("report-phone-dark", PHONE, True, ""),
    ("tasks-desktop-light", DESKTOP, False, "#tasks"),
    ("task-desktop-dark", DESKTOP, True, TASK),
    ("task-phone-light", PHONE, False, TASK),
)


def main() -> int:
    sys.path.insert(0, str(ROOT / "tests" / "report"))
    from html_browser import Browser, find

    from pytest_vsb.report.analysis import analyse
    from pytest_vsb.report.html.page import build
    from pytest_vsb.report.loaded import load_runs

    program = find()
    if program is None:
        print("no Chromium here", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as directory:
        given = [Path(name) for name in sys.argv[1:]] or [_demo(Path(directory) / "run")]
        runs = load_runs(given)
        page = Path(directory) / "page.html"
        page.write_text(build(runs, analyse(runs)), encoding="utf-8")
        images = ROOT / "docs" / "images"
        images.mkdir(exist_ok=True)
        with Browser(program, Path(directory) / "profile") as browser:
            for name, size, dark, fragment in PICTURES:
                browser.size(*size, dark=dark)
                browser.open(page, fragment)
                browser.wait("document.documentElement.hasAttribute('data-ready')")
                if fragment.startswith("#task="):
                    browser.wait("document.querySelector('#task .attempt')")
                browser.screenshot(images / f"{name}.png")
                print(images / f"{name}.png")
    return 0


def _demo(run: Path) -> Path:
    options = ("--vsb-model=automation", "--vsb-samples=8", "--vsb-fail-on=never")
    command = [sys.executable, "-m", "pytest", str(DEMO), *options, f"--vsb-run={run}"]
    command.append("--vsb-no-cache")
    subprocess.run(command, cwd=ROOT, check=True)
    return run


if __name__ == "__main__":
    sys.exit(main())
