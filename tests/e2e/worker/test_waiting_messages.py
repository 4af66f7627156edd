"""A message whose handler waits holds up nothing but its own connection, however much passes by meanwhile."""

import os
import signal
import socket

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import TEXT, RawWebSocket, frame

RING = 1 << 20
PADDING = "p" * 6000


@pytest.fixture
def server(mode, capsys):
    with Server("coroutines.php", mode) as server:
        yield server


class Held:
    """A request whose handler waits until it is let go."""

    def __init__(self, server, listener, padding=""):
        self.client = HttpConnection(server.address)
        self.client.send(format_request(f"/fetch?port={listener.getsockname()[1]}&mark=m&{padding}"))
        self.upstream, _ = listener.accept()
        self.upstream.settimeout(60)
        self.upstream.recv(4096)

    def let_go(self):
        self.upstream.sendall(b"HTTP/1.0 200 OK\r\n\r\nheld")
        self.upstream.close()
        assert self.client.read().text == "held"


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        yield listener


def pass_by(server, total_bytes):
    with HttpConnection(server.address) as connection:
        for number in range(total_bytes // len(PADDING)):
            assert connection.request(f"/usleep?mark={number}&{PADDING}").text == str(number)


def test_requests_pass_one_that_waits(server, listener):
    held = Held(server, listener)
    pass_by(server, 4 * RING)
    held.let_go()
    assert get(server, "/usleep?mark=after").text == "after"


def test_many_that_wait_leave_room_for_more(server, listener):
    listener.listen(512)
    all_held = [Held(server, listener, PADDING) for _ in range(3 * RING // len(PADDING) // 2)]
    assert get(server, "/usleep?mark=quick").text == "quick"
    for held in reversed(all_held):
        held.let_go()


def test_messages_behind_one_that_waits_keep_their_order(server):
    slow = RawWebSocket(server)
    count = 2 * RING // len(PADDING)
    slow.send(frame(TEXT, b"1500"))
    server.wait_event("slept-for", ms=1500)
    slow.send(b"".join(frame(TEXT, f"0 {number} {PADDING}".encode()) for number in range(count)))
    pass_by(server, RING)
    assert slow.read_frame()[2] == b"1500"
    for number in range(count):
        assert slow.read_frame()[2].split()[1] == str(number).encode()
    slow.close()


@pytest.mark.parametrize("mode", ["process"])
def test_worker_killed_meanwhile(server, listener):
    held = Held(server, listener)
    slow = RawWebSocket(server)
    slow.send(frame(TEXT, b"600000"))
    server.wait_event("slept-for", ms=600000)
    slow.send(b"".join(frame(TEXT, f"0 {number}".encode()) for number in range(50)))
    pass_by(server, 2 * RING)
    os.kill(server.worker_pids()[0], signal.SIGKILL)
    assert held.client.read().status == 502
    assert [slow.read_frame()[2] for _ in range(50)] == [f"0 {number}".encode() for number in range(50)]
    assert held.client.request("/usleep?mark=again").text == "again"
    slow.close()
    assert server.output().count("died while it handled a message") == 1, "the one that was executing"


def test_client_that_leaves_cancels_one_that_has_left_its_ring(server, listener):
    held = Held(server, listener)
    pass_by(server, 2 * RING)
    held.client.close()
    # The handler is cancelled in file_get_contents(), which closes its connection.
    assert held.upstream.recv(4096) == b""
    assert get(server, "/usleep?mark=after").text == "after"


def test_stop_waits_for_what_has_left_its_ring(server, listener):
    held = Held(server, listener)
    pass_by(server, 2 * RING)
    server.signal(signal.SIGTERM)
    held.let_go()
    assert server.wait() == 0
