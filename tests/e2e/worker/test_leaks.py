"""Server::detectLeaks() names what requests leave behind in their worker, and says nothing of an application that leaves nothing."""

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import RawWebSocket, frame

# By route: the kind of leak, and a part of its place's name.
PLANTED = {
    "static": ("value", "Cart::$items"),
    "object": ("value", "Cart::$request"),
    "function": ("value", "static $names of Sluice\\EndToEnd\\seen()"),
    "method": ("value", "static $calls of Sluice\\EndToEnd\\Cart::count()"),
    "global": ("value", "$last"),
    "superglobal": ("value", "$_SERVER['USER_ID']"),
    "bound": ("value", "$log->lines"),
    "setting": ("setting", "the setting precision"),
    "zone": ("setting", "the time zone"),
    "autoloader": ("registration", "the autoloader"),
    "shutdown": ("registration", "shutdown functions"),
    "descriptor": ("descriptor", "leaks.php"),
    "transaction": ("transaction", "PDO->beginTransaction()"),
    "timer": ("timer", "active timers"),
    "coroutine": ("coroutine", "coroutines"),
    "memory": ("memory", "memory"),
}


@pytest.fixture
def server(mode):
    with Server("leaks.php", mode) as server:
        yield server


def told(server):
    return [line for line in server.output().splitlines() if " Leak: " in line]


def test_a_clean_application_is_not_told_of(server):
    with HttpConnection(server.address) as connection:
        for number in range(25):
            for path in ["/", "/clean/a", f"/clean/{number % 3}", "/clean-page"]:
                connection.send(format_request(path))
                assert connection.read().status == 200
    assert told(server) == []


@pytest.mark.parametrize("route", PLANTED)
def test_a_planted_leak_is_told(server, route):
    kind, place = PLANTED[route]
    for _ in range(14):
        assert get(server, f"/leak/{route}").status == 200
    wait_until(lambda: told(server), "a leak is told")
    leaks = [leak for leak in server.events("leak") if leak["kind"] == kind]
    assert place in str(leaks[0]["place"])
    assert [leak["request"] for leak in leaks] == [f"GET /leak/{route}"]
    assert any(f"GET /leak/{route} leaves" in line and place in line for line in told(server))


def test_what_the_first_requests_make_is_no_leak(server):
    for _ in range(2):
        get(server, "/leak/static")
        get(server, "/leak/function")
    assert told(server) == []
    get(server, "/leak/static")
    wait_until(lambda: told(server), "the third one is told of")


def test_what_grows_by_ever_other_requests_is_told(server):
    for number in range(25):
        get(server, f"/each/{number}")
    wait_until(lambda: told(server), "a leak is told")
    assert len(told(server)) == 1 and "->services['pages']" in told(server)[0]


def test_messages_of_websockets_leave_things_too(server):
    socket = RawWebSocket(server, "/socket")
    for _ in range(4):
        socket.send(frame(1, b"leak"))
        assert socket.read_frame()[2] == b"leak"
    wait_until(lambda: told(server), "a leak is told")
    assert "Cart::$items" in told(server)[0]
    socket.close()


def test_places_may_be_left_out(mode):
    with Server("leaks.php", mode, env={"IGNORE": "*Cart::$item*"}) as server:
        for _ in range(4):
            get(server, "/leak/static")
            get(server, "/leak/function")
        wait_until(lambda: told(server), "the other leak is told")
        assert len(told(server)) == 1 and "seen()" in told(server)[0]


def test_one_request_at_a_time(server):
    """The worker handles one request at a time: one that waits for another would never end."""
    with HttpConnection(server.address) as first, HttpConnection(server.address) as second:
        first.send(format_request("/clean/first"))
        second.send(format_request("/clean/second"))
        assert first.read().status == 200 and second.read().status == 200
    assert told(server) == []
