"""WebSocket compression (RFC 7692): an independent client that offers compression, and raw frames for what that client would not send."""

import asyncio
import json
import os
import zlib

import pytest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from harness import wait_until
from http_client import HttpConnection, get
from websocket_client import BINARY, CONTINUATION, PING, PONG, TEXT, RawWebSocket, asynchronous, connect, frame, handshake

SERVER = dict(script="compression.php", workers=2, reactors=2)

RSV1 = 4
MESSAGE_LIMIT = 1 << 20
TEXTS = ["", "short", "a text that is just long enough to be looked at " * 6, "aé€😀" * 1000, "x" * 8192, "y" * MESSAGE_LIMIT]


def compressing(server, path, **offer):
    return connect(server, path, extensions=[ClientPerMessageDeflateFactory(**offer)])


def deflate(data, bits=15):
    packer = zlib.compressobj(6, zlib.DEFLATED, -bits)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def inflate(data):
    return zlib.decompressobj(-15).decompress(data + b"\0\0\xff\xff")


def agreed_with(server, path, offer):
    """The extensions of the answer to a handshake with this offer."""
    client = HttpConnection(server.address)
    client.send(handshake(path, sec_websocket_extensions=offer))
    response = client.read()
    client.close()
    assert response.status == 101, response
    return response.header("sec-websocket-extensions")


class RawDeflate(RawWebSocket):
    """A client that has negotiated compression without takeover; it tells of each frame whether it is compressed."""

    def __init__(self, server, path="/on", offer="permessage-deflate"):
        HttpConnection.__init__(self, server.address)
        self.send(handshake(path, sec_websocket_extensions=offer))
        response = self.read()
        assert response.status == 101 and "permessage-deflate" in (response.header("sec-websocket-extensions") or "")

    def read_frame(self):
        first, second = self.take(2)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
        self.is_compressed = bool(first & 0x40)
        return bool(first & 0x80), first & 0x0F, self.take(size)


# --- the handshake ---


@pytest.mark.parametrize("path, offer, answer", [
    ("/off", "permessage-deflate", None),
    ("/on", "x-unknown", None),
    ("/on", "permessage-deflate; unknown", None),
    ("/on", "permessage-deflate; client_max_window_bits",
     "permessage-deflate; server_no_context_takeover; client_no_context_takeover"),
    ("/takeover", "permessage-deflate", "permessage-deflate"),
    ("/takeover", "permessage-deflate; server_no_context_takeover; client_max_window_bits=9",
     "permessage-deflate; server_no_context_takeover; client_max_window_bits=9"),
    ("/small", "permessage-deflate; client_max_window_bits",
     "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10"),
    ("/small", "permessage-deflate; server_max_window_bits=8, permessage-deflate",
     "permessage-deflate; server_max_window_bits=9"),
])
def test_what_is_agreed_to(server, path, offer, answer):
    assert agreed_with(server, path, offer) == answer


def test_a_malformed_extension_field_is_refused(server):
    client = HttpConnection(server.address)
    client.send(handshake("/on", sec_websocket_extensions="permessage-deflate; ="))
    assert client.read().status == 400


# --- messages ---


@pytest.mark.parametrize("path", ["/off", "/on", "/takeover", "/small"])
@asynchronous
async def test_echo(server, path):
    async with compressing(server, path) as socket:
        assert bool(socket.extensions) == (path != "/off")
        for text in TEXTS:
            for _ in range(2):
                await socket.send(text)
                assert await socket.recv() == text
        noise = os.urandom(100_000)
        for data in [noise, b"\0" * 100_000, noise, b"", noise[:300] * 100]:
            await socket.send(data)
            assert await socket.recv() == data


@pytest.mark.parametrize("offer", [
    dict(server_no_context_takeover=True), dict(client_no_context_takeover=True), dict(server_max_window_bits=10),
    dict(client_max_window_bits=9), dict(server_max_window_bits=9, client_max_window_bits=9),
])
@asynchronous
async def test_echo_with_each_parameter(server, offer):
    async with compressing(server, "/takeover", **offer) as socket:
        assert socket.extensions
        text = "".join(str(i * i) for i in range(20000))
        for _ in range(3):
            await socket.send(text)
            assert await socket.recv() == text


@asynchronous
async def test_fragments_and_pings_between_them(server):
    async with compressing(server, "/takeover") as socket:
        for _ in range(3):
            await socket.send(["one " * 1000, "two " * 1000, "", "three " * 1000])
            await (await socket.ping())
            assert await socket.recv() == "one " * 1000 + "two " * 1000 + "three " * 1000


@asynchronous
async def test_a_client_that_does_not_offer_it_gets_plain_messages(server):
    async with connect(server, "/on") as socket:
        await socket.send("x" * 10000)
        assert await socket.recv() == "x" * 10000


