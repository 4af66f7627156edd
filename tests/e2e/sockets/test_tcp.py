"""Framed TCP."""

import hashlib
import json
import os
import random
import struct
import subprocess
import threading

import pytest

from harness import DEADLINE_S, wait_until
from http_client import HttpConnection

SERVER = dict(script="tcp.php", workers=2, reactors=2, ports=8)
LINES, NEWLINE, PREFIX, LITTLE, WHOLE, OFFSET, WIDE, NONE = range(8)


class Client(HttpConnection):
    """A TCP client, with the reading and writing of HttpConnection."""

    def __init__(self, server, listener):
        super().__init__(("127.0.0.1", server.ports[listener]))

    def line(self):
        return self.take_until(b"\n").rstrip(b"\r").decode()


def shown(data):
    """What the server answers to the message `data`."""
    return f"{len(data)}:{hashlib.md5(data).hexdigest() if len(data) > 1000 else data.hex()}"


def test_lines(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        client.send(b"one\r\ntwo\r\n\r\nwith \r and \n inside\r\n")
        assert client.line() == "one"
        assert client.line() == "two"
        assert client.line() == ""
        assert client.take_until(b"\r\n") == b"with \r and \n inside"


def test_lines_split_anywhere(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        for byte in b"first line\r\n\r\rsecond\r\n":
            client.send(bytes([byte]))
        assert client.line() == "first line"
        assert client.take_until(b"\r\n") == b"\r\rsecond"


def test_line_without_carriage_return(server):
    with Client(server, NEWLINE) as client:
        client.send(b"a\r\nb\n")
        assert [client.line(), client.line()] == [shown(b"a\r"), shown(b"b")]


def test_line_of_all_lengths_up_to_the_default(server):
    with Client(server, NEWLINE) as client:
        for size in (0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 40_000, 65536):
            line = os.urandom(size).replace(b"\n", b"_")
            client.send(line + b"\n")
            assert client.line() == shown(line)


def test_overlong_line_closes(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        client.send(b"y" * 1000 + b"\r\n")
        assert client.line() == "y" * 1000
        client.send(b"x" * 1001 + b"\r\nnever read\r\n")
        assert client.at_end()


def test_overlong_line_closes_before_its_end_has_come(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        client.send(b"x" * 1500)
        assert client.at_end()


@pytest.mark.parametrize("listener,wrap,sizes", [
    (PREFIX, lambda data: struct.pack(">I", len(data)) + data, (0, 1, 8191, 8192, 8193, 100_000, 3 << 20)),
    (LITTLE, lambda data: struct.pack("<H", len(data)) + data, (0, 1, 255, 256, 500)),
    (WIDE, lambda data: struct.pack(">Q", len(data)) + data, (0, 1, 70_000)),
], ids=["u32-big", "u16-little", "u64-big"])
def test_length_prefix(server, listener, wrap, sizes):
    with Client(server, listener) as client:
        messages = [os.urandom(size) for size in sizes]
        stream = b"".join(map(wrap, messages))
        chance = random.Random(7)
        writer = threading.Thread(target=lambda: send_in_pieces(client, stream, chance))
        writer.start()
        assert [client.line() for _ in messages] == [shown(message) for message in messages]
        writer.join()


def send_in_pieces(client, stream, chance):
    at = 0
    while at < len(stream):
        step = chance.choice([1, 2, 5, 1000, 60_000])
        client.send(stream[at:at + step])
        at += step


def test_length_that_counts_the_header_which_is_kept(server):
    with Client(server, WHOLE) as client:
        for size in (0, 1, 20_000):
            message = b"hd" + (size + 5).to_bytes(3, "big") + b"z" * size
            client.send(message)
            assert client.line() == shown(message)


def test_length_after_other_bytes_with_the_header_kept(server):
    with Client(server, OFFSET) as client:
        client.send(b"k\x03abc" + b"l\x00")
        assert [client.line(), client.line()] == [shown(b"k\x03abc"), shown(b"l\x00")]


@pytest.mark.parametrize("listener,bad", [
    (PREFIX, b"\xff\xff\xff\xff"),
    (LITTLE, struct.pack("<H", 501)),
    (WHOLE, b"hd\x00\x00\x04"),
    (WIDE, b"\xff" * 8),
], ids=["4-gib", "over-limit", "shorter-than-its-header", "top-bit"])
def test_bad_length_closes(server, listener, bad):
    with Client(server, listener) as client:
        client.send(bad)
        assert client.at_end()


@pytest.mark.parametrize("size", [1, 10_000, 1 << 20])
def test_no_framing(server, size):
    with Client(server, NONE) as client:
        data = os.urandom(size)
        writer = threading.Thread(target=client.send, args=(data,))
        writer.start()
        assert client.take(size) == data
        writer.join()


def test_open_and_close_are_called(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        address, port = client.socket.getsockname()
        opened = server.wait_event("open", peer=f"{address}:{port}")
        client.send(b"state\r\n")
        assert json.loads(client.line()) == {"open": True, "peer": f"{address}:{port}", "queued": 0}
    assert server.wait_event("close", id=opened["id"])["late"] == "Closed"


def test_close_by_the_server_comes_after_what_was_sent(server):
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        client.send(b"quit\r\nnever answered\r\n")
        assert client.line() == "bye"
        assert client.at_end()


def test_send_to_another_connection(server):
    with Client(server, LINES) as one, Client(server, LINES) as other:
        assert one.line() == other.line() == "welcome"
        host, port = other.socket.getsockname()
        other_id = server.wait_event("open", peer=f"{host}:{port}")["id"]
        one.send(f"to {other_id}\r\n".encode())
        assert one.line() in ("Sent", "Queued")
        assert other.line() == "for you"
        other.close()
        server.wait_event("close", id=other_id)
        one.send(f"to {other_id}\r\n".encode())
        assert one.line() == "Closed"


def test_half_closed_client_still_gets_its_answers(server):
    """What `printf 'line' | nc` does: the client has said all, and waits."""
    with Client(server, LINES) as client:
        assert client.line() == "welcome"
        client.send(b"one\r\ntwo\r\n")
        client.socket.shutdown(1)
        assert client.take_all() == b"one\r\ntwo\r\n"


def test_exception_is_logged_and_closes_that_connection_alone(server):
    with Client(server, LINES) as client, Client(server, LINES) as other:
        assert client.line() == other.line() == "welcome"
        client.send(b"throw\r\n")
        assert client.at_end()
        other.send(b"next\r\n")
        assert other.line() == "next"
    wait_until(lambda: "asked to" in server.output(), "the exception is in the log")


def test_nc(server):
    done = subprocess.run(["nc", "-N", "127.0.0.1", str(server.ports[LINES])], input=b"hello\r\nworld\r\nquit\r\n",
                          capture_output=True, timeout=DEADLINE_S)
    assert done.stdout == b"welcome\r\nhello\r\nworld\r\nbye\r\n"
