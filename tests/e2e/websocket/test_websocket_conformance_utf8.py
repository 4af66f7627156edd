"""RFC 6455, sections 5.6 and 8.1, and RFC 3629: text is UTF-8, whole and in pieces. Family 6 of the public conformance suite,
in our own words."""

import pytest

from websocket_client import BINARY, CONTINUATION, PING, PONG, TEXT, RawWebSocket, frame
from websocket_conformance import SERVER, answers, close_frame, converse

_ = SERVER  # read by the fixture

MORE = dict(fin=False)
MIXED = "κόσμε, ß, 水, 😀".encode()

VALID = {
    "each length, lowest": "\0\x80ࠀ\U00010000".encode(),
    "each length, highest": "\x7f߿￿\U0010ffff".encode(),
    "around the surrogates": "\ud7ff\ue000".encode(),
    "byte order mark": b"\xef\xbb\xbf",
    "noncharacters": "\ufdd0\ufdef￾￿\U0001fffe\U0001ffff\U0010fffe\U0010ffff".encode(),
    "replacement character": b"\xef\xbf\xbd",
    "private use": "\uf8ff\U000f0000".encode(),
    "combining": "e\u0301\u20e3".encode(),
}
# After each of these bytes comes nothing, or something, that cannot follow (RFC 3629 section 4).
INVALID = {
    "continuation alone": b"\x80", "last continuation alone": b"\xbf", "continuations": b"\x80\xbf\x80\xbf\x80\xbf",
    "all continuations": bytes(range(0x80, 0xC0)),
    "2 cut off": b"\xc2", "3 cut off": b"\xe0\xa0", "3 cut off after one": b"\xe1", "4 cut off": b"\xf0\x90\x80",
    "4 cut off after one": b"\xf4",
    "2 then ascii": b"\xc2 ", "3 then ascii": b"\xe1\x80 ", "4 then ascii": b"\xf1\x80\x80 ",
    "each 2-byte start alone": b" ".join(bytes([byte]) for byte in range(0xC2, 0xE0)),
    "each 3-byte start alone": b" ".join(bytes([byte]) for byte in range(0xE0, 0xF0)),
    "FE": b"\xfe", "FF": b"\xff", "FE FF": b"\xfe\xfe\xff\xff",
    "5-byte form": b"\xf8\x88\x80\x80\x80", "6-byte form": b"\xfc\x84\x80\x80\x80\x80", "F5": b"\xf5\x80\x80\x80",
    "overlong slash, 2": b"\xc0\xaf", "overlong slash, 3": b"\xe0\x80\xaf", "overlong slash, 4": b"\xf0\x80\x80\xaf",
    "overlong highest, 2": b"\xc1\xbf", "overlong highest, 3": b"\xe0\x9f\xbf", "overlong highest, 4": b"\xf0\x8f\xbf\xbf",
    "overlong NUL": b"\xc0\x80", "surrogate D800": b"\xed\xa0\x80", "surrogate DFFF": b"\xed\xbf\xbf",
    "surrogate pair": b"\xed\xa0\xbd\xed\xb8\x80", "beyond U+10FFFF": b"\xf4\x90\x80\x80", "U+1FFFFF": b"\xf7\xbf\xbf\xbf",
}


def fragments(data, size):
    pieces = [data[at:at + size] for at in range(0, len(data), size)] or [b""]
    return b"".join(frame(TEXT if not place else CONTINUATION, piece, fin=place == len(pieces) - 1)
                    for place, piece in enumerate(pieces))


@pytest.mark.parametrize("text", VALID.values(), ids=VALID)
def test_6_valid(server, text):
    converse(server, frame(TEXT, text) + frame(TEXT, b"." * 40 + text + b"." * 40), (TEXT, text),
             (TEXT, b"." * 40 + text + b"." * 40))


@pytest.mark.parametrize("text", VALID.values(), ids=VALID)
def test_6_valid_with_each_byte_in_a_fragment(server, text):
    converse(server, fragments(text, 1), (TEXT, text))


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
def test_6_invalid(server, text):
    converse(server, frame(TEXT, MIXED + text), failure=1007)


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
def test_6_invalid_with_each_byte_in_a_fragment(server, text):
    converse(server, fragments(MIXED + text, 1), failure=1007)


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
def test_6_invalid_far_behind_ascii(server, text):
    converse(server, frame(TEXT, b"a" * 1000 + text + b"b" * 1000), failure=1007)


def test_6_no_text_at_all(server):
    converse(server, frame(TEXT), (TEXT, b""))
    converse(server, frame(TEXT, **MORE) + frame(CONTINUATION, **MORE) + frame(CONTINUATION), (TEXT, b""))
    converse(server, frame(TEXT, **MORE) + frame(CONTINUATION, b"middle", **MORE) + frame(CONTINUATION), (TEXT, b"middle"))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_6_fragments_need_not_end_with_a_character(server, size):
    converse(server, fragments(MIXED, size), (TEXT, MIXED))


def test_6_text_sent_byte_by_byte(server):
    converse(server, frame(TEXT, MIXED), (TEXT, MIXED), chop=1)


def test_6_a_fragment_that_cannot_become_text_fails_before_the_message_is_whole(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, MIXED, **MORE) + frame(CONTINUATION, b"\xf4\x90", **MORE))
        assert client.read_close()[0] == 1007
        client.send(close_frame(1007))
        assert client.at_end()


@pytest.mark.parametrize("size", [100, 20_000, 500_000])
def test_6_a_frame_that_cannot_become_text_fails_before_it_is_whole(server, size):
    whole = frame(TEXT, b"x" * size + b"\xff" + b"x" * 1_000_000)
    head = len(whole) - size - 1 - 1_000_000
    with RawWebSocket(server) as client:
        client.send(whole[:head + size])
        client.send(whole[head + size:head + size + 1])
        assert client.read_close()[0] == 1007
        client.send(close_frame(1007))
        assert client.at_end()


def test_6_what_may_still_become_text_is_waited_for(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, MIXED + b"\xf4", **MORE) + frame(PING, b"still there?"))
        answers(client, (PONG, b"still there?"))
        client.send(frame(CONTINUATION, b"\x8f\xbf\xbf"))
        answers(client, (TEXT, MIXED + b"\xf4\x8f\xbf\xbf"))


def test_6_binary_need_not_be_text(server):
    for data in INVALID.values():
        converse(server, frame(BINARY, data), (BINARY, data))