def test_short_messages_and_noise_go_uncompressed_and_others_do_not(server):
    client = RawDeflate(server)
    noise = os.urandom(2000)
    for data, compressed in [(b"x" * 255, False), (b"x" * 256, True), (noise, False), (b"y" * 70000, True)]:
        client.send(frame(BINARY, data))
        _, _, payload = client.read_frame()
        assert client.is_compressed == compressed
        assert (inflate(payload) if compressed else payload) == data
        assert len(payload) <= len(data)


def test_control_frame_between_compressed_fragments(server):
    client = RawDeflate(server)
    payload = deflate(b"Hello " * 1000)
    client.send(frame(TEXT, payload[:7], fin=False, reserved=RSV1) + frame(PING, b"?"))
    assert client.read_frame() == (True, PONG, b"?")
    client.send(frame(CONTINUATION, payload[7:]))
    assert inflate(client.read_frame()[2]) == b"Hello " * 1000


# --- what is refused ---


@pytest.mark.parametrize("what, code", [
    (lambda: frame(TEXT, b"\xff" * 20, reserved=RSV1), 1007),
    (lambda: frame(TEXT, deflate(b"a\xff"), reserved=RSV1), 1007),
    (lambda: frame(TEXT, deflate(b"Hello")[:4], reserved=RSV1), 1007),
    (lambda: frame(PING, b"", reserved=RSV1), 1002),
    (lambda: frame(TEXT, b"a", fin=False) + frame(CONTINUATION, b"b", reserved=RSV1), 1002),
    (lambda: frame(TEXT, deflate(b"a"), reserved=RSV1 | 2), 1002),
    (lambda: frame(BINARY, deflate(b"\0" * (MESSAGE_LIMIT + 1)), reserved=RSV1), 1009),
    (lambda: frame(BINARY, deflate(b"\0" * (200 << 20)), reserved=RSV1), 1009),
])
def test_refused(server, what, code):
    client = RawDeflate(server)
    client.send(what())
    assert client.read_close()[0] == code


def test_rsv1_is_refused_where_nothing_was_agreed(server):
    client = RawWebSocket(server, "/on")
    client.send(frame(TEXT, deflate(b"Hello"), reserved=RSV1))
    assert client.read_close()[0] == 1002


def test_one_byte_of_the_limit_after_the_other(server):
    client = RawDeflate(server)
    for byte in frame(BINARY, deflate(b"z" * MESSAGE_LIMIT), reserved=RSV1):
        client.send(bytes([byte]))
    assert inflate(client.read_frame()[2]) == b"z" * MESSAGE_LIMIT


# --- many ---


@asynchronous
async def test_subscribers_of_every_kind_get_every_message_once_and_in_order(server):
    sockets = await asyncio.gather(*(
        open_socket(server, path) for open_socket, path in
        [(compressing, "/room"), (compressing, "/room/takeover"), (compressing, "/room/off"), (connect, "/room")]
        for _ in range(4)))
    for socket in sockets:
        assert await socket.recv() == "welcome"
    expected = []
    for round in range(5):
        for data, times in [(f"message {round} ", 1000), (f"again {round} ", 20), (f"short {round}", 1)]:
            # Published messages do not use the contexts that are kept for a connection; echoes do.
            get(server, f"/publish?topic=room&times={times}&data={data.replace(' ', '%20')}")
            expected.append(data * times)
            for socket in sockets:
                assert await socket.recv() == expected[-1]
            for socket in sockets:
                await socket.send(data * 50)
                assert await socket.recv() == data * 50
    await asyncio.gather(*(socket.close() for socket in sockets))


# --- memory ---


def compression_bytes(server):
    return json.loads(get(server, "/stats").body)["compressionBytes"]


@asynchronous
async def test_contexts_are_bounded_shown_and_given_back(server):
    wait_until(lambda: json.loads(get(server, "/stats").body)["connections"] <= 1, "earlier connections have gone")
    before = compression_bytes(server)
    sockets = await asyncio.gather(*(compressing(server, "/takeover") for _ in range(30)))
    with_takeover = [socket for socket in sockets if socket.extensions[0].remote_no_context_takeover is False]
    assert 3 <= len(with_takeover) <= 6, "room for three in each of two reactors"
    assert compression_bytes(server) >= before + len(with_takeover) * 300 * 1024
    for socket in sockets:
        for _ in range(2):
            await socket.send("hello " * 1000)
            assert await socket.recv() == "hello " * 1000
    assert compression_bytes(server) <= 2 * (2 * 3 * 315 * 1024)
    await asyncio.gather(*(socket.close() for socket in sockets))
    # The contexts that all connections share stay.
    wait_until(lambda: compression_bytes(server) <= before + 2 * (4 * 43 + 264) * 1024, "the contexts were given back")
