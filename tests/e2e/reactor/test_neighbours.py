"""On a busy server nobody pays for what a client at the same address does: who leaves a page, and whoever shares an address with
one that does (a household, an office, a proxy that nobody has named), is served as any other."""

import contextlib
import shutil
import socket
import struct
import subprocess

import pytest

from harness import Server, wait_until
from http2_client import RST_STREAM, WINDOW_UPDATE, Http2Connection
from http_client import HttpConnection, format_request
from websocket_client import TEXT, RawWebSocket, frame

SERVER = dict(script="neighbours.php", workers=2, ports=2)

CROWD, SHARED, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
# So many keep both workers busy without a pause, from an address of their own.
BUSY = 50
TIMES = 10
CANCEL = struct.pack(">I", 8)


@pytest.fixture
def busy(server):
    """The server, kept busy from CROWD: a request always waits behind others."""
    command = [shutil.which("wrk"), "-t1", f"-c{BUSY}", "-d600s", f"http://127.0.0.1:{server.ports[0]}/compute?us=5000"]
    crowd = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: connected(crowd.pid) >= BUSY, "the crowd has connected")
        yield server
    finally:
        crowd.kill()
        crowd.wait()


def connected(pid):
    """How many sockets the process has that are connected."""
    listing = subprocess.run(["ss", "-Htnp", "state", "established"], capture_output=True, text=True, check=True).stdout
    return sum(f"pid={pid}," in line for line in listing.splitlines())


def ask(server, source, path="/"):
    with HttpConnection(server.address, source=source) as client:
        response = client.request(path)
        assert response.status == 200, response
        return response.text


def reset(client):
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


# --- ways to leave ---


def reloads_a_page(server):
    """What a browser does: the request is not begun, and its connection is reset."""
    client = HttpConnection(server.address, source=SHARED)
    client.send(format_request("/compute"))
    reset(client)


def closes_a_page(server):
    client = HttpConnection(server.address, source=SHARED)
    client.send(format_request("/compute"))
    client.close()


def leaves_a_long_page(server):
    client = HttpConnection(server.address, source=SHARED)
    client.send(format_request("/long"))
    client.read_head()
    reset(client)


def leaves_a_slow_page(server):
    with HttpConnection(server.address, source=SHARED) as client:
        client.send(format_request("/slow"))


def closes_a_stream_of_events(server):
    with HttpConnection(server.address, source=SHARED) as client:
        client.send(format_request("/events"))
        assert client.read_head()[1] == 200


def breaks_off_an_upload(server):
    client = HttpConnection(server.address, source=SHARED)
    client.send(format_request("/bytes", "POST", [("Content-Length", "100000")]) + b"x" * 50_000)
    reset(client)


def cancels_streams(server):
    with Http2Connection(server.address, source=SHARED) as client:
        for _ in range(4):
            stream = client.begin("/compute")
            client.send(RST_STREAM, stream=stream, payload=CANCEL)


def breaks_off_a_web_socket(server):
    client = RawWebSocket(server, "/ws", host=2)
    client.send(frame(TEXT, b"x" * 1000) * 20)
    reset(client)


WAYS = [reloads_a_page, closes_a_page, leaves_a_long_page, leaves_a_slow_page, closes_a_stream_of_events, breaks_off_an_upload,
        cancels_streams, breaks_off_a_web_socket]


@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__)
def test_whose_neighbour_has_left_is_served(busy, leave):
    """One at this address leaves, again and again; others there go on asking."""
    for _ in range(TIMES):
        leave(busy)
        leave(busy)
        assert ask(busy, SHARED) == "here"
        assert ask(busy, SHARED, "/compute") == "computed"
        assert ask(busy, OTHER) == "here"


def test_who_has_left_a_page_gets_the_next_one_on_a_connection_that_stays(busy):
    with HttpConnection(busy.address, source=SHARED) as stays:
        for _ in range(TIMES):
            reloads_a_page(busy)
            leaves_a_long_page(busy)
            assert stays.request("/compute").text == "computed"


