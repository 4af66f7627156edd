"""HTTP/2 frame by frame over a bare socket: sends exactly what it is told, right or wrong, and reads strictly."""

import socket
import struct

import hpack

from harness import DEADLINE_S

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITY_FLAG = 0x1, 0x1, 0x4, 0x8, 0x20

NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR, \
    REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM = range(12)

HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = range(1, 7)
ENABLE_CONNECT_PROTOCOL = 8


class Closed(Exception):
    """The server has closed the connection where a frame was to come."""


class Frame:
    def __init__(self, kind, flags, stream, payload):
        self.kind, self.flags, self.stream, self.payload = kind, flags, stream, payload

    @property
    def ends_stream(self):
        return self.kind in (DATA, HEADERS) and bool(self.flags & END_STREAM)

    @property
    def code(self):
        """Of RST_STREAM and GOAWAY."""
        return struct.unpack(">I", self.payload[4:8] if self.kind == GOAWAY else self.payload[:4])[0]

    def __repr__(self):
        names = "DATA HEADERS PRIORITY RST_STREAM SETTINGS PUSH_PROMISE PING GOAWAY WINDOW_UPDATE CONTINUATION".split()
        return f"<{names[self.kind]} flags={self.flags:#x} stream={self.stream} {self.payload[:80]!r}>"


class Response:
    def __init__(self):
        self.interim, self.fields, self.body, self.trailers = [], None, b"", []
        self.ended, self.reset = False, None

    @property
    def status(self):
        return int(dict(self.fields)[":status"])

    def header(self, name):
        values = [value for key, value in self.fields if key == name]
        assert len(values) <= 1, values
        return values[0] if values else None

    @property
    def text(self):
        return self.body.decode()


def frame(kind, flags=0, stream=0, payload=b"", length=None):
    length = len(payload) if length is None else length
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings_payload(*pairs):
    return b"".join(struct.pack(">HI", key, value) for key, value in pairs)


class Http2Connection:
    def __init__(self, address, *, preface=True, settings=(), wrap=None, receive_buffer=0, source=""):
        """`source`: the client's own IP address."""
        self.socket = socket.socket()
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(DEADLINE_S)
        self.socket.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if wrap:
            self.socket = wrap(self.socket)
        self.buffer = b""
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.next_stream = 1
        self.responses = {}
        self.server_settings = {}
        self.window = 65535
        self.goodbye = None  # the last GOAWAY
        self.credits = True  # windows are opened as DATA comes
        if preface:
            self.send_raw(PREFACE + frame(SETTINGS, payload=settings_payload(*settings)))
            while True:
                got = self.read_frame()
                if got.kind == SETTINGS and not got.flags & ACK:
                    break
            self.send(SETTINGS, ACK)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    # --- sending ---

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # what it has said before it closed is still to be read

    def send(self, kind, flags=0, stream=0, payload=b"", length=None):
        self.send_raw(frame(kind, flags, stream, payload, length))

    def block(self, fields):
        return self.encoder.encode(fields, huffman=False)

    def request_fields(self, path="/hello", method="GET", more=(), authority="test.example", scheme="http"):
        return [(":method", method), (":scheme", scheme), (":path", path), (":authority", authority), *more]

    def begin(self, path="/hello", method="GET", more=(), *, ended=True, fields=None, stream=None, **options):
        """Sends a request's head and returns its stream."""
        stream = stream or self.next_stream
        self.next_stream = max(self.next_stream, stream + 2)
        block = self.block(fields if fields is not None else self.request_fields(path, method, more, **options))
        self.send(HEADERS, END_HEADERS | (END_STREAM if ended else 0), stream, block)
        return stream

    def request(self, path="/hello", method="GET", more=(), body=None, **options):
        stream = self.begin(path, method, more, ended=body is None, **options)
        if body is not None:
            self.send_body(stream, body)
        return self.response(stream)

    def send_body(self, stream, body, ended=True):
        """Up to the server's first window; without a look at it."""
        pieces = [body[at:at + 16384] for at in range(0, len(body), 16384)] or [b""]
        for index, piece in enumerate(pieces):
            self.send(DATA, END_STREAM if ended and index + 1 == len(pieces) else 0, stream, piece)

    # --- reading ---

    def read_exactly(self, count):
        while len(self.buffer) < count:
            try:
                more = self.socket.recv(262144)
            except ConnectionResetError:
                more = b""
            if not more:
                raise Closed(self.buffer)
            self.buffer += more
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def read_frame(self):
        """The next frame; what it says about responses is noted."""
        head = self.read_exactly(9)
        length = int.from_bytes(head[:3], "big")
        got = Frame(head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, self.read_exactly(length))
        if got.kind == HEADERS and not got.flags & END_HEADERS:
            while True:
                head = self.read_exactly(9)
                assert head[3] == CONTINUATION, "a header block was cut up"
                got.payload += self.read_exactly(int.from_bytes(head[:3], "big"))
                if head[4] & END_HEADERS:
                    break
        self.note(got)
        return got

    def note(self, got):
        if got.kind == SETTINGS and not got.flags & ACK:
            for at in range(0, len(got.payload), 6):
                key, value = struct.unpack(">HI", got.payload[at:at + 6])
                self.server_settings[key] = value
        if got.kind == HEADERS:
            response = self.responses.setdefault(got.stream, Response())
            fields = self.decoder.decode(got.payload)
            if response.fields is not None:
                response.trailers = fields
            elif dict(fields)[":status"].startswith("1"):
                response.interim.append(fields)
            else:
                response.fields = fields
        if got.kind == DATA:
            response = self.responses[got.stream]
            response.body += got.payload
            if self.credits and got.payload:
                self.send(WINDOW_UPDATE, stream=0, payload=struct.pack(">I", len(got.payload)))
                if not got.ends_stream:
                    self.send(WINDOW_UPDATE, stream=got.stream, payload=struct.pack(">I", len(got.payload)))
        if got.ends_stream:
            self.responses[got.stream].ended = True
        if got.kind == GOAWAY:
            self.goodbye = got
        if got.kind == RST_STREAM:
            self.responses.setdefault(got.stream, Response()).reset = got.code

    def read_until(self, condition):
        """The first frame for which it is true."""
        while True:
            got = self.read_frame()
            if condition(got):
                return got

    def response(self, stream):
        """The whole response; one that is reset has `reset`."""
        while True:
            response = self.responses.get(stream)
            if response and (response.ended or response.reset is not None):
                return response
            got = self.read_frame()
            assert got.kind != GOAWAY or got.code == NO_ERROR, got

    def is_alive(self):
        """Whether a ping is answered, after everything sent so far has been looked at."""
        self.send(PING, payload=b"areyouok")
        try:
            got = self.read_until(lambda got: got.kind == GOAWAY or got.kind == PING and got.payload == b"areyouok")
        except Closed:
            return False
        return got.kind == PING

    def connection_error(self):
        """The code of the GOAWAY with which the server ends the connection."""
        got = self.read_until(lambda got: got.kind == GOAWAY and got.code != NO_ERROR)
        self.reason = got.payload[8:].decode()
        try:
            while True:
                self.read_frame()
        except Closed:
            pass
        return got.code

    def stream_error(self, stream):
        """The code of the RST_STREAM for this stream; the connection goes on."""
        while True:
            response = self.responses.get(stream)
            if response and response.reset is not None:
                return response.reset
            got = self.read_frame()
            assert got.kind != GOAWAY, got
