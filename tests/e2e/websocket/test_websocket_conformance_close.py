"""RFC 6455, sections 5.5.1, 7.1 and 7.4: closing. Family 7 of the public conformance suite, in our own words."""

import struct

import pytest

from websocket_client import CLOSE, CONTINUATION, PING, TEXT, RawWebSocket, frame
from websocket_conformance import SERVER, answers, close_frame, converse

_ = SERVER  # read by the fixture


def closed_with(client):
    """The code of the close frame that comes next, and last."""
    code = client.read_close()[0]
    assert client.at_end()
    return code


def test_7_message_then_close(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, b"last words"))
        answers(client, (TEXT, b"last words"))
        client.send(close_frame(1000))
        assert closed_with(client) == 1000


@pytest.mark.parametrize("after", [
    close_frame(1000), frame(PING, b"too late"), frame(TEXT, b"too late"), frame(CONTINUATION, b"too late"),
    frame(TEXT, b"x" * 262144), b"\xff" * 100,
], ids=["close", "ping", "text", "continuation", "256-kib", "noise"])
def test_7_nothing_counts_after_a_close(server, after):
    with RawWebSocket(server) as client:
        client.send(close_frame(1000) + after)
        assert closed_with(client) == 1000


def test_7_close_within_a_fragmented_message(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, b"begun", fin=False) + close_frame(1000) + frame(CONTINUATION, b"ended"))
        assert closed_with(client) == 1000


def test_7_close_behind_a_big_message(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, b"x" * 262144) + close_frame(1001) + frame(PING))
        # The echo may come in time or not; the close is answered in any case, and last.
        _, opcode, payload = client.read_frame()
        if opcode == TEXT:
            assert payload == b"x" * 262144
            _, opcode, payload = client.read_frame()
        assert opcode == CLOSE and payload[:2] == struct.pack(">H", 1001)
        assert client.at_end()


def test_7_close_without_a_code_is_answered_without_one(server):
    with RawWebSocket(server) as client:
        client.send(close_frame())
        assert client.read_frame() == (True, CLOSE, b"")
        assert client.at_end()


@pytest.mark.parametrize("reason", [b"", b"Goodbye", "Auf Wiedersehen, κόσμε".encode(), b"*" * 123],
                         ids=["none", "ascii", "utf8", "longest"])
@pytest.mark.parametrize("chop", [0, 1])
def test_7_close_with_a_reason(server, reason, chop):
    with RawWebSocket(server) as client:
        data = close_frame(1000, reason)
        for at in range(0, len(data), chop or len(data)):
            client.send(data[at:at + (chop or len(data))])
        assert closed_with(client) == 1000


@pytest.mark.parametrize("bad, code", [
    (frame(CLOSE, b"\x03"), 1002), (close_frame(1000, b"*" * 124), 1002), (frame(CLOSE, fin=False), 1002),
    (close_frame(1000, b"\xce\xba\xed\xa0\x80edited"), 1007), (close_frame(1000, b"\xf0\x9f\x98"), 1007),
], ids=["one-byte", "too-long", "fragmented", "reason-no-utf8", "reason-cut-off"])
def test_7_close_that_is_malformed(server, bad, code):
    with RawWebSocket(server) as client:
        client.send(bad)
        assert client.read_close()[0] == code
        client.send(close_frame(code))
        assert client.at_end()


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
def test_7_codes_that_may_be_sent(server, code):
    with RawWebSocket(server) as client:
        client.send(close_frame(code))
        assert closed_with(client) == code


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
def test_7_codes_that_may_not_be_sent(server, code):
    with RawWebSocket(server) as client:
        client.send(close_frame(code))
        assert client.read_close()[0] == 1002
        client.send(close_frame(1002))
        assert client.at_end()


def test_7_a_client_that_never_answers_our_close_is_left(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, b"\xff"))
        assert client.read_close()[0] == 1007
        assert client.at_end(), "the server does not wait for ever"


@pytest.mark.parametrize("wrong, code", [(b"\x81\x02no", 1002), (frame(TEXT, b"\xff"), 1007), (frame(CONTINUATION), 1002)],
                         ids=["unmasked", "no-utf8", "nothing-to-continue"])
def test_7_what_came_whole_before_an_error_is_answered_before_the_close(server, wrong, code):
    texts = [b"short", b"l" * 300_000, b"last"]
    converse(server, b"".join(frame(TEXT, text) for text in texts) + wrong + frame(TEXT, b"too late"),
             *((TEXT, text) for text in texts), failure=code)
