"""Drivers of the limits of request bodies and forms."""

import contextlib
import os

from harness import wait_until
from http_client import format_request
from limit_drivers import HTTP, KIB, LINES, MIB, STREAMED, Client, driver, stats
from websocket_client import TEXT, RawWebSocket, frame


def head(length, target="/bytes", *fields):
    return format_request(target, "POST", [("Content-Length", length), *fields])


def temporary_files(server):
    """The unlinked temporary files that the server's processes have open: the bytes of each by its inode."""
    found = {}
    for process in server.processes():
        with contextlib.suppress(FileNotFoundError, PermissionError):
            for fd in os.listdir(f"/proc/{process.pid}/fd"):
                with contextlib.suppress(FileNotFoundError):
                    path = f"/proc/{process.pid}/fd/{fd}"
                    name = os.readlink(path)
                    if name.startswith("/tmp/") and name.endswith("(deleted)") and not name.startswith("/tmp/.Zend"):
                        status = os.stat(path)
                        found[status.st_ino] = status.st_size
    return found


def is_in_a_file(server):
    return bool(temporary_files(server))


@driver("bodyFileBytes", bodyFileBytes=64 * KIB)
def drive_body_file_bytes(server):
    with Client(server) as client:
        client.send(head(64 * KIB) + b"x" * (64 * KIB - 1))
        wait_until(lambda: stats(server)["arenaBytes"] >= 64 * KIB, "it has its room in memory")
        assert not is_in_a_file(server)
        client.send(b"x")
        assert client.read().json() == 64 * KIB
        client.send(head(64 * KIB + 1) + b"x" * 64 * KIB)
        wait_until(lambda: is_in_a_file(server), "it has a file")
        client.send(b"x")
        assert client.read().json() == 64 * KIB + 1
    wait_until(lambda: not is_in_a_file(server), "the file is gone")


@driver("temporaryFileBytes", temporaryFileBytes=2 * MIB, bodyFileBytes=64 * KIB)
def drive_temporary_file_bytes(server):
    most = 2 * MIB * 7 // 8  # of one client

    def answer_to(length):
        """To a body of which no more than a byte comes."""
        with Client(server) as other:
            other.send(head(length) + b"x")
            return other.read().status

    with Client(server) as first:
        first.send(head(most) + b"x" * (most - 1))
        wait_until(lambda: is_in_a_file(server), "it has a file")
        assert answer_to(most) == 503, "there is no room for both"
        assert answer_to(most + 1) == 413, "it will never fit"
        assert 64 * KIB < stats(server)["temporaryFileBytes"] <= 2 * MIB
        first.send(b"x")
        assert first.read().json() == most
    with Client(server) as client:
        wait_until(lambda: not is_in_a_file(server), "the file is gone")
        assert stats(server)["temporaryFileBytes"] == 0
        assert client.request("/bytes", "POST", body=b"x" * most).json() == most


@driver("bodyStreams", bodyStreams=2)
def drive_body_streams(server):
    go = server.folder / "go"
    with Client(server, STREAMED) as first, Client(server, STREAMED) as second, Client(server, STREAMED) as third:
        for client in (first, second):
            client.send(head(10, f"/begin?until={go}") + b"12345")
        wait_until(lambda: len(server.events("begun")) == 2, "both handlers have begun")
        third.send(head(10) + b"12345")
        assert third.read().status == 503
        assert stats(server)["bodyStreams"] == 2
        with Client(server, STREAMED) as other:
            assert other.request("/bytes", "POST", body=b"12345").json() == 5, "what has come as a whole is no stream"
        go.touch()
        for client in (first, second):
            client.send(b"67890")
            assert client.read().json() == 10

    def is_taken():
        with Client(server, STREAMED) as other:
            other.send(head(10) + b"12345")
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                other.send(b"67890")
            return other.read().status == 200
    wait_until(is_taken, "there is a place again")


@driver("bodyStreamBytes", bodyStreamBytes=64 * KIB, bodyBytes=64 * MIB, bodySeconds=1000.0)
def drive_body_stream_bytes(server):
    go, size = server.folder / "go", 64 * MIB
    with Client(server, STREAMED) as client:
        client.send(head(size, f"/begin?until={go}"))
        body = memoryview(bytes(size))
        client.socket.setblocking(False)
        sent = refusals = 0
        while sent < size and refusals < 50:
            try:
                sent += client.socket.send(body[sent:sent + MIB])
                refusals = 0
            except BlockingIOError:
                refusals += 1
                with Client(server) as other:
                    assert other.is_served(), "others do not wait"
        assert sent < size, "all of it was taken while nobody read it"
        assert len(server.events("begun")) == 1
        go.touch()
        client.socket.settimeout(60)
        client.send(body[sent:])
        assert client.read().json() == size


@driver("bodyBytesPerSecond", bodySeconds=0.5, bodyBytesPerSecond=MIB)
def drive_body_bytes_per_second(server):
    def drip():
        """The next byte, and the answer if there is one."""
        with contextlib.suppress(TimeoutError, BrokenPipeError):
            client.send(b"x")
        with contextlib.suppress(TimeoutError):
            return client.read()

    for port in (HTTP, STREAMED):
        with Client(server, port) as client:
            assert client.request("/bytes", "POST", body=b"x" * 100_000).json() == 100_000
            client.send(head(100_000) + b"x")
            client.socket.settimeout(0.02)
            answer = wait_until(drip, "it is over, though bytes come all the time")
            assert answer.status == 408


@driver("messageBytesPerSecond", messageSeconds=0.5, messageBytesPerSecond=MIB)
def drive_message_bytes_per_second(server):
    def drip():
        with contextlib.suppress(OSError):
            client.send(b"x")
        with contextlib.suppress(TimeoutError):
            return client.socket.recv(1000) != b"" or "closed"

    with RawWebSocket(server, "/ws") as client:
        client.send(frame(TEXT, b"y" * 100_000))
        assert client.read_frame()[2] == b"y" * 100_000
        client.send(frame(TEXT, b"z" * 100_000)[:20])
        client.socket.settimeout(0.02)
        wait_until(drip, "it is closed, though bytes come all the time")
    with Client(server, LINES) as client:
        assert client.echoes(b"y" * 50_000)
        client.socket.settimeout(0.02)
        wait_until(drip, "it is closed, though bytes come all the time")


URLENCODED = [("Content-Type", "application/x-www-form-urlencoded")]
MULTIPART = [("Content-Type", "multipart/form-data; boundary=cut")]


@driver("formBytes", formBytes=KIB)
def drive_form_bytes(server):
    def part(name, value, more=""):
        return f'--cut\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'

    file = part("up", "x" * 10_000, '; filename="a"')  # counts 13 bytes: its names, and text/plain
    forms = [(URLENCODED, lambda size: "a=" + "x" * (size - 2)),
             (MULTIPART, lambda size: part("name", "x" * (size - 4)) + "--cut--\r\n"),
             (MULTIPART, lambda size: part("name", "x" * (size - 17)) + file + "--cut--\r\n")]
    with Client(server) as client:
        for kind, form in forms:
            assert client.request("/form", "POST", kind, form(KIB).encode()).status == 200
            assert client.request("/form", "POST", kind, form(KIB + 1).encode()).status == 400
