"""Options and limits that the server, a site or a route has: the nearest counts."""

import socket

import pytest

from harness import DEADLINE_S, wait_until
from http2_client import GOAWAY, Http2Connection
from http_client import HttpConnection, format_request
from websocket_client import TEXT, RawWebSocket, frame, handshake

SERVER = dict(script="places.php", workers=2, ports=6)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def ask(server, target, port=0, **more):
    with HttpConnection(("127.0.0.1", server.ports[port])) as connection:
        return connection.request(target, **more)


@pytest.mark.parametrize("port, target, most", [(0, "/", 1000), (0, "/fields", 1000), (0, "/long", 4 << 20), (1, "/", 5000)])
def test_bodies_by_server_site_and_route(server, port, target, most):
    response = ask(server, target, port, method="POST", body=b"x" * most)
    assert (response.status, response.json()["bytes"]) == (200, most)
    assert ask(server, target, port, method="POST", body=b"x" * (most + 1)).status == 413


def test_forms_by_route(server):
    for target, most in (("/", 3), ("/fields", 5)):
        fields = "&".join(f"f{number}=1" for number in range(most))
        assert ask(server, target, method="POST", headers=FORM, body=fields.encode()).json()["fields"] == most
        assert ask(server, target, method="POST", headers=FORM, body=f"{fields}&more=1".encode()).status == 400


def test_a_route_alone_reads_bodies_as_they_arrive(server):
    with HttpConnection(server.address) as connection:
        connection.send(b"POST /streams HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc")
        server.wait_event("begun")
        connection.send(b"x" * 99_997)
        assert connection.read().json() == 100_000
        # Another route of the same connection takes its body whole.
        assert connection.request("/long", method="POST", body=b"x" * 70_000).json()["bytes"] == 70_000


def test_deadlines_by_route(server):
    assert ask(server, "/hurries").status == 504
    assert server.wait_event("ended", path="/hurries")


@pytest.mark.parametrize("target", ["/hasty", "/hasty/stream"])
@pytest.mark.parametrize("begun", [b"", b"half"])
def test_bodies_that_do_not_come_by_route(server, target, begun):
    head = f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
    with HttpConnection(server.address) as connection:
        connection.send(head.encode() + begun)
        assert connection.read().status == 408


def test_cancelling_by_route(server):
    for target in ("/cancelled", "/goes-on"):
        with HttpConnection(server.address) as connection:
            connection.send(format_request(target))
            if target == "/goes-on":
                wait_until(lambda: len(server.events("begun")) > 0, "the handler has begun")
    assert server.wait_event("ended", path="/cancelled")
    assert server.wait_event("went on")


def test_compression_by_route(server):
    for target, encoding in (("/compressed", "gzip"), ("/plain", None)):
        response = ask(server, target, headers={"Accept-Encoding": "gzip"})
        assert response.header("content-encoding") == encoding
        assert response.header("vary") == ("Accept-Encoding" if encoding else None)


@pytest.mark.both_modes
def test_dispatch_by_route(server):
    """In base mode the worker that has a connection handles all of its requests, whatever a route says."""
    def workers_of(connection, target):
        return {connection.request(target).text for _ in range(20)}

    seen = set()
    for _ in range(50):
        with HttpConnection(server.address) as connection:
            sticky, spread = workers_of(connection, "/sticky"), workers_of(connection, "/spread")
            seen |= sticky
            assert len(sticky) == 1
            assert spread == sticky if server.mode == "base" else len(spread) == 2
            if server.mode == "process" or len(seen) == 2:
                return
    raise AssertionError(f"all connections were of one worker: {seen}")


def test_streams_by_site(server):
    for port, most in ((0, 3), (1, 128)):
        with Http2Connection(("127.0.0.1", server.ports[port])) as connection:
            assert connection.request("/", "POST", body=b"x").status == 200
            assert connection.server_settings[3] == most


def test_messages_by_route(server):
    with RawWebSocket(server, "/short") as client:
        client.send(frame(TEXT, b"x" * 10))
        assert client.read_frame()[2] == b"10"
        client.send(frame(TEXT, b"x" * 11))
        assert client.read_close()[0] == 1009
    with RawWebSocket(server, "/usual") as client:
        client.send(frame(TEXT, b"x" * 500))
        assert client.read_frame()[2] == b"500"
        client.send(frame(TEXT, b"x" * 501))
        assert client.read_close()[0] == 1009


def test_silence_by_route_and_listener(server):
    with RawWebSocket(server, "/usual") as stays, RawWebSocket(server, "/short") as goes:
        assert goes.read_close()[0] == 1008
        stays.send(frame(TEXT, b"x"))
        assert stays.read_frame()[2] == b"1"
    with socket.create_connection(("127.0.0.1", server.ports[3])) as stays, socket.create_connection(("127.0.0.1", server.ports[2])) as goes:
        goes.settimeout(10)
        assert goes.recv(1) == b""
        stays.sendall(b"x\n")
        assert stays.recv(10) == b"1\n"