def test_ten_behind_one_address_of_whom_one_leaves(busy):
    with contextlib.ExitStack() as stack:
        users = [stack.enter_context(HttpConnection(busy.address, source=SHARED)) for _ in range(10)]
        for number in range(TIMES):
            if number % 3 == 0:
                reloads_a_page(busy)
            for user in users:
                user.send(format_request("/compute"))
            assert [user.read().text for user in users] == ["computed"] * len(users)


def test_who_has_closed_its_side_gets_its_answer(busy):
    """As `nc` does, when its input ends."""
    for _ in range(TIMES):
        with HttpConnection(busy.address, source=SHARED) as client:
            client.send(format_request("/compute", headers=[("Connection", "close")]))
            client.socket.shutdown(socket.SHUT_WR)
            assert client.read().text == "computed"
            assert client.at_end()


def test_who_shares_the_address_of_the_crowd_sends_a_body_and_pings(busy):
    """What begins no request waits for nobody's turn."""
    with Http2Connection(busy.address, source=CROWD) as pinging, HttpConnection(busy.address, source=CROWD) as sending:
        for path in ("/bytes", "/streamed"):
            sending.send(format_request(path, "POST", [("Content-Length", "1000000")]))
            for _ in range(10):
                for _ in range(10):
                    sending.send(b"x" * 10_000)
                assert pinging.is_alive()
            assert sending.read().json() == 1_000_000


@pytest.fixture
def full(mode):
    """A server with a place for two handlers."""
    with Server("neighbours.php", mode, workers=1, ports=2, env={"WORKERS": "1", "COROUTINES": "2"}) as server:
        yield server


def test_handlers_get_the_bodies_that_they_wait_for_while_a_request_waits_for_them(full):
    with contextlib.ExitStack() as stack:
        uploads = [stack.enter_context(begin_upload(full)) for _ in range(2)]
        wait_until(lambda: len(full.events("reading")) == 2, "all places are taken")
        waiting = stack.enter_context(HttpConnection(full.address, source=SHARED))
        waiting.send(format_request("/"))
        with HttpConnection(full.address, source=OTHER) as another:
            another.send(format_request("/"))
            for upload in uploads:
                upload.send(b"x" * 2000)
            assert [upload.read().json() for upload in uploads] == [3000] * len(uploads)
            assert waiting.read().text == another.read().text == "here"


def begin_upload(server):
    client = HttpConnection(server.address, source=SHARED)
    client.send(format_request("/streamed", "POST", [("Content-Length", "3000")]) + b"x" * 1000)
    return client


def test_windows_are_opened_while_a_stream_waits(full):
    """Two handlers wait for the client to take more, and a third stream waits for their places."""
    with Http2Connection(full.address, source=SHARED) as client:
        client.credits = False
        long = [client.begin("/huge"), client.begin("/huge")]
        wait_until(lambda: len(full.events("writing")) == 2, "all places are taken")
        waiting = client.begin("/")
        assert client.is_alive()
        client.send(WINDOW_UPDATE, payload=struct.pack(">I", 1 << 30))
        for stream in long:
            client.send(WINDOW_UPDATE, stream=stream, payload=struct.pack(">I", 1 << 30))
        assert [len(client.response(stream).body) for stream in long] == [5_000_000] * len(long)
        assert client.response(waiting).text == "here"


# --- clients that a proxy names ---


@pytest.fixture
def proxied(mode):
    with Server("neighbours.php", mode, workers=1, ports=2, env={"WORKERS": "1"}) as server:
        yield server


CROWD_OF_ONE = 200


def test_clients_that_a_proxy_names_are_told_apart(proxied):
    """One has cost a second and has two hundred requests waiting; another comes after these, by the same proxy."""
    def asks(client, us):
        connection = stack.enter_context(HttpConnection(("127.0.0.1", proxied.ports[1]), source="127.0.0.9"))
        connection.send(format_request(f"/?us={us}", headers=[("X-Forwarded-For", client)]))
        return connection

    with contextlib.ExitStack() as stack:
        assert asks("192.0.2.1", 1_000_000).read().json() == 1
        many = [asks("192.0.2.1", 3000) for _ in range(CROWD_OF_ONE)]
        place = asks("192.0.2.2", 0).read().json()
        assert place not in [one.read().json() for one in many]
        assert place < CROWD_OF_ONE / 2, "it has waited behind the other's"
