"""RFC 6455, sections 5.2, 5.4, 5.5 and 5.6: framing, pings and pongs, reserved bits, opcodes, fragmentation. The families
1 to 5 and 10 of the public conformance suite, in our own words and numbers."""

import os

import pytest

from websocket_client import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame
from websocket_conformance import SERVER, converse

_ = SERVER  # read by the fixture

HEADER_SIZES = [0, 1, 125, 126, 127, 128, 65535, 65536]
MORE = dict(fin=False)


# --- 1: framing ---


@pytest.mark.parametrize("chop", [0, 997])
@pytest.mark.parametrize("size", HEADER_SIZES)
@pytest.mark.parametrize("opcode", [TEXT, BINARY], ids=["text", "binary"])
def test_1_message_of_each_form_of_length(server, opcode, size, chop):
    data = b"*" * size if opcode == TEXT else os.urandom(size)
    converse(server, frame(opcode, data), (opcode, data), chop=chop)


@pytest.mark.parametrize("key", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\1\2\3\4"])
def test_1_any_masking_key(server, key):
    converse(server, frame(BINARY, bytes(range(256)), key=key), (BINARY, bytes(range(256))))


@pytest.mark.parametrize("size, header", [
    (10, bytes([0x82, 0xFE, 0, 10])), (10, bytes([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, 10])),
    (200, bytes([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, 200])),
], ids=["16-bit-for-10", "64-bit-for-10", "64-bit-for-200"])
def test_1_length_that_is_not_in_its_shortest_form(server, size, header):
    converse(server, header + b"\0\0\0\0" + b"x" * size, failure=1002)


def test_1_length_with_its_highest_bit_set(server):
    converse(server, bytes([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]) + b"\0\0\0\0", failure=1002)


@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, CONTINUATION])
def test_1_frame_without_a_mask(server, opcode):
    converse(server, frame(opcode, b"bare", key=None), failure=1002)


# --- 2: pings and pongs ---


@pytest.mark.parametrize("chop", [0, 1])
@pytest.mark.parametrize("payload", [b"", b"Hello", bytes([0, 0xFF, 0xFE, 0xFD, 0xFC, 0, 0xFF]), b"\xfe" * 125],
                         ids=["empty", "text", "no-utf8", "longest"])
def test_2_ping_is_answered_with_its_payload(server, payload, chop):
    converse(server, frame(PING, payload), (PONG, payload), chop=chop)


def test_2_ping_that_is_too_long(server):
    converse(server, frame(PING, b"\xfe" * 126), failure=1002)


@pytest.mark.parametrize("payload", [b"", b"unasked for"])
def test_2_unsolicited_pong_is_ignored(server, payload):
    converse(server, frame(PONG, payload) + frame(PING, b"then a ping"), (PONG, b"then a ping"))


@pytest.mark.parametrize("chop", [0, 1])
def test_2_ten_pings_are_answered_in_order(server, chop):
    payloads = [b"payload-%d" % number for number in range(10)]
    converse(server, b"".join(frame(PING, payload) for payload in payloads),
             *[(PONG, payload) for payload in payloads], chop=chop)


# --- 3: reserved bits ---


@pytest.mark.parametrize("reserved", range(1, 8))
@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, PONG])
def test_3_reserved_bits_without_an_extension(server, opcode, reserved):
    converse(server, frame(opcode, b"Hello", reserved=reserved), failure=1002)


@pytest.mark.parametrize("chop", [0, 1])
@pytest.mark.parametrize("reserved", [1, 2, 4, 7])
def test_3_reserved_bits_after_a_good_message(server, reserved, chop):
    converse(server, frame(TEXT, b"good"), (TEXT, b"good"), failure=1002, chop=chop,
             then=frame(TEXT, b"bad", reserved=reserved) + frame(PING))


def test_3_reserved_bits_in_a_close_frame(server):
    converse(server, frame(CLOSE, reserved=7), failure=1002)


