"""Downloading task files from a real server."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from task_lines import native
from werkzeug import Request, Response

from pytest_vsb import cli
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.tasks import download
from pytest_vsb.tasks.download import Digest

LINES = "".join(json.dumps(native(id=f"t{i}", name=f"t{i}")) + "\n" for i in range(500)).encode()
SHA256 = Digest("sha256", hashlib.sha256(LINES).hexdigest())


class Server:
    """Serves LINES, as far as it is told to."""

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("/tasks.jsonl")
        self.content = LINES
        self.tag = '"one"'
        self.cut: list[int] = []
        """After how many bytes each of the next answers breaks off."""
        self.statuses: list[int] = []
        self.asked: list[str | None] = []
        server.expect_request("/tasks.jsonl").respond_with_handler(self.answer)

    def answer(self, request: Request) -> Response:
        wanted = request.headers.get("Range")
        self.asked.append(wanted)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return Response("no", status=status)
        content, status = self.content, 200
        same = request.headers.get("If-Range") in (None, self.tag)
        if wanted and same:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                return Response(status=416)
            content, status = content[start:], 206
        headers = {"Content-Length": str(len(content)), "ETag": self.tag}
        if self.cut:
            content = content[: self.cut.pop(0)]
        return Response(iter([content]), status, headers)


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    return Server(httpserver)


def get(server: Server, output: Path, digest: Digest | None = SHA256, **more: object) -> bool:
    return download.download(server.url, output, digest, pauses=(0.0, 0.0), **more)  # type: ignore[arg-type]


def test_whole(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "new dir" / "t.jsonl"
    assert get(server, output)
    assert output.read_bytes() == LINES
    assert [path.name for path in output.parent.iterdir()] == ["t.jsonl"]
    # Once it is there, nothing is asked for.
    assert not get(server, output)
    assert server.asked == [None]


def test_goes_on_where_it_broke_off(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    server.cut = [40_000, 20_000]
    assert get(server, output)
    assert output.read_bytes() == LINES
    assert server.asked == [None, "bytes=32768-", "bytes=49152-"]


def test_goes_on_in_another_process(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    server.cut = [20_000] * 3
    with pytest.raises(EnvironmentUnavailable) as caught:
        get(server, output)
    assert "The same command goes on from there" in (caught.value.hint or "")
    assert not output.exists()
    # Without a digest the server has to say that it is the same file.
    assert get(server, output, None)
    assert output.read_bytes() == LINES
    assert server.asked[-1] == "bytes=49152-"


def test_file_that_has_changed_meanwhile(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    server.cut = [20_000] * 3
    with pytest.raises(EnvironmentUnavailable):
        get(server, output)
    server.tag, server.content = '"two"', LINES[::-1]
    assert get(server, output, None)
    assert output.read_bytes() == LINES[::-1]


def test_part_that_is_not_of_this_file(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    for junk in (b"x" * 100, b"x" * len(LINES), b"x" * 10 * len(LINES)):
        (tmp_path / ".t.jsonl.part").write_bytes(junk)
        assert get(server, output)
        assert output.read_bytes() == LINES
        output.unlink()


def test_part_that_is_whole(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".t.jsonl.part").write_bytes(LINES)
    assert get(server, tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").read_bytes() == LINES


def test_wrong_content(server: Server, tmp_path: Path) -> None:
    server.content = b"<html>please log in</html>"
    with pytest.raises(EnvironmentUnavailable) as caught:
        get(server, tmp_path / "t.jsonl")
    assert "not the file it should be: its digest is sha256:" in caught.value.message
    assert server.asked == [None]
    assert (tmp_path / ".t.jsonl.part").read_bytes() == b""


@pytest.mark.parametrize(
    ("statuses", "asked", "works"),
    [([503, 429], 3, True), ([500, 502, 503], 3, False), ([404], 1, False), ([403], 1, False)],
)
def test_statuses(
    server: Server, tmp_path: Path, statuses: list[int], asked: int, works: bool
) -> None:
    server.statuses = list(statuses)
    if works:
        assert get(server, tmp_path / "t.jsonl")
    else:
        with pytest.raises(EnvironmentUnavailable, match=f"the server says {statuses[-1]}"):
            get(server, tmp_path / "t.jsonl")
    assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:9/x", "Connection refused"),
        ("http://no-such-host.invalid/x", "resolve|resolution|not known|Name"),
    ],
)
def test_offline(tmp_path: Path, url: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(
        EnvironmentUnavailable, match=f"cannot be downloaded: .*({words})"
    ) as caught:
        download.download(url, tmp_path / "t.jsonl", None, pauses=(0.0,))
    assert "is there a connection" in (caught.value.hint or "")


def test_what_is_there_is_kept(server: Server, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    output.write_text("mine")
    with pytest.raises(UsageError, match="has other content"):
        get(server, output)
    with pytest.raises(UsageError, match="is there already"):
        get(server, output, None)
    assert output.read_text() == "mine"
    assert get(server, output, force=True)
    assert output.read_bytes() == LINES
    with pytest.raises(UsageError, match="is a directory"):
        get(server, tmp_path)
    with pytest.raises(EnvironmentUnavailable, match="cannot be written"):
        get(server, output / "below")


def test_only_one_at_a_time(server: Server, tmp_path: Path) -> None:
    with (
        download._part(tmp_path / "t.jsonl"),
        pytest.raises(EnvironmentUnavailable, match="another process is downloading it"),
    ):
        get(server, tmp_path / "t.jsonl")
    assert get(server, tmp_path / "t.jsonl")


@pytest.mark.parametrize("text", ["", "sha256:12", "md5:" + "a" * 40, "git:" + "g" * 40, "sha256"])
def test_no_digest(text: str) -> None:
    with pytest.raises(UsageError, match="is no digest"):
        Digest.parse(text)


def test_gits_digest_is_gits(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(LINES)
    done = subprocess.run(
        ["git", "hash-object", "--no-filters", file], capture_output=True, text=True, check=True
    )
    assert Digest.of(file, "git") == Digest.parse(f"git:{done.stdout.strip()}")
    assert Digest.parse(str(SHA256)) == Digest.parse(SHA256.value.upper()) == SHA256
    assert str(Digest.parse(download.DIGEST)) == download.DIGEST


def test_command(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "t.jsonl"
    arguments = ["dataset", "fetch", f"--url={server.url}", f"--output={output}"]
    assert cli.main([*arguments, f"--digest={SHA256}"]) == 0
    assert capsys.readouterr().out == (
        f"{output}: downloaded; {SHA256} (digest is right)\n500 tasks\n"
    )
    assert cli.main([*arguments, "--force"]) == 0
    assert "(not checked: no digest is given)" in capsys.readouterr().out
    assert cli.main([*arguments, "--digest=x"]) == 4
    assert "is no digest" in capsys.readouterr().err
    server.content = b"not a task\n" + LINES
    assert cli.main([*arguments, "--force"]) == 0
    assert "500 tasks, 1 broken line\n" in capsys.readouterr().out
