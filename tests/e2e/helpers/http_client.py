"""HTTP/1.1 over a bare socket: sends exactly the bytes it is given, and reads answers strictly."""

import json
import socket

from harness import DEADLINE_S


class ClosedEarly(Exception):
    """The peer closed where more was to come; `args[0]` is what had come."""


class Response:
    def __init__(self, version, status, reason, fields, body):
        self.version, self.status, self.reason, self.fields, self.body = version, status, reason, fields, body

    def all(self, name):
        return [value for key, value in self.fields if key == name.lower()]

    def header(self, name):
        values = self.all(name)
        assert len(values) <= 1, f"{name} came {len(values)} times: {values}"
        return values[0] if values else None

    @property
    def text(self):
        return self.body.decode()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.reason} {self.fields} {self.body[:200]!r}>"


class HttpConnection:
    def __init__(self, address, timeout=DEADLINE_S, source=""):
        """`source`: the client's own IP address."""
        if isinstance(address, str):  # the path of a Unix socket
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(timeout)
            self.socket.connect(address)
        else:
            self.socket = socket.create_connection(address, timeout, (source, 0) if source else None)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        """More bytes; '' at the end, and also when the peer reset the connection."""
        try:
            more = self.socket.recv(262144)
        except ConnectionResetError:
            more = b""
        self.buffer += more
        return more

    def take_until(self, delimiter):
        while delimiter not in self.buffer:
            if not self.receive():
                raise ClosedEarly(self.buffer)
        taken, _, self.buffer = self.buffer.partition(delimiter)
        return taken

    def take(self, count):
        pieces, have = [self.buffer], len(self.buffer)
        self.buffer = b""
        while have < count:
            piece = self.receive()
            self.buffer = b""
            if not piece:
                raise ClosedEarly(b"".join(pieces))
            pieces.append(piece)
            have += len(piece)
        data = b"".join(pieces)
        self.buffer = data[count:]
        return data[:count]

    def take_all(self):
        while self.receive():
            pass
        data, self.buffer = self.buffer, b""
        return data

    def at_end(self):
        """Whether the peer closes with nothing more to say."""
        return self.take_all() == b""

    def request(self, target="/", method="GET", headers=(), body=None):
        self.send(format_request(target, method, headers, body))
        return self.read(method)

    def read(self, method="GET"):
        """The next response, interim ones (1xx) included."""
        version, status, reason, fields = self.read_head()
        response = Response(version, status, reason, fields, b"")
        length = response.header("content-length")
        coding = response.header("transfer-encoding")
        assert length is None or coding is None, f"both content-length and transfer-encoding: {fields}"
        if status < 200 or status in (204, 304) or method == "HEAD":
            pass
        elif coding is not None:
            assert coding == "chunked"
            response.body = self.read_chunks()
        elif length is not None:
            assert length.isascii() and length.isdigit(), length
            response.body = self.take(int(length))
        else:
            response.body = self.take_all()
        return response

    def read_head(self):
        lines = self.take_until(b"\r\n\r\n").split(b"\r\n")
        version, status, reason = lines[0].decode("ascii").split(" ", 2)
        assert version == "HTTP/1.1", lines[0]
        fields = []
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            assert colon and name and b" " not in name and b"\n" not in value and b"\r" not in value, line
            fields.append((name.decode("ascii").lower(), value.strip(b" ").decode("latin-1")))
        return version, int(status), reason, fields

    def read_chunks(self):
        pieces = []
        while True:
            size = int(self.take_until(b"\r\n"), 16)
            piece = self.take(size)
            assert self.take(2) == b"\r\n"
            if size == 0:
                return b"".join(pieces)
            pieces.append(piece)


def format_request(target="/", method="GET", headers=(), body=None):
    lines = [f"{method} {target} HTTP/1.1", "Host: test.example"]
    lines += [f"{name}: {value}" for name, value in (headers.items() if isinstance(headers, dict) else headers)]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")


def get(server, target="/", **more):
    """One request on a connection of its own."""
    with HttpConnection(server.address) as connection:
        return connection.request(target, **more)
