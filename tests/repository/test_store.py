"""What is kept on disk: by many processes, within bounds, and never fatal."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pytest_vsb.repository import Store, open_store
from pytest_vsb.repository.disks import is_shared


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "store.sqlite3"


def never() -> bytes:
    raise AssertionError("it is kept")


def test_it_is_made_once(path: Path) -> None:
    store = Store(path)
    assert store.get("k", "1", "d", lambda: b"made") == b"made"
    assert store.get("k", "1", "d", never) == b"made"
    assert Store(path).get("k", "1", "d", never) == b"made"
    for other in (("k", "2", "d"), ("k", "1", "e"), ("j", "1", "d"), ("k", "", "1\0d")):
        assert store.read(*other) is None
    store.write("k", "1", "d", b"other")
    assert Store(path).read("k", "1", "d") == b"other"
    store.close()
    assert store.read("k", "1", "d") == b"other"
    assert store.notes == []


def test_what_cannot_be_made_is_not_kept(path: Path) -> None:
    store = Store(path)
    with pytest.raises(AssertionError):
        store.get("k", "1", "d", never)
    assert store.get("k", "1", "d", lambda: b"") == b""
    assert store.get("k", "1", "d", never) == b""


def test_nothing_is_kept_without_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for store in (Store(None), Store(tmp_path / "file" / "store"), Store(tmp_path)):
        assert store.get("k", "1", "d", lambda: b"made") == b"made"
        assert store.read("k", "1", "d") is None
        store.close()
        assert bool(store.notes) == (store.path is not None)


def test_a_database_that_cannot_be_written_is_read(path: Path) -> None:
    Store(path).write("k", "1", "d", b"made")
    store = Store(path)
    assert store.read("k", "1", "d") == b"made"
    connection = store._connection
    assert connection is not None
    connection.execute("PRAGMA query_only = ON")
    for _ in range(5):
        assert store.get("k", "1", "e", lambda: b"new") == b"new"
    assert store.read("k", "1", "e") is None
    assert store.read("k", "1", "d") == b"made"
    assert "not all is kept" in store.notes[0]


def test_a_database_that_stays_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).write("k", "1", "d", b"made")
    monkeypatch.setattr("pytest_vsb.repository.store._BUSY_SECONDS", 0.01)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = Store(path)
    for _ in range(2):
        assert store.get("k", "1", "e", lambda: b"new") == b"new"
        assert store.get("k", "1", "d", never) == b"made"
    assert "locked" in store.notes[0]
    other.execute("ROLLBACK")
    other.close()
    store.write("k", "1", "e", b"new")
    assert store.get("k", "1", "e", never) == b"new"


def damaged_in_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data)):
        data[at] = 0xA5
    path.write_bytes(data)


def not_a_database(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def without_its_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE blobs RENAME TO other")
    connection.close()


@pytest.mark.parametrize("damage", [damaged_in_the_middle, not_a_database, without_its_table])
def test_a_damaged_database_is_set_aside(path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    store = Store(path)
    for number in range(50):
        store.write("k", "1", str(number), os.urandom(3000))
    store.close()
    damage(path)
    store = Store(path)
    assert store.get("k", "1", "7", lambda: b"again") == b"again"
    assert store.get("k", "1", "7", never) == b"again"
    assert Store(path).read("k", "1", "7") == b"again"
    assert "was damaged" in store.notes[0]
    assert path.with_name(path.name + ".damaged").exists()


def test_damage_that_is_found_late(path: Path) -> None:
    one, two = Store(path), Store(path)
    one.write("k", "1", "d", b"x")
    assert two.read("k", "1", "d") == b"x"
    for store in (one, two):
        store.close()
    not_a_database(path)
    assert one.get("k", "1", "d", lambda: b"one") == b"one"
    assert two.get("k", "1", "d", never) == b"one"
    assert two.notes == []


def test_a_damaged_value_is_made_again(path: Path) -> None:
    store = Store(path)
    store.write("k", "1", "d", b"made")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE blobs SET data = x'6d616465ff'")
    connection.commit()
    connection.close()
    assert store.get("k", "1", "d", lambda: b"again") == b"again"
    assert store.get("k", "1", "d", never) == b"again"


def test_it_is_bounded(path: Path) -> None:
    limit = 400_000
    store = Store(path, limit=limit)
    for number in range(600):
        store.write("k", "1", str(number), os.urandom(4000))
    kept = [number for number in range(600) if store.read("k", "1", str(number)) is not None]
    assert 20 < len(kept) < 200
    assert kept[-1] == 599
    assert path.stat().st_size < 3 * limit
    store.write("k", "1", "huge", bytes(limit))
    assert store.read("k", "1", "huge") is None


def test_what_was_used_lately_stays(path: Path) -> None:
    store = Store(path, limit=480_000)
    for number in range(60):
        store.write("k", "1", str(number), os.urandom(4000))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE blobs SET used = used - 1000000")
    connection.commit()
    connection.close()
    for number in range(10):
        assert store.read("k", "1", str(number)) is not None
    store.close()
    for number in range(60, 130):
        store.write("k", "1", str(number), os.urandom(4000))
    found = [store.read("k", "1", str(number)) is not None for number in range(60)]
    assert all(found[:10])
    assert not all(found)


WRITER = """
import sys
from pathlib import Path
from pytest_vsb.repository import Store
store = Store(Path(sys.argv[1]))
for number in range(150):
    digest = str(number)
    found = store.get("k", "1", digest, lambda: digest.encode() * 1000)
    assert found == digest.encode() * 1000, digest
