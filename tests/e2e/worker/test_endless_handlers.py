"""Handlers of messages that compute or wait for ever: their connections and their worker go on."""

import contextlib
import socket

import pytest

from harness import DEADLINE_S, Server, wait_until
from http_client import ClosedEarly, HttpConnection, get
from websocket_client import CLOSE, TEXT, RawWebSocket, frame

KILL_S = 0.5
ENDED = "longer than Limits::$killSeconds allows"
KILLED = "does not end (killSeconds): this process is killed"
OVERDUE = "it has waited in one place for more than 0.5 s (killSeconds)"


class WebSocket:
    handler = "a WebSocket handler"

    def __init__(self, server):
        self.socket = RawWebSocket(server, "/ws")

    def send(self, *messages):
        self.socket.send(b"".join(frame(TEXT, message.encode()) for message in messages))

    def read(self):
        """The next message; an empty one when the server has closed the connection because of its handler."""
        _, opcode, payload = self.socket.read_frame()
        assert opcode in (TEXT, CLOSE)
        if opcode == CLOSE:
            assert int.from_bytes(payload[:2], "big") == 1011
            return ""
        return payload.decode()

    def leave(self):
        self.socket.close()


class TcpLines:
    handler = "a TCP handler"

    def __init__(self, server):
        self.socket = HttpConnection(("127.0.0.1", server.ports[1]))

    def send(self, *messages):
        self.socket.send("".join(f"{message}\n" for message in messages).encode())

    def read(self):
        try:
            return self.socket.take_until(b"\n").decode().rstrip("\n")
        except ClosedEarly:
            return ""

    def leave(self):
        self.socket.close()


class Datagrams:
    handler = "a UDP handler"

    def __init__(self, server):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", server.ports[1]))
        self.socket.settimeout(0.5)

    def send(self, *messages):
        for message in messages:
            self.socket.send(message.encode())

    def is_answered(self, message):
        self.send(message)
        with contextlib.suppress(TimeoutError):
            return self.socket.recv(100) == message.encode()

    def leave(self):
        self.socket.close()


@pytest.fixture
def start(mode):
    with contextlib.ExitStack() as stack:
        def started(orders="", **more):
            env = {"KILL": str(KILL_S)} | more
            server = stack.enter_context(Server("endless.php", mode, ports=2, env=env))
            get(server, f"/?{orders}")
            return server
        yield started


conversations = pytest.mark.parametrize("client_class", [WebSocket, TcpLines])


def waits(server, count=1):
    wait_until(lambda: len(server.events("waits")) >= count, f"{count} handlers wait")


def is_cancelled(server, count=1):
    wait_until(lambda: len(server.events("cancelled")) == count, f"{count} are cancelled")


# -- Handlers that compute


@conversations
def test_a_message_that_computes_for_ever_is_ended_by_an_error(start, client_class):
    server = start()
    pid = get(server, "/").text
    client, other = client_class(server), client_class(server)
    client.send("loop")
    assert client.read() == "", "the connection of a handler that fails is closed"
    other.send("other")
    assert other.read() == "other"
    assert f"In {client.handler}, connection" in server.output() and ENDED in server.output()
    assert get(server, "/").text == pid, "the worker lives on"


@conversations
@pytest.mark.parametrize("place", ["in_open", "in_close"])
def test_an_open_or_close_that_computes_for_ever_is_ended_by_an_error(start, client_class, place):
    server = start(f"{place}=loop")
    pid = server.worker_pids()
    client = client_class(server)
    if place == "in_open":
        assert client.read() == ""
    else:
        client.leave()
    wait_until(lambda: ENDED in server.output(), "the handler is ended")
    assert get(server, "/").status == 200
    assert server.worker_pids() == pid


def test_a_datagram_that_computes_for_ever_is_ended_by_an_error(start):
    server = start()
    pid = get(server, "/").text
    client = Datagrams(server)
    client.send("loop")
    wait_until(lambda: ENDED in server.output(), "the handler is ended")
    wait_until(lambda: client.is_answered("next"), "the next datagram is answered")
    assert "In a UDP handler, a datagram of 127.0.0.1" in server.output()
    assert get(server, "/").text == pid


