"""Who waits for an item of a pool has turns by client: an address that keeps many coroutines waiting does not hold up another one."""

import contextlib

import pytest

from harness import wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import TEXT, RawWebSocket, frame

SERVER = dict(script="pool_turns.php")

CROWD, STRANGER, THIRD = 2, 3, 4


class Waiting:
    """The one item is in use until the test lets it go."""

    def __init__(self, server):
        self.server, self.open, self.count = server, contextlib.ExitStack(), 0
        self.let_go = server.folder / "let-go"
        self.let_go.unlink(missing_ok=True)
        self.before = len(server.events("uses"))
        self.clients = [self.send(f"/?name=holder&until={self.let_go}", CROWD)]
        wait_until(lambda: self.used() == ["holder"], "the item is in use")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.open.close()

    def used(self):
        return [event["name"] for event in self.server.events("uses")[self.before:]]

    def send(self, target, host):
        client = self.open.enter_context(HttpConnection(self.server.address, source=f"127.0.0.{host}"))
        client.send(format_request(target))
        return client

    def has_grown(self, by=1):
        self.count += by
        wait_until(lambda: get(self.server, "/waiting").json() == self.count, f"{self.count} wait")

    def ask(self, target, host, count=1):
        self.clients.append(self.send(target, host))
        self.has_grown(count)

    def end(self):
        """Lets the item go; returns who had waited, in the order of their turns."""
        self.let_go.touch()
        for client in self.clients:
            assert client.read().status == 200
        self.has_grown(-self.count)
        return self.used()[1:]


@pytest.fixture
def waiting(server):
    with Waiting(server) as waiting:
        yield waiting


def test_a_stranger_comes_next(waiting):
    for number in range(50):
        waiting.clients.append(waiting.send(f"/?name=crowd-{number}", CROWD))
    waiting.has_grown(50)
    waiting.ask("/?name=stranger", STRANGER)
    used = waiting.end()
    assert len(used) == 51 and used.index("stranger") <= 1, used


def test_clients_take_turns_and_each_has_its_own_in_order(waiting):
    for name, host in [("a1", CROWD), ("a2", CROWD), ("b1", STRANGER), ("a3", CROWD), ("c1", THIRD), ("b2", STRANGER)]:
        waiting.ask(f"/?name={name}", host)
    assert waiting.end() == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_what_a_handler_has_spawned_works_for_its_client(waiting):
    waiting.ask("/spawned?name=crowd", CROWD, 5)
    waiting.ask("/?name=stranger", STRANGER)
    waiting.ask("/?name=crowd-6", CROWD)
    used = waiting.end()
    assert used.index("stranger") == 1 and used[-1] == "crowd-6", used


def test_messages_of_one_address_have_its_turns(waiting):
    for number in range(5):
        websocket = waiting.open.enter_context(RawWebSocket(waiting.server, "/ws", host=CROWD))
        websocket.send(frame(TEXT, b"message"))
        waiting.has_grown()
    waiting.ask("/?name=crowd", CROWD)
    waiting.ask("/?name=stranger", STRANGER)
    assert waiting.end() == ["message", "stranger", *["message"] * 4, "crowd"]


def test_what_works_for_nobody_has_turns_as_one_client(waiting):
    for number in range(3):
        assert get(waiting.server, f"/later?name=timer-{number}").text == "later"
        waiting.has_grown()
    waiting.ask("/?name=stranger", STRANGER)
    assert waiting.end() == ["timer-0", "stranger", "timer-1", "timer-2"]


def test_who_leaves_leaves_nothing_behind(waiting):
    for round in range(3):
        leaving = [waiting.send(f"/?name=gone-{round}", CROWD) for _ in range(60)]
        waiting.has_grown(60)
        for client in leaving:
            client.close()
        waiting.has_grown(-60)
    waiting.ask("/?name=crowd", CROWD)
    waiting.ask("/?name=stranger", STRANGER)
    assert waiting.end() == ["crowd", "stranger"]
