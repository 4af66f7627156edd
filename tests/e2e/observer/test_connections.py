"""What the metrics tell of connections, of who waits for a turn, of TLS, HTTP/2 and topics."""

import contextlib
import socket
import ssl
import struct

import pytest

from certificates import Certificates
from harness import wait_until
from http2_client import CANCEL, RST_STREAM, Http2Connection
from http_client import format_request
from traffic import HTTPS, LINES, Client, connections, samples, scrape, traffic_server
from websocket_client import TEXT, RawWebSocket, frame


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "localhost", "127.0.0.1")
    return made


@pytest.fixture
def server(mode, certificates):
    with traffic_server(mode, certificate=certificates.path("one")) as running:
        yield running


def told(server, what, expected):
    """The gauges come to this, and stay."""
    wait_until(lambda: what(server) == expected, f"{expected} are told, not {what(server)}")
    assert what(server) == expected


def test_connections_are_told_by_protocol_and_state(server):
    go = server.folder / "go"
    hold = f"/hold?until={go}"
    told(server, connections, {})
    with contextlib.ExitStack() as stack:
        def new(kind, *arguments, **named):
            return stack.enter_context(kind(*arguments, **named))

        # HTTP/1.1
        assert new(Client, server).request("/").status == 200
        new(Client, server).send(b"GET / HTTP/1.1\r\nHo")
        new(Client, server).send(b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc")
        held = [new(Client, server) for _ in range(3)]
        for client in held:
            client.send(format_request(hold))
        slow = new(Client, server, receive_buffer=4096)
        slow.send(format_request(f"/big?bytes={8 << 20}"))
        assert slow.read_head()[1] == 200
        new(Client, server, HTTPS)
        # HTTP/2
        assert new(Http2Connection, server.address).request("/").status == 200
        of_streams = new(Http2Connection, server.address)
        streams = [of_streams.begin(hold) for _ in range(2)]
        # WebSocket
        new(RawWebSocket, server)
        new(RawWebSocket, server).send(frame(TEXT, b"half of it")[:-3])
        chat = new(RawWebSocket, server)
        chat.send(frame(TEXT, b"hold %s" % bytes(go)))
        # TCP
        lines = new(Client, server, LINES)
        lines.send(b"a line\n")
        assert lines.take_until(b"\n") == b"done"
        new(Client, server, LINES).send(b"half a li")
        wait_until(lambda: len(server.events("held")) == 6, "all handlers have begun")
        told(server, connections, {
            "http1 idle": 1, "http1 reading": 2, "http1 handling": 3, "http1 writing": 1, "http1 handshake": 1, "http2 idle": 1, "http2 handling": 1,
            "websocket idle": 1, "websocket reading": 1, "websocket handling": 1, "tcp idle": 1, "tcp reading": 1,
        })
        assert scrape(server).value("sluice_http2_streams") == 2
        go.touch()
        for client in held:
            assert client.read().status == 200
        for stream in streams:
            assert of_streams.response(stream).status == 200
        assert chat.read_frame()[2] == b"done"
        told(server, connections, {
            "http1 idle": 4, "http1 reading": 2, "http1 writing": 1, "http1 handshake": 1, "http2 idle": 2, "websocket idle": 2, "websocket reading": 1,
            "tcp idle": 1, "tcp reading": 1,
        })
        assert scrape(server).value("sluice_http2_streams") == 0
    told(server, connections, {})


def waiting(server):
    return samples(scrape(server), "sluice_queue_connections", "resource")


@pytest.mark.parametrize("protocol", ["http1", "http2"])
def test_who_waits_for_a_worker_is_told_with_the_longest_wait(mode, protocol):
    with traffic_server(mode, {"coroutines": 4}) as server, contextlib.ExitStack() as stack:
        go = server.folder / "go"

        def client(host):
            if protocol == "http1":
                return stack.enter_context(Client(server, host=host))
            return stack.enter_context(Http2Connection(server.address, source=f"127.0.0.{host}"))

        def ask(client):
            if protocol == "http1":
                client.send(format_request(f"/hold?until={go}"))
                return client.read
            stream = client.begin(f"/hold?until={go}")
            return lambda: client.response(stream)

        clients = [client(11 + number) for number in range(7)]
        assert scrape(server).value("sluice_queue_oldest_wait_seconds") == 0
        begun = [ask(client) for client in clients[:4]]
        wait_until(lambda: len(server.events("held")) == 4, "all coroutines are in use")
        told(server, waiting, {})
        later = [ask(client) for client in clients[4:]]
        told(server, waiting, {"worker": 3})
        if protocol == "http1":
            # Who has sent nothing has nothing to wait for.
            for number in range(2):
                client(21 + number)
            told(server, connections, {"http1 handling": 4, "http1 waiting": 3, "http1 idle": 2})
            told(server, waiting, {"worker": 3})
        before = scrape(server).value("sluice_queue_oldest_wait_seconds", resource="worker")
        after = scrape(server).value("sluice_queue_oldest_wait_seconds", resource="worker")
        assert 0 < before < after
        go.touch()
        assert [read().status for read in begun + later] == [200] * 7
        told(server, waiting, {})
        assert scrape(server).value("sluice_queue_oldest_wait_seconds") == 0


def handshakes(server):
    metrics = scrape(server)
    return [metrics.value("sluice_tls_handshakes_total", result=result) for result in ("success", "failure")]


def test_tls_handshakes_are_counted(server, certificates):
    trusting = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    address = ("127.0.0.1", server.ports[HTTPS])

    def ask():
        with trusting.wrap_socket(socket.create_connection(address), server_hostname="localhost") as client:
            client.sendall(format_request("/"))
            assert client.recv(100).startswith(b"HTTP/1.1 200")

    ask()
    assert handshakes(server) == [1, 0]
    ask()
    assert handshakes(server) == [2, 0]
    with Client(server, HTTPS) as plain:
        assert plain.request("/").status == 400
    assert handshakes(server) == [2, 1]
    with Client(server, HTTPS) as other:
        other.send(b"\x16\x03\x01\0\x05hello")
        other.take_all()
    assert handshakes(server) == [2, 2]
    with Client(server, HTTPS):
        pass  # it goes before it has said anything
    told(server, handshakes, [2, 3])


def resets(server):
    return samples(scrape(server), "sluice_http2_stream_resets_total", "by")


def test_resets_of_http2_are_counted_by_who_sends_them(server):
    with Http2Connection(server.address) as client:
        assert resets(server) == {}
        for _ in range(2):
            client.send(RST_STREAM, stream=client.begin(f"/hold?until={server.folder / 'never'}"), payload=struct.pack(">I", CANCEL))
        told(server, resets, {"client": 2})
        client.stream_error(client.begin(fields=client.request_fields(more=[("connection", "close")])))
        told(server, resets, {"client": 2, "server": 1})


def topics(server):
    metrics = scrape(server)
    return metrics.value("sluice_topics"), metrics.value("sluice_subscriptions")


def test_topics_and_subscriptions_are_counted(server):
    assert topics(server) == (0, 0)
    with RawWebSocket(server) as one:
        def says(client, message):
            client.send(frame(TEXT, message))
            assert client.read_frame()[2] == b"done"

        says(one, b"join news weather sports")
        told(server, topics, (3, 3))
        with RawWebSocket(server) as other:
            says(other, b"join news music")
            told(server, topics, (4, 5))
            says(one, b"leave news")
            told(server, topics, (4, 4))
        told(server, topics, (2, 2))
    told(server, topics, (0, 0))
