"""WebSocket over streams of HTTP/2 (RFC 8441), beside requests on the same connection."""

import json
import os
import struct
import zlib

import pytest

from harness import Server, wait_until
from http2_client import (CANCEL, DATA, ENABLE_CONNECT_PROTOCOL, END_STREAM, GOAWAY, HEADERS, RST_STREAM, Closed,
                          Http2Connection)
from websocket_client import asynchronous, connect as connect_http1

SERVER = dict(script="http2.php", ports=3, workers=2)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class StreamSocket:
    """A WebSocket on one stream; its frames are written and read here, by the byte."""

    def __init__(self, connection, path="/echo-ws", more=(), expect=200):
        self.connection = connection
        fields = [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", path),
                  (":authority", "test.example"), ("sec-websocket-version", "13"), *more]
        self.stream = connection.begin(fields=fields, ended=False)
        while not (response := connection.responses.get(self.stream)) or response.fields is None:
            if response and response.reset is not None:
                break
            connection.read_frame()
        self.head, self.taken = response, 0
        if expect:
            assert response.status == expect, response.fields

    def send(self, payload, opcode=TEXT, *, final=True, bits=0, mask=b"abcd"):
        payload = payload.encode() if isinstance(payload, str) else payload
        size = len(payload)
        head = bytes([(0x80 if final else 0) | bits | opcode])
        head += bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 \
            else b"\xff" + struct.pack(">Q", size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)) if size < 10000 else \
            (int.from_bytes(payload, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")).to_bytes(size, "big")
        self.connection.send_body(self.stream, head + mask + masked, ended=False)

    def take(self, count):
        while len(self.head.body) - self.taken < count:
            assert not self.head.ended and self.head.reset is None, self.head.reset
            self.connection.read_frame()
        self.taken += count
        return self.head.body[self.taken - count:self.taken]

    def receive(self):
        """Opcode with its bits, and payload."""
        first, second = self.take(2)
        size = second & 127
        assert not second & 128, "a server's frame is masked"
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        return first & 0x7F, self.take(size)


@pytest.fixture
def connection(server):
    with Http2Connection(server.address) as connection:
        yield connection


def test_the_settings_say_that_it_can_be_done(connection):
    assert connection.server_settings[ENABLE_CONNECT_PROTOCOL] == 1


def test_messages_go_both_ways(connection):
    socket = StreamSocket(connection)
    assert socket.receive() == (TEXT, b"open 2 /echo-ws")
    for payload, opcode in (("hello", TEXT), (b"\x00\xff", BINARY), ("x" * 70000, TEXT), ("", TEXT)):
        socket.send(payload, opcode)
        assert socket.receive() == (opcode, payload.encode() if isinstance(payload, str) else payload)


def test_a_message_in_fragments_and_a_ping_between_them(connection):
    socket = StreamSocket(connection)
    socket.receive()
    socket.send("one ", final=False)
    socket.send("ping", PING)
    socket.send("two", 0)
    assert socket.receive() == (PONG, b"ping")
    assert socket.receive() == (TEXT, b"one two")


def test_what_came_whole_before_an_error_is_answered_before_the_close(connection):
    socket = StreamSocket(connection)
    socket.receive()
    socket.send("whole")
    socket.send(b"\xff")
    assert socket.receive() == (TEXT, b"whole")
    opcode, payload = socket.receive()
    assert (opcode, payload[:2]) == (CLOSE, struct.pack(">H", 1007))


def test_text_is_known_to_be_wrong_before_its_frame_is_whole(connection):
    socket = StreamSocket(connection)
    socket.receive()
    connection.send_body(socket.stream, b"\x81\xfe\xff\xff\0\0\0\0" + b"x" * 10_000, ended=False)
    connection.send_body(socket.stream, b"\xff", ended=False)
    opcode, payload = socket.receive()
    assert (opcode, payload[:2]) == (CLOSE, struct.pack(">H", 1007))


def test_a_message_longer_than_the_windows(server):
    with Http2Connection(server.address) as connection:
        socket = StreamSocket(connection)
        socket.receive()
        payload = os.urandom(100_000)
        for _ in range(20):  # far more than the server's first window
            socket.send(payload, BINARY)
            assert socket.receive() == (BINARY, payload)


def test_many_on_one_connection_beside_requests(connection):
    sockets = [StreamSocket(connection) for _ in range(20)]
    for number, socket in enumerate(sockets):
        socket.receive()
        socket.send(f"number {number}")
    assert connection.request("/hello").text == "hello world"
    for number, socket in enumerate(sockets):
        assert socket.receive() == (TEXT, f"number {number}".encode())


def test_a_sub_protocol_is_chosen(connection):
    socket = StreamSocket(connection, more=[("sec-websocket-protocol", "plain, chat")])
    assert socket.head.header("sec-websocket-protocol") == "chat"


def test_a_handler_decides_on_the_handshake(connection):
    socket = StreamSocket(connection, "/asking-ws", [("sec-websocket-protocol", "chat, plain")])
    assert (socket.head.header("sec-websocket-protocol"), socket.head.header("x-granted")) == ("plain", "yes")
    assert socket.receive() == (TEXT, b"open 2 /asking-ws")
    refused = StreamSocket(connection, "/asking-ws?refuse=1", expect=403)
    assert connection.response(refused.stream).body == b"not you"


def test_messages_are_compressed(server, connection):
    socket = StreamSocket(connection, path="/compressed-ws", more=[("sec-websocket-extensions", "permessage-deflate")])
    assert socket.head.header("sec-websocket-extensions").startswith("permessage-deflate")
    socket.receive()
    text = b"again and " * 1000
    deflater = zlib.compressobj(wbits=-15)
    socket.send(deflater.compress(text) + deflater.flush(zlib.Z_SYNC_FLUSH)[:-4], TEXT, bits=0x40)
    opcode, payload = socket.receive()
    assert opcode == TEXT | 0x40 and len(payload) < 1000
    inflater = zlib.decompressobj(wbits=-15)
    assert inflater.decompress(payload + b"\0\0\xff\xff") == text


@asynchronous
async def test_topics_reach_streams_and_sockets_alike(server, connection):
    one, other = StreamSocket(connection), StreamSocket(connection)
    for socket in (one, other):
        socket.receive()
        socket.send("subscribe room")
        assert socket.receive() == (TEXT, b"subscribed")
    async with connect_http1(server, "/echo-ws") as third:
        assert await third.recv() == "open 1.1 /echo-ws"
        await third.send("publish to all")
        assert one.receive() == (TEXT, b"to all")
        assert other.receive() == (TEXT, b"to all")


def test_the_closing_handshake_ends_the_stream(server, connection):
    closed = len(server.events("websocket closed"))
    socket = StreamSocket(connection)
    socket.receive()
    socket.send(struct.pack(">H", 1000) + b"bye", CLOSE)
    assert socket.receive() == (CLOSE, struct.pack(">H", 1000))
    connection.send(DATA, END_STREAM, socket.stream)
    assert connection.response(socket.stream).ended
    # Others may end meanwhile, but not by a handshake.
    wait_until(lambda: 1000 in [event["code"] for event in server.events("websocket closed")[closed:]], "the handler is told")
    assert connection.is_alive()


def test_the_server_closes(connection):
    socket = StreamSocket(connection)
    socket.receive()
    socket.send("close")
    assert socket.receive() == (CLOSE, struct.pack(">H", 4001) + b"as asked")
    socket.send(struct.pack(">H", 4001), CLOSE)
    assert connection.response(socket.stream).ended


@pytest.mark.parametrize("how", ["reset", "end", "connection"])
def test_a_client_that_vanishes_is_told_to_the_handler(server, connection, how):
    closed = len(server.events("websocket closed"))
    socket = StreamSocket(connection)
    socket.receive()
    if how == "reset":
        connection.send(RST_STREAM, stream=socket.stream, payload=struct.pack(">I", CANCEL))
    elif how == "end":
        connection.send(DATA, END_STREAM, socket.stream)
    else:
        connection.close()
    # Those of sockets that other tests have closed may still come.
    wait_until(lambda: 1006 in [event["code"] for event in server.events("websocket closed")[closed:]], "the handler is told")


def test_a_breach_of_the_protocol_closes_the_stream_only(connection):
    socket = StreamSocket(connection)
    socket.receive()
    socket.send("x", opcode=3)
    opcode, payload = socket.receive()
    assert (opcode, struct.unpack(">H", payload[:2])[0]) == (CLOSE, 1002)
    assert connection.request("/hello").status == 200


def test_no_route_no_websocket(connection):
    assert StreamSocket(connection, path="/hello", expect=404)
    assert connection.is_alive()


def test_another_version_is_refused(connection):
    fields = [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/echo-ws"),
              (":authority", "test.example"), ("sec-websocket-version", "8")]
    stream = connection.begin(fields=fields, ended=False)
    response = connection.response(stream)
    assert (response.status, response.header("sec-websocket-version")) == (400, "13")


def test_another_protocol_is_refused(connection):
    fields = [(":method", "CONNECT"), (":protocol", "connect-udp"), (":scheme", "http"), (":path", "/echo-ws"),
              (":authority", "test.example")]
    assert connection.response(connection.begin(fields=fields, ended=False)).status == 501
