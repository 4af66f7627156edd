"""Long messages, long in pieces, and many: family 9 of the public conformance suite, bounded so that it takes seconds."""

import os
import threading

import pytest

from websocket_client import BINARY, CONTINUATION, TEXT, RawWebSocket, frame
from websocket_conformance import SERVER, answers, close_frame, send_chopped

_ = SERVER  # read by the fixture

MIB = 1 << 20


def echoed(server, sent, *expected, chop=0):
    """Sends from another thread, for echoes may come while there is more to send."""
    with RawWebSocket(server) as client:
        sender = threading.Thread(target=send_chopped, args=(client, sent, chop))
        sender.start()
        answers(client, *expected)
        sender.join()
        client.send(close_frame(1000))
        assert client.read_close()[0] == 1000


@pytest.mark.parametrize("size", [65536, 262144, MIB, 4 * MIB, 16 * MIB], ids=lambda size: f"{size >> 10}KiB")
@pytest.mark.parametrize("opcode", [TEXT, BINARY], ids=["text", "binary"])
def test_9_big_message(server, opcode, size):
    data = (b"0123456789abcdef" * (size // 16)) if opcode == TEXT else os.urandom(size)
    echoed(server, frame(opcode, data), (opcode, data))


@pytest.mark.parametrize("piece", [64, 256, 1024, 4096, 16384, 65536, 262144, MIB])
@pytest.mark.parametrize("opcode", [TEXT, BINARY], ids=["text", "binary"])
def test_9_big_message_in_fragments(server, opcode, piece):
    size = min(4 * MIB, piece * 1000)
    data = b"x" * size if opcode == TEXT else os.urandom(size)
    frames = [frame(opcode if not at else CONTINUATION, data[at:at + piece], fin=at + piece >= size)
              for at in range(0, size, piece)]
    echoed(server, b"".join(frames), (opcode, data))


@pytest.mark.parametrize("chop", [64, 128, 256, 512, 1024, 2048])
@pytest.mark.parametrize("opcode", [TEXT, BINARY], ids=["text", "binary"])
def test_9_big_message_in_small_writes(server, opcode, chop):
    data = b"y" * (chop * 512)
    echoed(server, frame(opcode, data), (opcode, data), chop=chop)


@pytest.mark.parametrize("size", [0, 16, 64, 256, 1024, 4096])
@pytest.mark.parametrize("opcode", [TEXT, BINARY], ids=["text", "binary"])
def test_9_a_thousand_messages(server, opcode, size):
    echoed(server, frame(opcode, b"*" * size) * 1000, *[(opcode, b"*" * size)] * 1000)


@pytest.mark.parametrize("size", [16 * MIB + 1, 1 << 40, (1 << 63) - 1])
def test_9_one_byte_too_many_is_refused_before_it_comes(server, size):
    with RawWebSocket(server) as client:
        client.send(b"\x82\xff" + size.to_bytes(8, "big") + b"\0\0\0\0")
        assert client.read_close()[0] == 1009


def test_9_too_much_in_fragments_is_refused(server):
    with RawWebSocket(server) as client:
        client.send(frame(BINARY, b"x" * (16 * MIB - 10), fin=False) + frame(CONTINUATION, b"y" * 11)[:50])
        assert client.read_close()[0] == 1009
