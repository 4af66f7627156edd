"""Of the requests that wait for a turn by `Http\\Options::$concurrency`, those of a client that has kept the places are behind those of
others: an address that has many of them waiting does not hold up another one."""

import pytest

from harness import wait_until
from http2_client import Http2Connection
from http_client import HttpConnection, format_request, get

SERVER = dict(script="concurrency.php", ports=2)

BEHIND_PROXY = 1
CROWD, STRANGER, THIRD = "127.0.0.2", "127.0.0.3", "127.0.0.4"


class Waiting:
    """A request of `holder` is handled until the test lets it go, and keeps the only place meanwhile, which is what it costs; further ones
    wait, and are answered at once in their turn."""

    LEAST_US = 500_000

    def __init__(self, server, port=0, holder=CROWD):
        self.server, self.address = server, ("127.0.0.1", server.ports[port])
        self.path = "/" if port == BEHIND_PROXY else "/one"
        self.let_go = server.folder / "let-go"
        self.let_go.unlink(missing_ok=True)
        self.begun_before = len(server.events("begun"))
        self.count = 0
        self.clients = {}
        self.send("holder", *(("", holder) if port == BEHIND_PROXY else (holder,)), us=self.LEAST_US)
        wait_until(lambda: self.begun() == ["holder"], "the first one has begun")

    def begun(self):
        """The names of those whose handlers have begun, in order."""
        return [event["name"] for event in self.server.events("begun")[self.begun_before:]]

    def target(self, name, us=1):
        return f"{self.path}?name={name}&us={us}&until={self.let_go}"

    def send(self, name, source="", named=None, us=1):
        fields = [("X-Forwarded-For", named)] if named else []
        client = self.clients[name] = HttpConnection(self.address, source=source)
        client.send(format_request(self.target(name, us), headers=fields))
        return client

    def has_grown(self, by=1):
        self.count += by
        waiting = lambda: get(self.server, f"/waiting?master={self.server.process.pid}").json()
        wait_until(lambda: waiting() == self.count, f"{self.count} requests wait")

    def ask(self, name, source="", named=None):
        """Returns when the request waits, so that requests wait in the order of the calls."""
        self.send(name, source, named)
        self.has_grown()

    def leave(self, *names):
        for name in names:
            self.clients.pop(name).close()

    def end(self):
        """Lets the requests go; returns the names of those that had waited, in the order of their turns."""
        self.let_go.touch()
        for client in self.clients.values():
            assert client.read().status == 200
            client.close()
        self.has_grown(-self.count)
        return self.begun()[1:]


def test_who_asks_once_does_not_wait_for_those_of_another(server):
    waiting = Waiting(server)
    for number in range(50):
        waiting.send(f"crowd-{number}", CROWD)
    waiting.has_grown(50)
    waiting.ask("stranger", STRANGER)
    handled = waiting.end()
    assert len(handled) == 51 and handled[0] == "stranger", handled


def test_who_has_kept_the_place_is_behind_and_all_have_theirs_in_order(server):
    waiting = Waiting(server)
    for name, source in [("a1", CROWD), ("a2", CROWD), ("a3", CROWD), ("b1", STRANGER), ("a4", CROWD), ("c1", THIRD), ("b2", STRANGER)]:
        waiting.ask(name, source)
    assert waiting.end() == ["b1", "c1", "b2", "a1", "a2", "a3", "a4"]


def test_who_comes_again_waits_behind_the_others(server):
    for _ in range(3):
        waiting = Waiting(server)
        for name, source in [("a1", CROWD), ("b1", STRANGER), ("c1", THIRD)]:
            waiting.ask(name, source)
        waiting.leave("a1")
        waiting.has_grown(-1)
        waiting.ask("a2", CROWD)
        assert waiting.end() == ["b1", "c1", "a2"]


def test_clients_that_a_proxy_names_are_told_apart(server):
    waiting = Waiting(server, BEHIND_PROXY, holder="192.0.2.1")
    for name, named in [("a1", "192.0.2.1"), ("a2", "192.0.2.1:5"), ("a3", "192.0.2.1"), ("b1", "192.0.2.2")]:
        waiting.ask(name, named=named)
    # Whoever is not named stands for himself.
    waiting.ask("x")
    waiting.ask("y")
    assert waiting.end() == ["b1", "x", "y", "a1", "a2", "a3"]


def test_addresses_of_one_network_of_ipv6_are_one_client(server):
    waiting = Waiting(server, BEHIND_PROXY, holder="2001:db8::9")
    for name, named in [("a1", "2001:db8::1"), ("a2", "2001:db8::2"), ("a3", "2001:db8::3"), ("b1", "2001:db8:0:1::1")]:
        waiting.ask(name, named=named)
    assert waiting.end() == ["b1", "a1", "a2", "a3"]


def test_streams_of_a_connection_are_its_clients(server):
    waiting = Waiting(server)
    with Http2Connection(waiting.address, source=CROWD) as many:
        streams = []
        for number in range(4):
            streams.append(many.begin(waiting.target(f"stream-{number}")))
            waiting.has_grown()
        waiting.ask("stranger", STRANGER)
        waiting.let_go.touch()
        assert [many.response(stream).status for stream in streams] == [200] * 4
    assert waiting.end() == ["stranger", "stream-0", "stream-1", "stream-2", "stream-3"]


def test_who_leaves_while_waiting_does_not_stop_the_turns(server):
    waiting = Waiting(server)
    for number in range(20):
        waiting.ask(f"crowd-{number}", CROWD)
    waiting.ask("stranger", STRANGER)
    waiting.ask("third-0", THIRD)
    waiting.ask("third-1", THIRD)
    gone = [f"crowd-{number}" for number in range(0, 20, 2)] + ["stranger", "third-0"]
    waiting.leave(*gone)
    waiting.has_grown(-len(gone))
    handled = waiting.end()
    assert handled == ["third-1", *[f"crowd-{number}" for number in range(1, 20, 2)]]


@pytest.mark.parametrize("sources", [(CROWD, CROWD), (STRANGER, CROWD)])
def test_who_leaves_as_his_turn_comes_passes_it_on(server, sources):
    for _ in range(5):
        waiting = Waiting(server)
        names = []
        for number, source in enumerate(sources * 3):
            names.append(f"leaves-{number}")
            waiting.ask(names[-1], source)
        waiting.ask("stays", THIRD)
        waiting.leave("holder", *names)
        wait_until(lambda: "stays" in waiting.begun(), "the one that stays has its turn")
        waiting.end()
