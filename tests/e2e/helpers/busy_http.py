"""Clients of busy.php that send requests: each has one whole answer, that of its handler, or 502 when it died with its worker."""

import contextlib
import gzip
import hashlib
import socket
import ssl

from busy_client import PATIENCE_S, Client
from http2_client import Closed, Http2Connection
from http_client import ClosedEarly, HttpConnection

MISSING_WORKER = 502


class HttpClient(Client):
    headers = ()

    def open(self):
        return HttpConnection(self.server.address, timeout=PATIENCE_S)

    def once(self, number):
        method, body, right = self.expected(number)
        response = self.connection.request(self.target(number), method, self.headers, body)
        if response.status == MISSING_WORKER:
            self.lost.append(number)
        else:
            assert (response.status, self.decoded(response)) == (200, right), (number, response)
            self.answered.append(number)
        if response.header("connection") == "close":  # there is a limit of requests for each connection
            self.hang_up()

    def target(self, number):
        return f"/{self.what}?id={number}"

    def decoded(self, response):
        return response.body

    def expected(self, number):
        if self.what == "large":
            body = number.encode() * 3000
            return "POST", body, body + body
        if self.what == "keep":
            return "POST", number.encode() * 3000, number.encode()
        if self.what == "file":
            body = number.encode() * 20000
            return "POST", body, hashlib.md5(body).hexdigest().encode()
        if self.what == "process":
            return "POST", number.encode() * 1000, number.encode() + str(1000 * len(number)).encode()
        if self.what == "sent":
            return "GET", None, (self.server.script).read_bytes()
        return "GET", None, number.encode()


class ZippedClient(HttpClient):
    headers = {"accept-encoding": "gzip"}

    def decoded(self, response):
        return gzip.decompress(response.body) if response.status == 200 else response.body

    def expected(self, number):
        return "GET", None, number.encode() * 5000


class TlsClient(HttpClient):
    """Asks for large and small in turns."""

    def open(self):
        connection = HttpConnection(("127.0.0.1", self.server.ports[2]), timeout=PATIENCE_S)
        with self.ends_in_clear_text():
            connection.socket = ssl._create_unverified_context().wrap_socket(connection.socket)
        return connection

    def once(self, number):
        with self.ends_in_clear_text():
            super().once(number)

    @contextlib.contextmanager
    def ends_in_clear_text(self):
        """That of a worker which has died is told apart from other errors of TLS."""
        try:
            yield
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:
            raise ConnectionResetError(str(error)) from None

    def target(self, number):
        return f"/{'large' if self.rounds % 2 else 'small'}?id={number}"

    def expected(self, number):
        body = number.encode() * 3000
        return ("POST", body, body + body) if self.rounds % 2 else ("GET", None, number.encode())


class PiecesClient(HttpClient):
    """When its worker dies within the response, that ends before its end, and says so by having none."""

    def once(self, number):
        try:
            super().once(number)
        except ClosedEarly:
            self.lose(number)

    def expected(self, number):
        return "GET", None, b"".join(f"{number}:{piece};".encode() for piece in range(1, 6)) + b"end"


class StreamedClient(HttpClient):
    """Its handler reads the body while it arrives, or has it received whole. When the worker dies meanwhile, nobody takes the rest
    of the body: the connection ends after the answer, which a client that sends on may miss."""

    def once(self, number):
        try:
            super().once(number)
        except (ClosedEarly, ConnectionError):
            self.lose(number)

    def target(self, number):
        return super().target(number) + ("&whole" if self.rounds % 3 == 0 else "")

    def expected(self, number):
        # Short ones come in packets, long ones in shared memory (BodyRing).
        body = number.encode() * (60000 if self.rounds % 2 else 300)
        return "POST", body, hashlib.md5(body).hexdigest().encode()


class EventsClient(HttpClient):
    """A stream of events that its handler hands over to the server, and an event that a worker publishes then."""

    is_tied = True

    def once(self, number):
        try:
            self.connection.send(f"GET {self.target(number)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            _, status, _, _ = self.connection.read_head()
            if status == MISSING_WORKER:
                self.lose(number)
                return
            event = b"data: %s\n" % number.encode()
            self.connection.socket.settimeout(0.2)
            while event not in self.connection.buffer:
                try:
                    self.connection.buffer += self.received()
                except TimeoutError:
                    self.publish_again(number)
            assert b"data: first\n" in self.connection.buffer, self.connection.buffer
            self.answered.append(number)
            self.hang_up()
        except ClosedEarly:
            self.lose(number)

    def received(self):
        data = self.connection.socket.recv(65536)
        if not data:
            raise ClosedEarly(self.connection.buffer)
        return data

    def publish_again(self, number):
        """The worker may have died before it published."""
        with HttpConnection(self.server.address, timeout=PATIENCE_S) as other:
            other.request(f"/publish?id={number}")


class Http2Client(Client):
    """Four requests at once on one connection."""

    port = 0

    def open(self):
        try:
            return Http2Connection(("127.0.0.1", self.server.ports[self.port]), wrap=self.begin)
        except Closed:
            raise ConnectionResetError from None

    def begin(self, connection):
        connection.settimeout(PATIENCE_S)
        return connection

    def once(self, number):
        kinds = {"small": None, "waits": None, "pieces": None, "large": f"{number}.large".encode() * 700}
        try:
            streams = {}
            for kind, body in kinds.items():
                stream = streams[kind] = self.connection.begin(f"/{kind}?id={number}.{kind}", "POST" if body else "GET", ended=not body)
                if body:
                    self.connection.send_body(stream, body)
            for kind, stream in streams.items():
                self.note(f"{number}.{kind}", kind, kinds[kind], self.connection.response(stream))
                del self.connection.responses[stream]
            if self.connection.goodbye:
                self.hang_up()
        except (Closed, socket.timeout) as error:
            raise ConnectionResetError(str(error)) from None

    def note(self, number, kind, body, response):
        if response.reset is not None and kind == "pieces" or response.status == MISSING_WORKER:
            self.lost.append(number)
            return
        right = {"pieces": b"".join(f"{number}:{piece};".encode() for piece in range(1, 6)) + b"end", "large": (body or b"") * 2}
        assert (response.status, response.body) == (200, right.get(kind, number.encode())), (number, response.fields, response.body[:200])
        self.answered.append(number)


class ProxiedHttp2Client(Http2Client):
    """Named by a proxy (PROXY protocol, version 1)."""

    port = 4

    def begin(self, connection):
        connection.sendall(b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n")
        return super().begin(connection)


def http_clients(server):
    simple = [HttpClient(server, what) for what in ("small", "waits", "large", "keep", "file", "sent", "counted", "process")]
    kinds = {"zipped": ZippedClient, "tls": TlsClient, "pieces": PiecesClient, "streamed": StreamedClient, "events": EventsClient, "http2": Http2Client,
             "proxied2": ProxiedHttp2Client}
    return simple + [kind(server, what) for what, kind in kinds.items()]
