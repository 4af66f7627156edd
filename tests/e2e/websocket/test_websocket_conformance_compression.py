"""RFC 7692: families 12 and 13 of the public conformance suite - messages of many sizes and kinds, with each way the
parameters can be negotiated - in our own words, with Python's zlib as the peer."""

import json
import os
import random
import re
import zlib

import pytest

from http_client import HttpConnection
from websocket_client import BINARY, CONTINUATION, TEXT, RawWebSocket, frame, handshake
from websocket_conformance import SERVER, close_frame

_ = SERVER  # read by the fixture

RSV1 = 4
TAIL = b"\0\0\xff\xff"


class Peer(RawWebSocket):
    """A client with the parameters that were agreed on; it keeps a context each way where it may."""

    def __init__(self, server, path, offer):
        HttpConnection.__init__(self, server.address)
        self.send(handshake(path, sec_websocket_extensions=offer))
        response = self.read()
        assert response.status == 101, response
        agreed = response.header("sec-websocket-extensions") or ""
        assert agreed.startswith("permessage-deflate"), agreed
        self.agreed = {}
        for parameter in agreed.split(";")[1:]:
            name, _, value = parameter.strip().partition("=")
            self.agreed[name] = value
        self.out_bits = int(self.agreed.get("client_max_window_bits", 15))
        self.in_bits = int(self.agreed.get("server_max_window_bits", 15))
        self.packer = self.unpacker = None
        self.compressed = self.plain = 0

    def pack(self, data, level=6):
        if self.packer is None or "client_no_context_takeover" in self.agreed:
            # zlib does not make raw data with a window of 8 bits; small messages need no larger one than that.
            self.packer = zlib.compressobj(level, zlib.DEFLATED, -max(self.out_bits, 9))
        return (self.packer.compress(data) + self.packer.flush(zlib.Z_SYNC_FLUSH))[:-4]

    def unpack(self, data):
        if self.unpacker is None or "server_no_context_takeover" in self.agreed:
            self.unpacker = zlib.decompressobj(-max(self.in_bits, 9))
        return self.unpacker.decompress(data + TAIL)

    def say(self, opcode, data, pieces=1):
        packed = self.pack(data)
        cuts = [len(packed) * place // pieces for place in range(pieces + 1)]
        self.send(b"".join(
            frame(CONTINUATION if place else opcode, packed[cuts[place]:cuts[place + 1]], fin=place == pieces - 1,
                  reserved=0 if place else RSV1)
            for place in range(pieces)))

    def hear(self):
        """(opcode, data) of the next message; the server never fragments messages."""
        first, second = self.take(2)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
        payload = self.take(size)
        assert first & 0x80 and not first & 0x30
        if first & 0x40:
            self.compressed += 1
            payload = self.unpack(payload)
        else:
            self.plain += 1
        return first & 0x0F, payload


def english(size, seed=1):
    words = "the of and a to in is you that it he was for on are as with his they at be this have from".split()
    source = random.Random(seed)
    return " ".join(source.choices(words, k=size // 3 + 1))[:size].ljust(size).encode()


def lots_of_json(size, seed=2):
    source = random.Random(seed)
    text = json.dumps([{"id": source.randrange(10**6), "name": f"user {n}", "tags": ["a", "b"]} for n in range(size // 40 + 1)])
    return text[:size].encode()


KINDS = {"english": english, "json": lots_of_json, "noise": lambda size: random.Random(3).randbytes(size),
         "one byte": lambda size: b"*" * size}


# --- 12: kinds and sizes of messages ---


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size, count", [(16, 60), (64, 60), (256, 60), (1024, 40), (4096, 30), (8192, 20), (16384, 20),
                                         (32768, 10), (65536, 10), (131072, 6)])
@pytest.mark.parametrize("path", ["/deflate", "/context"])
def test_12_echo(server, path, kind, size, count):
    data = KINDS[kind](size)
    opcode = BINARY if kind == "noise" else TEXT
    with Peer(server, path, "permessage-deflate; client_max_window_bits") as peer:
        for number in range(count):
            peer.say(opcode, data, pieces=1 + number % 3)
            assert peer.hear() == (opcode, data)
        if kind != "noise" and size > 16:
            assert peer.plain == 0, "what compresses well is sent compressed"
        peer.send(close_frame(1000))
        assert peer.read_close()[0] == 1000


@pytest.mark.parametrize("pieces", [2, 7, 64])
def test_12_message_in_fragments(server, pieces):
    with Peer(server, "/deflate", "permessage-deflate") as peer:
        for size in (100, 131072):
            peer.say(TEXT, english(size), pieces)
            assert peer.hear() == (TEXT, english(size))


# --- 13: ways to negotiate ---

OFFERS = [
    "permessage-deflate",
    "permessage-deflate; client_no_context_takeover",
    "permessage-deflate; server_no_context_takeover",
    "permessage-deflate; client_no_context_takeover; server_no_context_takeover",
    "permessage-deflate; client_max_window_bits",
    "permessage-deflate; client_max_window_bits=9",
    "permessage-deflate; client_max_window_bits=15; server_max_window_bits=15",
    "permessage-deflate; server_max_window_bits=9",
    "permessage-deflate; server_max_window_bits=9; client_max_window_bits=9; server_no_context_takeover",
    'permessage-deflate; client_max_window_bits="10"; server_max_window_bits="12"',
    "permessage-deflate; server_max_window_bits=8, permessage-deflate; server_max_window_bits=10, permessage-deflate",
    "x-unknown; a=b, permessage-deflate",
]


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize("path", ["/deflate", "/context"])
def test_13_what_is_agreed_on_is_kept(server, path, offer):
    with Peer(server, path, offer) as peer:
        first = re.split(r",\s*", offer)
        if "server_no_context_takeover" in first[-1]:
            assert "server_no_context_takeover" in peer.agreed, "a server that accepts it says so (7.1.1.1)"
        if "client_max_window_bits" in peer.agreed:
            assert "client_max_window_bits" in offer, "only where the client has offered it (7.1.2.2)"
        for data in (b"", b"a", english(200), english(200), lots_of_json(40_000), english(70_000), lots_of_json(40_000)):
            peer.say(TEXT, data)
            assert peer.hear() == (TEXT, data)


@pytest.mark.parametrize("offer", [
    "permessage-deflate; client_no_context_takeover=1", "permessage-deflate; server_no_context_takeover=x",
    "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
    "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=09",
    "permessage-deflate; client_max_window_bits=16", "permessage-deflate; client_max_window_bits=x",
    "permessage-deflate; server_max_window_bits=10; server_max_window_bits=10", "permessage-deflate; what_is_this",
])
def test_13_an_offer_with_bad_parameters_is_declined(server, offer):
    with HttpConnection(server.address) as client:
        client.send(handshake("/context", sec_websocket_extensions=offer))
        response = client.read()
        assert response.status == 101 and response.header("sec-websocket-extensions") is None


@pytest.mark.parametrize("data", [
    bytes([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
    bytes([0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
    bytes([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
    bytes([0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
], ids=["7.2.3.1", "7.2.3.3", "7.2.3.4", "7.2.3.5"])
def test_13_the_examples_of_the_rfc(server, data):
    with Peer(server, "/deflate", "permessage-deflate") as peer:
        peer.send(frame(TEXT, data, reserved=RSV1))
        assert peer.hear() == (TEXT, b"Hello")
        peer.send(frame(TEXT, data[:3], fin=False, reserved=RSV1) + frame(CONTINUATION, data[3:]))
        assert peer.hear() == (TEXT, b"Hello")


def test_13_the_example_that_shares_a_window(server):
    """Section 7.2.3.2: the second message refers to the first."""
    with Peer(server, "/context", "permessage-deflate") as peer:
        assert "client_no_context_takeover" not in peer.agreed
        peer.send(frame(TEXT, bytes([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]), reserved=RSV1))
        peer.send(frame(TEXT, bytes([0xF2, 0x00, 0x11, 0x00, 0x00]), reserved=RSV1))
        assert [peer.hear(), peer.hear()] == [(TEXT, b"Hello")] * 2


def test_13_uncompressed_messages_are_taken_between_compressed_ones(server):
    with Peer(server, "/context", "permessage-deflate") as peer:
        data = english(3000)
        for number in range(6):
            if number % 2:
                peer.send(frame(TEXT, data))
            else:
                peer.say(TEXT, data)
            assert peer.hear() == (TEXT, data)


def test_13_an_empty_compressed_message(server):
    with Peer(server, "/deflate", "permessage-deflate") as peer:
        peer.send(frame(TEXT, b"\0", reserved=RSV1))
        assert peer.hear() == (TEXT, b"")


@pytest.mark.parametrize("bad", [b"\x07", b"\xff" * 10, os.urandom(4) + b"\xff\xff\xff", b"\x04" * 5],
                         ids=["reserved-block", "ones", "noise", "invalid-huffman"])
def test_13_what_does_not_inflate_closes(server, bad):
    with Peer(server, "/deflate", "permessage-deflate") as peer:
        peer.send(frame(BINARY, b"\x06" + bad, reserved=RSV1))
        assert peer.read_close()[0] == 1007