def test_3_reserved_bits_in_a_later_fragment(server):
    converse(server, frame(TEXT, b"a", **MORE) + frame(CONTINUATION, b"b", reserved=2), failure=1002)


# --- 4: opcodes ---


@pytest.mark.parametrize("payload", [b"", b"reserved opcode payload"])
@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
def test_4_reserved_opcode(server, opcode, payload):
    converse(server, frame(TEXT, b"good"), (TEXT, b"good"), failure=1002, then=frame(opcode, payload) + frame(PING))


@pytest.mark.parametrize("opcode", [3, 15])
def test_4_reserved_opcode_byte_by_byte(server, opcode):
    converse(server, frame(opcode, b"reserved"), failure=1002, chop=1)


# --- 5: fragmentation ---


@pytest.mark.parametrize("opcode", [PING, PONG])
def test_5_control_frames_are_not_fragmented(server, opcode):
    converse(server, frame(opcode, b"first", **MORE) + frame(CONTINUATION, b"second"), failure=1002)


@pytest.mark.parametrize("chop", [0, 1])
@pytest.mark.parametrize("pieces", [(b"frag", b"ment"), (b"", b"ment"), (b"frag", b""), (b"", b""), (b"a",) * 20],
                         ids=["two", "first-empty", "last-empty", "all-empty", "twenty"])
def test_5_message_in_fragments(server, pieces, chop):
    frames = [frame(TEXT if not place else CONTINUATION, piece, fin=place == len(pieces) - 1)
              for place, piece in enumerate(pieces)]
    converse(server, b"".join(frames), (TEXT, b"".join(pieces)), chop=chop)


@pytest.mark.parametrize("chop", [0, 1])
def test_5_ping_between_fragments_is_answered_first(server, chop):
    converse(server, frame(TEXT, b"frag", **MORE) + frame(PING, b"between") + frame(CONTINUATION, b"ment"),
             (PONG, b"between"), (TEXT, b"fragment"), chop=chop)


@pytest.mark.parametrize("chop", [0, 1])
def test_5_pings_between_many_fragments(server, chop):
    sent = (frame(TEXT, b"1", **MORE) + frame(CONTINUATION, b"2", **MORE) + frame(PING, b"one")
            + frame(CONTINUATION, b"3", **MORE) + frame(CONTINUATION, b"4", **MORE) + frame(PING, b"two")
            + frame(CONTINUATION, b"5"))
    converse(server, sent, (PONG, b"one"), (PONG, b"two"), (TEXT, b"12345"), chop=chop)


@pytest.mark.parametrize("chop", [0, 1])
@pytest.mark.parametrize("fin", [True, False])
def test_5_continuation_of_nothing(server, fin, chop):
    converse(server, frame(CONTINUATION, b"of nothing", fin=fin) + frame(TEXT, b"good"), failure=1002, chop=chop)


@pytest.mark.parametrize("fin", [True, False])
def test_5_continuation_after_the_end(server, fin):
    converse(server, frame(TEXT, b"frag", **MORE) + frame(CONTINUATION, b"ment"), (TEXT, b"fragment"), failure=1002,
             then=frame(CONTINUATION, b"more", fin=fin) + frame(TEXT, b"next"))


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_5_message_within_a_message(server, opcode):
    converse(server, frame(TEXT, b"frag", **MORE) + frame(opcode, b"another"), failure=1002)


def test_5_a_message_after_a_fragmented_one(server):
    converse(server, frame(BINARY, b"a", **MORE) + frame(CONTINUATION, b"b") + frame(TEXT, b"c"),
             (BINARY, b"ab"), (TEXT, b"c"))


# --- 10: one message in very many fragments ---


@pytest.mark.parametrize("piece", [1300, 64])
def test_10_message_of_64_kib_in_fragments(server, piece):
    data = os.urandom(65536)
    frames = [frame(BINARY if not at else CONTINUATION, data[at:at + piece], fin=at + piece >= len(data))
              for at in range(0, len(data), piece)]
    converse(server, b"".join(frames), (BINARY, data))
