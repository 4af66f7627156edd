"""What waits for a worker that dies goes to another one, and its handler sees the same there: every request of here is sent twice,
to a worker that works, and to one that is stopped or busy and then killed."""

import json
import os
import signal
import socket
import ssl
import subprocess

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Process, Server, php_command, wait_until
from http2_client import Http2Connection
from http_client import HttpConnection, format_request
from websocket_client import BINARY, TEXT, RawWebSocket, frame, handshake

HTTP, HTTPS, CLASSIC, LINES, PROXIED = range(5)
FORM = b"a=1&b[]=2&b[]=%C3%BC"
MULTIPART = (b"--b\r\nContent-Disposition: form-data; name=\"field[x]\"\r\n\r\nvalue\r\n"
             b"--b\r\nContent-Disposition: form-data; name=\"some\"; filename=\"a.txt\"\r\nContent-Type: text/x-own\r\n\r\n%s\r\n--b--\r\n")
FIELDS = [
    ("Accept", "application/json, text/html;q=0.5"), ("Accept-Language", "de, en;q=0.1"), ("X-Twice", "one"), ("X-Twice", "two"),
    ("Cookie", "session=abc%20d; other=\"q\""), ("Cookie", "third=3"), ("Authorization", "Basic dXNlcjpzZWNyZXQ="), ("X-Latin", "gr\xfc\xdfe"),
]
FORWARDED = [("X-Forwarded-For", "203.0.113.9, 192.0.2.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "outside.example:8443")]


def of_type(content_type):
    return [*FIELDS, ("Content-Type", content_type)]


REQUESTS = {
    "get": ("/page?a=1&b[]=2&b[]=3", "GET", FIELDS, None),
    "absolute": ("http://other.example/page%20two?x", "GET", FIELDS, None),
    "own-method": ("/rooms/7/a%20b/c?q", "PROPFIND", FIELDS, None),
    "forwarded": ("/page", "GET", [*FIELDS, *FORWARDED], None),
    "close": ("/page", "GET", [*FIELDS, ("Connection", "close")], None),
    "one-at-a-time": ("/alone", "GET", FIELDS, None),
    "form": ("/page", "POST", of_type("application/x-www-form-urlencoded"), FORM),
    "upload": ("/page", "POST", of_type("multipart/form-data; boundary=b"), MULTIPART % b"some text"),
    "long-upload": ("/page", "POST", of_type("multipart/form-data; boundary=b"), MULTIPART % (b"0123456789abcdef" * 6000)),
    "upload-in-a-file": ("/page", "POST", of_type("multipart/form-data; boundary=b"), MULTIPART % (b"0123456789abcdef" * 60000)),
    "no-body": ("/page", "POST", FIELDS, b""),
    "short-body": ("/page", "PUT", of_type("text/plain"), b"hello"),
    "long-body": ("/page", "PUT", of_type("text/plain"), bytes(range(256)) * 400),
    "body-in-a-file": ("/page", "PUT", of_type("text/plain"), bytes(range(256)) * 4000),
    "stream": ("/stream", "PUT", of_type("text/plain"), b"hello"),
    "long-stream": ("/stream", "PUT", of_type("text/plain"), bytes(range(256)) * 100),
    "endless-stream": ("/stream", "PUT", of_type("text/plain"), bytes(range(256)) * 10000),
}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    made.make("client", "a client")
    return made


@pytest.fixture(scope="module")
def moving(certificates):
    with Server("moved.php", "process", ports=5, env={"CERTIFICATES": str(certificates.folder)}) as server:
        yield server


class Moves:
    """Has a message sent to a worker that does not begin it, and kills that worker."""

    def __init__(self, server, way):
        self.server, self.way = server, way

    def handed(self):
        """How many messages the reactor has handed to workers."""
        command, env = php_command()
        told = subprocess.run([*command, "-r", f"echo Sluice\\Stats::ofServer({self.server.process.pid})->messagesReceived;"],
                              env=os.environ | env, capture_output=True, text=True, check=True)
        return int(told.stdout)

    def wait_handed(self, count):
        wait_until(lambda: self.handed() >= count, "it has been handed to the worker")

    def __call__(self, send, count=1):
        """`send()` sends so many messages. Returns the worker that has been killed."""
        first, = self.server.worker_pids()
        with HttpConnection(self.server.address) as other:
            before = self.handed()
            try:
                if self.way == "stopped":
                    Process(first).kill(signal.SIGSTOP)
                else:
                    other.send(format_request("/spin"))
                    self.server.wait_event("spins", pid=first)
                    before += 1
                    self.wait_handed(before)
                send()
                self.wait_handed(before + count)
            finally:
                Process(first).kill()
            wait_until(lambda: self.server.worker_pids() not in ([], [first]), "another worker has begun")
        return first

    def behind(self, hold, send):
        """As the call, but the worker has taken the message, which waits for the end of what `hold()` sends."""
        first, = self.server.worker_pids()
        before = self.handed()
        hold()
        self.server.wait_event("holds", pid=first)
        send()
        self.wait_handed(before + 2)
        # What comes later has been handled, so the worker has looked at what it was sent before that.
        with HttpConnection(self.server.address) as other:
            assert other.request("/page").status == 200
        Process(first).kill()
        wait_until(lambda: self.server.worker_pids() not in ([], [first]), "another worker has begun")
        return first


@pytest.fixture(params=["stopped", "busy"])
def moves(request, moving):
    return Moves(moving, request.param)


def told(text, port=None):
    """The worker, and what it has seen; the client's port, which another connection has, is the same for all."""
    answer = json.loads(text.replace(f":{port}\"", ":PORT\"").replace(f"\"{port}\"", "\"PORT\"") if port else text)
    return answer["worker"], answer["seen"]


def assert_the_same(moves, connection, send, read):
    """On one connection."""
    send()
    _, before = told(read())
    first = moves(send)
    worker, after = told(read())
    assert worker != first and after == before


class Secure(HttpConnection):
    def __init__(self, server, certificates):
        context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
        context.load_cert_chain(certificates.path("client.pem"), certificates.path("client.key"))
        plain = socket.create_connection(("127.0.0.1", server.ports[HTTPS]), timeout=DEADLINE_S)
        self.socket = context.wrap_socket(plain, server_hostname="127.0.0.1")
        self.buffer = b""


def answer(connection):
    response = connection.read()
    assert response.status == 200, response
    return response.text


@pytest.mark.parametrize("name", REQUESTS)
def test_http(moves, name):
    target, method, fields, body = REQUESTS[name]
    message = format_request(target, method, fields, body)
    if name == "close":
        def once(move):
            with HttpConnection(moves.server.address) as connection:
                first = move(lambda: connection.send(message))
                return first, *told(answer(connection), connection.socket.getsockname()[1])
        _, _, before = once(lambda send: send())
        first, worker, after = once(moves)
        assert worker != first and after == before
        return
    with HttpConnection(moves.server.address) as connection:
        assert_the_same(moves, connection, lambda: connection.send(message), lambda: answer(connection))


def test_a_client_that_has_closed_its_side(moves):
    """The worker that died was told so; the other one is told, too, and cancels the handler."""
    with HttpConnection(moves.server.address) as connection:
        def send():
            connection.send(format_request("/waits"))
            connection.socket.shutdown(socket.SHUT_WR)

        moves(send)
        worker, = moves.server.worker_pids()
        moves.server.wait_event("cancelled", pid=worker)


def test_http_1_0(moves):
    def once(move):
        with HttpConnection(moves.server.address) as connection:
            first = move(lambda: connection.send(b"GET /page?x HTTP/1.0\r\nX-Own: yes\r\n\r\n"))
            return first, *told(answer(connection), connection.socket.getsockname()[1])
    _, _, before = once(lambda send: send())
    first, worker, after = once(moves)
    assert worker != first and after == before


def test_chunked_bodies(moves):
    def send():
        connection.send(b"POST /page HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;ext=1\r\nyou\r\n0\r\nX-Trailer: t\r\n\r\n")
    with HttpConnection(moves.server.address) as connection:
        assert_the_same(moves, connection, send, lambda: answer(connection))


def test_a_body_that_goes_on_arriving_after_the_move(moves):
    body = bytes(range(256)) * 2000
    head = format_request("/stream", "PUT", [*FIELDS, ("Content-Length", str(len(body)))])
    with HttpConnection(moves.server.address) as connection:
        connection.send(head + body)
        _, before = told(answer(connection))
        first = moves(lambda: connection.send(head + body[:100_000]))
        connection.send(body[100_000:])
        worker, after = told(answer(connection))
        assert worker != first and after == before


def test_pipelined_requests(moves, certificates):
    """From no proxy: what comes through a trusted one may be of another client each time, and begins when its turn comes."""
    messages = b"".join(format_request(f"/page?number={number}", "GET", FIELDS) for number in range(8))
    with Secure(moves.server, certificates) as connection:
        connection.send(messages)
        before = [told(answer(connection))[1] for _ in range(8)]
        first = moves(lambda: connection.send(messages), 8)
        after = [told(answer(connection)) for _ in range(8)]
        assert [seen for _, seen in after] == before and first not in {worker for worker, _ in after}


@pytest.mark.parametrize("name", ["get", "own-method", "upload-in-a-file", "stream"])
def test_https_with_a_clients_certificate(moves, certificates, name):
    message = format_request(*REQUESTS[name])
    with Secure(moves.server, certificates) as connection:
        assert_the_same(moves, connection, lambda: connection.send(message), lambda: answer(connection))


def test_the_proxy_protocol(moves):
    with HttpConnection(("127.0.0.1", moves.server.ports[PROXIED])) as connection:
        connection.send(b"PROXY TCP4 192.0.2.1 10.0.0.9 1234 443\r\n")
        message = format_request(*REQUESTS["get"])
        assert_the_same(moves, connection, lambda: connection.send(message), lambda: answer(connection))


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("name", ["get", "own-method", "form", "upload", "long-upload", "short-body", "stream", "long-stream"])
def test_http2(moves, certificates, name, secure):
    target, method, fields, body = REQUESTS[name]
    more = [(field.lower(), value) for field, value in fields if field != "Host" and field != "X-Latin"]
    wrap = None
    if secure:
        context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
        context.set_alpn_protocols(["h2"])
        wrap = lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1")  # noqa: E731
    streams = []
    with Http2Connection(("127.0.0.1", moves.server.ports[HTTPS if secure else HTTP]), wrap=wrap) as connection:
        def send():
            streams.append(connection.begin(target, method, more, ended=body is None, scheme="https" if secure else "http"))
            if body is not None:
                connection.send_body(streams[-1], body)

        def read():
            response = connection.response(streams[-1])
            assert response.status == 200, response.text
            return response.text
        assert_the_same(moves, connection, send, read)


@pytest.mark.parametrize("name", ["get", "form", "upload", "upload-in-a-file", "long-body"])
def test_classic_scripts(moves, name):
    _, method, fields, body = REQUESTS[name]
    message = format_request("/page.php/info?a=1&b[]=2", method, fields, body)
    with HttpConnection(("127.0.0.1", moves.server.ports[CLASSIC])) as connection:
        assert_the_same(moves, connection, lambda: connection.send(message), lambda: answer(connection))


def test_openings_of_websockets(moves):
    def once(move):
        with HttpConnection(moves.server.address) as client:
            first = move(lambda: client.send(handshake("/socket/7?x=1", sec_websocket_protocol="c, b", cookie="session=abc")))
            response = client.read()
            assert (response.status, response.header("sec-websocket-protocol")) == (101, "b")
            worker, seen = told(RawWebSocket.read_frame(client)[2].decode(), client.socket.getsockname()[1])
            _, decided = told(seen["data"], client.socket.getsockname()[1])
            for changes in [part["request"][place] for part in (seen, decided) for place in ("headers", "serverParams")]:
                for field in list(changes):
                    if field.lower().replace("_", "-").endswith("sec-websocket-key"):
                        del changes[field]
            return first, worker, {**seen, "id": None, "data": decided}
    _, _, before = once(lambda send: send())
    first, worker, after = once(moves)
    assert worker != first and after == before


@pytest.mark.parametrize("size", [0, 100, 100_000])
@pytest.mark.parametrize("kind", [TEXT, BINARY])
def test_messages_of_websockets(moves, kind, size):
    client = RawWebSocket(moves.server, "/socket/7")
    client.read_frame()
    assert_the_same(moves, client, lambda: client.send(frame(kind, b"m" * size)), lambda: client.read_frame()[2].decode())
    client.close()


def test_ends_of_websockets(moves):
    def once(move):
        client = RawWebSocket(moves.server, "/socket/7")
        _, opened = told(client.read_frame()[2].decode())
        first = move(lambda: client.send(frame(8, b"\x0f\xa1a reason")))
        client.read_close()
        closed = dict(moves.server.wait_event("closed", id=opened["id"]))
        client.close()
        assert closed["data"] == opened["data"]
        return first, closed.pop("pid"), {**closed, "id": None, "data": None}
    _, _, before = once(lambda send: send())
    first, worker, after = once(moves)
    assert (before["code"], before["reason"]) == (4001, "a reason")
    assert worker != first and after == before


def test_lines_over_tcp(moves):
    with HttpConnection(("127.0.0.1", moves.server.ports[LINES])) as client:
        assert_the_same(moves, client, lambda: client.send(b"a line\n"), lambda: client.take_until(b"\n").decode())


def test_datagrams(moves):
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.settimeout(DEADLINE_S)
        client.connect(("127.0.0.1", moves.server.ports[HTTP]))
        assert_the_same(moves, client, lambda: client.send(b"a datagram"), lambda: client.recv(65536).decode())


# --- what the worker has taken and not begun, for it has to wait ---


@pytest.mark.parametrize("name", ["one-at-a-time", "long-upload", "upload-in-a-file"])
def test_a_request_behind_one_that_waits(moving, name):
    _, method, fields, body = REQUESTS[name]
    message = format_request("/alone?x=1", method, fields, body)
    moves = Moves(moving, "behind")
    with HttpConnection(moving.address) as connection, HttpConnection(moving.address) as holder:
        connection.send(message)
        _, before = told(answer(connection))
        first = moves.behind(lambda: holder.send(format_request("/alone?holds=1")), lambda: connection.send(message))
        worker, after = told(answer(connection))
        assert worker != first and after == before
        assert holder.read().status == 502


@pytest.mark.parametrize("size", [0, 100, 100_000])
def test_a_message_behind_one_that_waits(moving, size):
    client = RawWebSocket(moving, "/socket/7")
    client.read_frame()
    send = lambda: client.send(frame(BINARY, b"m" * size))  # noqa: E731
    send()
    _, before = told(client.read_frame()[2].decode())
    first = Moves(moving, "behind").behind(lambda: client.send(frame(TEXT, b"holds")), send)
    worker, after = told(client.read_frame()[2].decode())
    assert worker != first and after == before
    client.close()