assert store.notes == [], store.notes
"""


def test_two_processes_at_once(path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=180)
        assert process.returncode == 0, errors.decode()
    store = Store(path)
    assert all(store.read("k", "1", str(number)) is not None for number in range(150))


def test_threads_and_forks(path: Path) -> None:
    store = Store(path)
    failures: list[int] = []

    def work(offset: int) -> None:
        for number in range(40):
            digest = str((number + offset) % 40)
            if store.get("k", "1", digest, digest.encode) != digest.encode():
                failures.append(number)

    threads = [threading.Thread(target=work, args=(offset,)) for offset in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    child = os.fork()
    if child == 0:
        good = store.get("k", "1", "7", never) == b"7"
        store.write("k", "1", "child", b"here")
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.read("k", "1", "child") == b"here"


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    store = open_store()
    store.write("k", "1", "d", b"x")
    assert store.path is not None
    assert store.path.parent == tmp_path / "cache"
    assert store.notes == []


def test_a_place_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    store = open_store()
    assert store.get("k", "1", "d", lambda: b"x") == b"x"
    assert "cannot be written" in store.notes[0]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    store = open_store()
    assert store.path is None
    assert store.get("k", "1", "d", lambda: b"x") == b"x"
    assert len(store.notes) == 1


def test_what_is_held_can_be_dropped(path: Path) -> None:
    store = Store(path)
    assert (store.held().entries, store.clear()) == (0, True)
    assert not path.exists()
    for number in range(300):
        store.write("k", "1", str(number), os.urandom(4000))
    held = store.held()
    assert held.entries == 300
    assert held.size > 300 * 4000
    assert Store(path).clear()
    assert store.held().entries == 0
    store.write("k", "1", "d", b"again")
    assert Store(path).read("k", "1", "d") == b"again"
    assert store.held().entries == 1
    store.close()
    assert Store(path).clear()
    assert path.stat().st_size < 300 * 4000
    assert (Store(None).held().entries, Store(None).clear()) == (0, True)


def test_on_a_disk_of_several_machines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Store(path)
    alone.write("k", "1", "d", b"made")
    alone.close()
    monkeypatch.setattr("pytest_vsb.repository.store.is_shared", lambda _: True)
    store = Store(path)
    assert store.get("k", "1", "d", never) == b"made"
    store.write("k", "1", "e", b"more")
    assert Store(path).get("k", "1", "e", never) == b"more"
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert not path.with_name(path.name + "-wal").exists()
    assert store.notes == []


@pytest.mark.parametrize(
    ("kinds", "shared"),
    [
        ({"/": "ext4"}, False),
        ({"/": "overlay", "/home": "nfs4"}, True),
        ({"/": "nfs", "/home": "xfs"}, False),
        ({"/": "ext4", "/home/me": "fuse.sshfs"}, True),
        ({"/": "ext4", "/home/me": "fuseblk"}, False),
        ({"/": "ext4", "/home/you": "lustre"}, False),
        ({"/": "ext4", "/home/me/store": "CIFS"}, True),
        ({}, False),
    ],
)
def test_which_disks_are_shared(kinds: dict[str, str], shared: bool) -> None:
    assert is_shared(Path("/home/me/store/file"), list(kinds.items())) == shared
    assert is_shared(Path("/home/me/store/file"), reversed(kinds.items())) == shared


def test_of_two_disks_at_one_place_the_later_is_there() -> None:
    mounts = [("/", "ext4"), ("/home", "xfs"), ("/home", "nfs")]
    assert is_shared(Path("/home/me"), mounts)
    assert not is_shared(Path("/home/me"), [mounts[2], *mounts[:2]])


def test_this_machine_has_disks(tmp_path: Path) -> None:
    assert is_shared(tmp_path) in (False, True)
    # The kernel's own are nobody else's.
    assert not is_shared(Path("/dev/shm"))