@pytest.mark.both_modes
@pytest.mark.parametrize("client_class", [WebSocket, TcpLines, Datagrams])
def test_who_catches_the_error_is_killed(start, client_class):
    server = start()
    pid = get(server, "/").text
    client = client_class(server)
    client.send("loop ever", "behind")
    wait_until(lambda: KILLED in server.output(), "the worker is killed")
    if server.mode == "process" and client_class is not Datagrams:
        assert client.read() == "behind", "the connection goes on with another worker"
    wait_until(lambda: len(server.events("start")) == 2, "another worker has started")
    assert get(server, "/").text != pid


# -- Handlers that wait


@conversations
def test_a_message_that_waits_for_ever_ends_when_another_one_waits_behind_it(start, client_class):
    server = start()
    client, other = client_class(server), client_class(server)
    client.send("wait", "behind")
    waits(server)
    other.send("other")
    assert other.read() == "other"
    answers = [client.read()]
    assert answers == [""], "the connection of a handler that fails is closed"
    output = server.output()
    assert OVERDUE in output and "and a message of its connection waits behind it" in output
    assert "Sluice\\Coroutine\\sleep() at" in output and "endless.php:" in output, "the place"
    assert f"In {client.handler}, connection" in output and "CancelledError" in output
    assert len(server.events("cancelled")) == 1


@conversations
def test_who_catches_the_cancellation_goes_on_in_order(start, client_class):
    server = start()
    client = client_class(server)
    client.send("catch", "one", "catch", "two")
    assert [client.read() for _ in range(4)] == ["caught", "one", "caught", "two"]
    assert server.output().count(OVERDUE) == 2


@conversations
def test_who_swallows_the_cancellation_is_ended(start, client_class):
    server = start()
    client = client_class(server)
    client.send("wait ever", "behind")
    assert client.read() == ""
    assert "A coroutine that was cancelled 3 s ago still waits" in server.output()


@conversations
def test_an_open_that_waits_for_ever_holds_up_the_first_message(start, client_class):
    server = start("in_open=catch")
    client = client_class(server)
    waits(server)
    client.send("one")
    assert [client.read(), client.read()] == ["caught", "one"]


@conversations
def test_a_handler_that_waits_for_ever_ends_after_its_client_has_left(start, client_class):
    server = start()
    client = client_class(server)
    client.send("wait")
    waits(server)
    client.leave()
    is_cancelled(server)
    server.wait_event("closed")


# Without a connection that could end, the last of them have the whole of a drain.
@pytest.mark.parametrize("client_class", [WebSocket, TcpLines, pytest.param(Datagrams, marks=pytest.mark.slow)])
def test_handlers_that_use_up_all_coroutines_are_ended(start, client_class):
    server = start(COROUTINES="4")
    clients = [client_class(server) for _ in range(4)]
    for number, client in enumerate(clients):
        client.send("wait")
        waits(server, number + 1)
    with HttpConnection(server.address) as other:
        assert other.request("/").status == 200
    assert "all coroutines are in use" in server.output()
    assert server.events("cancelled")


# -- Handlers that are none of these


@conversations
@pytest.mark.parametrize("way", ["stream", "children", "timeout"])
def test_who_goes_on_is_left_alone(start, client_class, way):
    server = start()
    client = client_class(server)
    client.send(way, "behind")
    assert [client.read() for _ in range(31)] == [f"part {number}" for number in range(30)] + ["behind"]
    assert "(killSeconds)" not in server.output()


@conversations
def test_who_holds_up_nobody_is_left_alone(start, client_class):
    server = start()
    client = client_class(server)
    client.send("wait long")
    assert client.read() == "waited"
    assert "(killSeconds)" not in server.output()


@conversations
def test_without_a_limit_everybody_waits(start, client_class):
    server = start(KILL="0")
    client = client_class(server)
    client.send("wait long", "behind")
    assert [client.read(), client.read()] == ["waited", "behind"]
    assert "(killSeconds)" not in server.output()