@pytest.mark.parametrize("port, most", [(2, 50), (3, 200)])
def test_lines_by_listener(server, port, most):
    with socket.create_connection(("127.0.0.1", server.ports[port])) as client:
        client.settimeout(10)
        client.sendall(b"x" * most + b"\n")
        assert client.recv(10) == b"%d\n" % most
        client.sendall(b"x" * (most + 1) + b"\n")
        assert client.recv(10) == b""


@pytest.mark.parametrize("port, bytes, fields", [(1, 16384, 100), (4, 1000, 5)])
def test_heads_by_site(server, port, bytes, fields):
    address = ("127.0.0.1", server.ports[port])
    padding = bytes - len(format_request("/", headers=[("X", "")]))
    for more, status in ((0, 200), (1, 431)):
        with HttpConnection(address) as connection:
            assert connection.request("/", headers=[("X", "y" * (padding + more))]).status == status
        with HttpConnection(address) as connection:
            assert connection.request("/", headers=[("X", "y")] * (fields - 1 + more)).status == status  # and Host
        # Those that come in pieces have a parser of their own.
        with HttpConnection(address) as connection:
            connection.send(b"GET / HTTP/1.1\r\n")
            connection.send(b"Host: x\r\n" + b"X: y\r\n" * (fields - 1 + more) + b"\r\n")
            assert connection.read().status == status
    with Http2Connection(address) as connection:
        assert connection.request("/", more=[("x", "y")] * (fields - 2)).status == 200
        assert connection.request("/", more=[("x", "y")] * fields).status == 431


def test_connections_by_site(server):
    usual, strict = (("127.0.0.1", server.ports[port]) for port in (1, 4))
    with HttpConnection(usual) as stays, HttpConnection(strict) as goes, HttpConnection(strict) as begins:
        for connection in (stays, goes):
            assert connection.request("/").status == 200
        begins.send(b"GET / HTTP/1.1\r\n")
        assert begins.read().status == 408
        assert goes.at_end()
        for _ in range(3):
            assert stays.request("/").header("connection") is None
    with HttpConnection(strict) as connection:
        assert [connection.request("/").header("connection") for _ in range(3)] == [None, None, "close"]
    with Http2Connection(strict) as connection:
        assert connection.request("/").status == 200
        connection.read_until(lambda got: got.kind == GOAWAY)


def test_datagrams_by_listener(server):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        for port, texts in ((2, ("a", "b", "c")), (3, ("x", "y", "z"))):
            for text in texts:
                client.sendto(text.encode(), ("127.0.0.1", server.ports[port]))
            wait_until(lambda: {event["text"] for event in server.events("datagram")} >= ({"a"} if port == 2 else set(texts)), "they are handled")
    assert sorted(event["text"] for event in server.events("datagram")) == ["a", "x", "y", "z"]


def sleepy(port):
    """A client with a small buffer, which does not read until it is told to."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(DEADLINE_S)
    client.connect(("127.0.0.1", port))
    return client


def read_all(client, most=1 << 30):
    total = 0
    try:
        while total < most and (got := client.recv(1 << 20)):
            total += len(got)
    except ConnectionResetError:
        pass
    return total


def test_what_waits_for_a_websocket_by_route(server):
    for path in ("/fills", "/fills/little"):
        with sleepy(server.ports[0]) as client:
            client.sendall(handshake(path) + frame(TEXT, path.encode()))
            filled = server.wait_event("filled", name=path)
            if path == "/fills":
                assert (filled["dropped"], filled["open"]) == (0, True)
                assert filled["most"] > 1 << 20
                assert read_all(client, 8_000_000) >= 8_000_000
            else:
                assert filled["dropped"] > 0 and filled["most"] < 200_000
                server.wait_event("cut", name=path)


def test_what_waits_for_a_client_by_listener(server):
    with sleepy(server.ports[3]) as client:
        client.sendall(b"fill\n")
        assert read_all(client, 8_000_000) == 8_000_000
        filled = server.wait_event("filled", name="fill")
        assert filled["most"] > 100_000 and filled["open"]
    with sleepy(server.ports[5]) as client:
        client.sendall(b"strictly\n")
        filled = server.wait_event("filled", name="strictly")
        assert filled["most"] <= 1 << 15 and not filled["open"]


def test_clients_that_do_not_read_by_site(server):
    for port, path in ((4, "/strictly"), (0, "/streamed")):
        with sleepy(server.ports[port]) as client:
            client.sendall(format_request(path))
            if port == 0:
                assert read_all(client, 8_000_000) >= 8_000_000
            assert server.wait_event("written", name=path)["whole"] == (port == 0)


def test_subscriptions_by_route(server):
    for path, most in (("/topics", 5), ("/topics/two", 2)):
        with RawWebSocket(server, path) as client:
            client.send(frame(TEXT, b"5"))
            assert client.read_frame()[2] == b"%d" % most
