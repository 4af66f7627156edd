"""A worker has a place for each of its coroutines: no client takes all of them by letting its handlers wait."""

import socket

import pytest

from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection, format_request
from websocket_client import TEXT, RawWebSocket, frame

PLACES = 200


@pytest.fixture
def gate(tmp_path):
    return tmp_path / "gate"


@pytest.fixture
def server(mode, capsys, gate):
    with Server("shared_places.php", mode, env={"GATE": str(gate)}) as server:
        yield server


class Client(HttpConnection):
    """From 127.0.0.`host`."""

    def __init__(self, server, host):
        self.socket = socket.create_connection(server.address, timeout=DEADLINE_S, source_address=(f"127.0.0.{host}", 0))
        self.buffer = b""


def waiting(server, kind):
    return sum(event["of"] == kind for event in server.events("waits"))



def assert_served(server, host):
    with Client(server, host) as stranger:
        assert stranger.request("/").text == "done"
    websocket = RawWebSocket(server, "/ws", host=host)
    websocket.send(frame(TEXT, b"hello"))
    assert websocket.read_frame()[2] == b"hello"
    websocket.close()


def test_requests_of_one_address(server, gate):
    greedy = [Client(server, 2) for _ in range(PLACES + 50)]
    for client in greedy:
        client.send(format_request("/wait"))
    wait_until(lambda: waiting(server, "request") >= PLACES * 7 // 8 - 1, "the greedy have taken what they may")
    assert_served(server, 3)
    assert waiting(server, "request") < PLACES
    gate.touch()
    for client in greedy:
        assert client.read().text == "done"


def test_messages_behind_one_that_waits(server, gate):
    greedy = [RawWebSocket(server, "/ws", host=2) for _ in range(4)]
    messages = [str(number).encode() for number in range(10 * PLACES)]
    for client in greedy:
        client.send(frame(TEXT, b"wait"))
    wait_until(lambda: waiting(server, "message") == len(greedy), "the handlers wait")
    for client in greedy:
        client.send(b"".join(frame(TEXT, message) for message in messages))
    # What comes behind them in their sockets comes behind the stranger, too.
    for _ in range(5):
        assert_served(server, 3)
    gate.touch()
    for client in greedy:
        assert [client.read_frame()[2] for _ in range(len(messages) + 1)] == [b"wait", *messages]


def test_messages_of_one_connection_leave_places_to_others_of_its_address(server, gate):
    greedy = RawWebSocket(server, "/ws", host=2)
    greedy.send(frame(TEXT, b"wait"))
    wait_until(lambda: waiting(server, "message") == 1, "the handler waits")
    messages = [str(number).encode() for number in range(10 * PLACES)]
    greedy.send(b"".join(frame(TEXT, message) for message in messages))
    for _ in range(5):
        assert_served(server, 2)
    gate.touch()
    assert [greedy.read_frame()[2] for _ in range(len(messages) + 1)] == [b"wait", *messages]


def test_datagrams(server, gate):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", server.ports[0]))

        def has_taken_all():
            for _ in range(PLACES // 4):
                sender.send(b"x")
            return waiting(server, "datagram") >= PLACES * 7 // 8 - 1

        wait_until(has_taken_all, "datagrams have taken what they may")
        for _ in range(PLACES):
            sender.send(b"x")
        assert_served(server, 3)
        gate.touch()


def test_who_is_throttled_and_leaves_leaves_nothing_behind(server, gate):
    greedy = [RawWebSocket(server, "/ws", host=2) for _ in range(4)]
    for client in greedy:
        client.send(frame(TEXT, b"wait") + frame(TEXT, b"x") * 10 * PLACES)
    wait_until(lambda: waiting(server, "message") == len(greedy), "the handlers wait")
    greedy[0].reset()
    greedy[1].close()
    gate.touch()
    for client in greedy[2:]:
        assert client.read_frame()[2] == b"wait"
        for _ in range(10 * PLACES):
            assert client.read_frame()[2] == b"x"
    assert_served(server, 2)
