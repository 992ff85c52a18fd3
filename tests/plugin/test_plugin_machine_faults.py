"""Full disks, directories that become read-only, no memory: a clear error, and a run that resumes.

The faults are real ones, made by mounts in a namespace of the run's own, so that they are gone when
it has ended.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from mini_project import Ended, MiniProject

pytestmark = [pytest.mark.lean, pytest.mark.slow]

ANSWER = "def answer(request): return right(request)"


def _unshare() -> list[str]:
    """How to get mounts of one's own here; empty if there is no way."""
    for options in (["-m"], ["-rm"]):
        command = ["unshare", *options, "sh", "-c"]
        probe = "mount -t tmpfs -o size=64k none /mnt"
        if shutil.which("unshare"):
            done = subprocess.run([*command, probe], capture_output=True, check=False)
            if done.returncode == 0:
                return command
    return []


UNSHARE = _unshare()
needs_mounts = pytest.mark.skipif(not UNSHARE, reason="no mounts can be made here")


def mounted(mini: MiniProject, mount: str, *arguments: str, tmp: str = "") -> Ended:
    """Run pytest where ``mount`` has been done."""
    pytest_command = [sys.executable, "-m", "pytest", "--vsb-model=scripted", *arguments]
    process = subprocess.run(
        [*UNSHARE, f'{mount} && exec "$@"', "sh", *pytest_command],
        cwd=mini.path,
        env={**mini.env(), **({"TMPDIR": tmp} if tmp else {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    assert "INTERNALERROR" not in process.stdout + process.stderr
    assert "Traceback" not in process.stdout + process.stderr
    return Ended(process.returncode, process.stdout, process.stderr)


OPTIONS = ("--vsb-run=run", "--vsb-samples=1", "--vsb-repairs=0")


@needs_mounts
def test_full_disk_under_the_journal(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf", "mirror_mirror")
    # Room for what begins a run, and for the first tasks but not for all.
    mini.prover(
        """
        def answer(request):
            if request.task.id == "isLeaf_leaf" and not (HERE / "room").exists():
                with open(HERE / "run" / "ballast", "wb") as file:
                    try:
                        while True:
                            file.write(b"x" * 4096)
                            file.flush()
                    except OSError:
                        pass
            return right(request)
        """
    )
    (mini.path / "run").mkdir()
    keep = 'trap "cp -a run kept" EXIT; "$@"; exit $?; '
    ended = mounted(mini, f"mount -t tmpfs -o size=400k none run && {{ {keep} }}", *OPTIONS)
    assert ended.code != pytest.ExitCode.OK
    assert "No space left on device" in ended.text + ended.errors
    kept = mini.path / "kept"
    (kept / "ballast").unlink()
    shutil.rmtree(mini.path / "run")
    kept.rename(mini.path / "run")
    mini.write("room", "")
    assert mini.bench("--vsb-resume").counts() == {"passed": 3}
    assert mini.by_task()["isLeaf_leaf"]["n"] == 1
    assert mini.asked().count("mirror_leaf 0 0") == 1


@needs_mounts
def test_full_disk_for_scratch_files(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf")
    mini.prover(ANSWER)
    (mini.path / "small").mkdir()
    small = str(mini.path / "small")
    ended = mounted(mini, "mount -t tmpfs -o size=16k none small", *OPTIONS, tmp=small)
    assert ended.counts() == {"error": 1}
    assert "is there room on the disk?" in ended.text
    assert mini.by_task()["mirror_leaf"]["status"] == "unavailable"
    assert mini.bench("--vsb-resume").counts() == {"passed": 1}
    assert mini.by_task()["mirror_leaf"]["n"] == 1


@needs_mounts
def test_run_directory_that_has_become_read_only(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf")
    mini.prover("def answer(request): return no_answer()")
    mini.bench()
    mount = "mount --bind run run && mount -o remount,ro,bind run"
    ended = mounted(mini, mount, *OPTIONS, "--vsb-resume", "--vsb-samples=2")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "the run directory cannot be written: Read-only file system" in ended.errors
    mini.prover(ANSWER)
    mini.bench("--vsb-resume", "--vsb-samples=2")
    assert mini.asked() == ["mirror_leaf 0 0", "mirror_leaf 1 0"]
    assert (mini.by_task()["mirror_leaf"]["n"], mini.by_task()["mirror_leaf"]["c"]) == (2, 1)
