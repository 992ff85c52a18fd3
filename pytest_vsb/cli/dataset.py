"""``vsb dataset``: task files as data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli import dataset_numbers
from pytest_vsb.cli.common import ACCEPTED
from pytest_vsb.errors import UsageError
from pytest_vsb.words import counted

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands

OFFICIAL_NAME = "verisoftbench.jsonl"


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "task files as data: download the VeriSoftBench dataset, count what tasks depend on"
    sub = commands.add_parser("dataset", help=text, description=text, allow_abbrev=False)
    verbs = sub.add_subparsers(title="what to do", metavar="VERB", required=True)
    text = "download the VeriSoftBench dataset as released, and check its digest"
    fetch = verbs.add_parser("fetch", help=text, description=text, allow_abbrev=False)
    fetch.add_argument(
        "--output", metavar="FILE", default=OFFICIAL_NAME, help=f"default: {OFFICIAL_NAME}"
    )
    fetch.add_argument("--url", metavar="URL", help="another task file, or another place for it")
    fetch.add_argument(
        "--digest", metavar="DIGEST", help="what it must have: sha256:HEX, or git:HEX"
    )
    fetch.add_argument("--force", action="store_true", help="replace a file with other content")
    fetch.set_defaults(command=run_fetch)
    dataset_numbers.add(verbs)


def run_fetch(options: argparse.Namespace) -> int:
    """Download a task file, check it, and say what is in it."""
    from pytest_vsb.tasks import download
    from pytest_vsb.tasks.dataset import read_tasks

    url = options.url or download.URL
    text = options.digest or (download.DIGEST if options.url is None else "")
    digest = download.Digest.parse(text) if text else None
    output = Path(options.output).expanduser()
    if not output.name:
        raise UsageError("names no file", where=f"--output={options.output}")
    print(f"{url}", file=sys.stderr)
    fetched = download.download(
        url,
        output,
        digest,
        force=options.force,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    found = digest or download.Digest.of(output)
    checked = "digest is right" if digest else "not checked: no digest is given"
    read = read_tasks(output)
    what = "downloaded" if fetched else "there already"
    print(f"{output}: {what}; {found} ({checked})")
    broken = f", {counted(len(read.problems), 'broken line')}" if read.problems else ""
    print(f"{counted(len(read.tasks), 'task')}{broken}")
    return ACCEPTED
