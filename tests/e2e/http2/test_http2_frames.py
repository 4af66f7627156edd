"""RFC 9113 section 6: what each kind of frame must be like."""

import pytest

from harness import wait_until
from http2_client import (ACK, CANCEL, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENABLE_PUSH, FLOW_CONTROL_ERROR,
                          FRAME_SIZE_ERROR, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, NO_ERROR, PADDED, PING,
                          PRIORITY, PRIORITY_FLAG, PROTOCOL_ERROR, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE,
                          Closed, Http2Connection, settings_payload)
from http2_rules import (SERVER, connection, expect_connection_error, expect_no_error,  # noqa: F401
                         expect_stream_error, open_stream, u32, waiting_stream)

MOST = 2**31 - 1


# --- which frames belong to streams, and which to the connection ---


@pytest.mark.parametrize("kind, flags, payload", [
    (DATA, 0, b"x"), (DATA, END_STREAM, b""), (HEADERS, END_HEADERS | END_STREAM, b"\x82\x84\x86"), (PRIORITY, 0, b"\0" * 5),
    (RST_STREAM, 0, u32(0)), (CONTINUATION, END_HEADERS, b""), (PUSH_PROMISE, END_HEADERS, u32(2))])
def test_frames_of_streams_on_none(connection, kind, flags, payload):
    connection.send(kind, flags, 0, payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("kind, payload", [(SETTINGS, b""), (PING, b"12345678"), (GOAWAY, u32(0) * 2)])
@pytest.mark.parametrize("stream", [1, 2, 3])
def test_frames_of_the_connection_on_a_stream(connection, kind, payload, stream):
    open_stream(connection)
    connection.send(kind, 0, stream, payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


# --- how long they are ---


@pytest.mark.parametrize("kind, size", [(RST_STREAM, 0), (RST_STREAM, 3), (RST_STREAM, 5), (SETTINGS, 1), (SETTINGS, 5),
                                        (SETTINGS, 7), (PING, 0), (PING, 7), (PING, 9), (GOAWAY, 0), (GOAWAY, 7),
                                        (WINDOW_UPDATE, 0), (WINDOW_UPDATE, 3), (WINDOW_UPDATE, 5), (PRIORITY, 0), (PRIORITY, 4),
                                        (PRIORITY, 6)])
def test_frames_of_a_wrong_length(connection, kind, size):
    stream = open_stream(connection)
    connection.send(kind, 0, stream if kind in (RST_STREAM, PRIORITY) else 0, b"\0" * size)
    expect_connection_error(connection, FRAME_SIZE_ERROR)


def test_window_update_of_a_stream_with_a_wrong_length(connection):
    connection.send(WINDOW_UPDATE, 0, open_stream(connection), b"\0" * 3)
    expect_connection_error(connection, FRAME_SIZE_ERROR)


# --- 6.1: DATA ---


@pytest.mark.parametrize("padding, payload", [(5, b"\x05"), (10, b"\x0axxxxxxxxx"), (255, b"\xffx")])
def test_padding_of_data_longer_than_the_frame(connection, padding, payload):
    connection.send(DATA, PADDED, open_stream(connection), payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_padded_data_without_a_length(connection):
    connection.send(DATA, PADDED, open_stream(connection), b"")
    expect_connection_error(connection, FRAME_SIZE_ERROR)


@pytest.mark.parametrize("padding", [0, 1, 7, 255])
@pytest.mark.parametrize("body", [b"", b"x", b"a body"])
def test_padding_of_data_is_taken_off(connection, padding, body):
    stream = open_stream(connection)
    connection.send(DATA, PADDED | END_STREAM, stream, bytes([padding]) + body + b"\0" * padding)
    assert connection.response(stream).body == body


def test_padding_counts_for_the_window_and_is_given_back(connection):
    stream = open_stream(connection, "/hash")
    for _ in range(1000):  # 256 KiB of padding: more than the stream's window
        connection.send(DATA, PADDED, stream, b"\xffx" + b"\0" * 255)
        if _ % 100 == 0:
            assert connection.is_alive()
    connection.send(DATA, END_STREAM, stream)
    assert b'"bytes":1000' in connection.response(stream).body


# --- 6.2: HEADERS ---


@pytest.mark.parametrize("flags, payload", [(PADDED, b"\x05\x82"), (PADDED, b"\xff"), (PADDED | PRIORITY_FLAG, b"\x09" + b"\0" * 5)])
def test_padding_of_headers_longer_than_the_frame(connection, flags, payload):
    connection.send(HEADERS, flags | END_HEADERS | END_STREAM, 1, payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("flags, payload", [(PADDED, b""), (PRIORITY_FLAG, b"\0" * 4), (PADDED | PRIORITY_FLAG, b"\0" * 5)])
def test_headers_too_short_for_what_their_flags_promise(connection, flags, payload):
    connection.send(HEADERS, flags | END_HEADERS | END_STREAM, 1, payload)
    expect_connection_error(connection, FRAME_SIZE_ERROR)


@pytest.mark.parametrize("padding", [0, 1, 255])
@pytest.mark.parametrize("priority", [False, True])
def test_padding_of_headers_is_taken_off(connection, padding, priority):
    block = connection.block(connection.request_fields())
    payload = bytes([padding]) + (u32(0) + b"\x10" if priority else b"") + block + b"\0" * padding
    flags = PADDED | END_HEADERS | END_STREAM | (PRIORITY_FLAG if priority else 0)
    connection.send(HEADERS, flags, 1, payload)
    assert connection.response(1).status == 200


# --- 6.4: RST_STREAM ---


@pytest.mark.parametrize("code", [0, 8, 2, 0xFFFFFFFF])
def test_any_code_resets_a_stream(server, connection, code):
    before = len(server.events("cancelled"))
    with waiting_stream(server, connection) as stream:
        connection.send(RST_STREAM, 0, stream, u32(code))
        wait_until(lambda: len(server.events("cancelled")) > before, "the handler was cancelled")
    expect_no_error(connection)


# --- 6.5: SETTINGS ---


def test_an_acknowledgement_has_no_payload(connection):
    connection.send(SETTINGS, ACK, 0, settings_payload((INITIAL_WINDOW_SIZE, 1)))
    expect_connection_error(connection, FRAME_SIZE_ERROR)


@pytest.mark.parametrize("key, value, code", [
    (ENABLE_PUSH, 2, PROTOCOL_ERROR), (ENABLE_PUSH, 2**32 - 1, PROTOCOL_ERROR),
    (INITIAL_WINDOW_SIZE, 2**31, FLOW_CONTROL_ERROR), (INITIAL_WINDOW_SIZE, 2**32 - 1, FLOW_CONTROL_ERROR),
    (MAX_FRAME_SIZE, 16383, PROTOCOL_ERROR), (MAX_FRAME_SIZE, 0, PROTOCOL_ERROR), (MAX_FRAME_SIZE, 2**24, PROTOCOL_ERROR)])
def test_settings_that_cannot_be(connection, key, value, code):
    connection.send(SETTINGS, 0, 0, settings_payload((key, value)))
    expect_connection_error(connection, code)


@pytest.mark.parametrize("pairs", [[], [(1, 0)], [(1, 2**32 - 1)], [(2, 0)], [(2, 1)], [(3, 0)], [(4, 0), (4, 65535)],
                                   [(4, MOST)], [(5, 2**24 - 1)], [(6, 0)], [(0x99, 1)], [(0xFFFF, 2**32 - 1)], [(1, 0), (1, 4096)]])
def test_settings_are_acknowledged(connection, pairs):
    connection.send(SETTINGS, 0, 0, settings_payload(*pairs))
    connection.read_until(lambda got: got.kind == SETTINGS and got.flags & ACK)
    assert connection.request("/hello").status == 200


# --- 6.6: PUSH_PROMISE ---


def test_clients_push_nothing(connection):
    connection.send(PUSH_PROMISE, END_HEADERS, open_stream(connection), u32(2) + connection.block(connection.request_fields()))
    expect_connection_error(connection, PROTOCOL_ERROR)


# --- 6.7: PING ---


@pytest.mark.parametrize("payload", [b"\0" * 8, b"\xff" * 8, b"12345678"])
def test_a_ping_is_answered_with_its_payload(connection, payload):
    connection.send(PING, 0, 0, payload)
    got = connection.read_until(lambda got: got.kind == PING)
    assert (got.flags, got.payload, got.stream) == (ACK, payload, 0)


def test_an_answer_to_no_ping_is_not_answered(connection):
    connection.send(PING, ACK, 0, b"unasked!")
    connection.send(PING, 0, 0, b"question")
    assert connection.read_until(lambda got: got.kind == PING).payload == b"question"


# --- 6.8: GOAWAY ---


@pytest.mark.parametrize("code", [NO_ERROR, PROTOCOL_ERROR, 0xFFFFFFFF])
def test_a_client_that_says_goodbye_gets_its_answers(connection, code):
    stream = connection.begin("/stream?n=3")
    connection.send(GOAWAY, 0, 0, u32(0) + u32(code) + b"debug data")
    assert connection.response(stream).ended


def test_a_client_that_has_said_goodbye_is_closed_when_its_streams_have_ended(connection):
    stream = connection.begin("/stream?n=3")
    connection.send(GOAWAY, 0, 0, u32(0) + u32(NO_ERROR))
    connection.send(PING, 0, 0, b"question")
    assert connection.read_until(lambda got: got.kind == PING).payload == b"question"
    assert connection.response(stream).ended
    assert connection.read_until(lambda got: got.kind == GOAWAY).code == NO_ERROR
    with pytest.raises(Closed):
        connection.read_frame()


def test_a_client_that_says_goodbye_and_awaits_nothing_is_closed(connection):
    connection.send(GOAWAY, 0, 0, u32(0) + u32(NO_ERROR))
    assert connection.read_until(lambda got: got.kind == GOAWAY).code == NO_ERROR
    with pytest.raises(Closed):
        connection.read_frame()


# --- 6.9: WINDOW_UPDATE and flow control ---


def test_a_window_grown_by_nothing(connection):
    connection.send(WINDOW_UPDATE, 0, 0, u32(0))
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_a_stream_s_window_grown_by_nothing(connection):
    stream = open_stream(connection)
    connection.send(WINDOW_UPDATE, 0, stream, u32(0))
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("steps", [[MOST], [1000, MOST], [MOST - 65535, 1]])
def test_a_window_over_the_maximum(connection, steps):
    for step in steps:
        connection.send(WINDOW_UPDATE, 0, 0, u32(step))
    expect_connection_error(connection, FLOW_CONTROL_ERROR)


@pytest.mark.parametrize("steps", [[MOST], [1000, MOST], [MOST - 65535, 1]])
def test_a_stream_s_window_over_the_maximum(connection, steps):
    stream = open_stream(connection)
    for step in steps:
        connection.send(WINDOW_UPDATE, 0, stream, u32(step))
    expect_stream_error(connection, stream, FLOW_CONTROL_ERROR)


def test_settings_that_push_a_window_over_the_maximum(connection):
    stream = open_stream(connection)
    connection.send(WINDOW_UPDATE, 0, stream, u32(MOST - 65535))
    connection.send(SETTINGS, 0, 0, settings_payload((INITIAL_WINDOW_SIZE, 65536)))
    # RFC 9113 6.9.2 would end the connection; nghttp2 ends the stream.
    expect_stream_error(connection, stream, FLOW_CONTROL_ERROR)


def expect_just(connection, stream, count):
    """So many bytes of the body come, and no more; an answer to a ping overtakes them."""
    body = lambda: len(connection.responses[stream].body)  # noqa: E731
    while body() < count:
        connection.read_frame()
    for _ in range(2):
        assert connection.is_alive() and body() == count


@pytest.mark.parametrize("window", [0, 1, 100])
def test_no_more_is_sent_than_the_window_of_a_stream(server, window):
    with Http2Connection(server.address, settings=[(INITIAL_WINDOW_SIZE, window)]) as connection:
        connection.credits = False
        stream = connection.begin("/bytes?n=1000")
        connection.read_until(lambda got: got.kind == HEADERS)
        expect_just(connection, stream, window)
        connection.send(WINDOW_UPDATE, 0, stream, u32(10))
        expect_just(connection, stream, window + 10)
        connection.send(WINDOW_UPDATE, 0, stream, u32(100000))
        assert len(connection.response(stream).body) == 1000


def test_no_more_is_sent_than_the_window_of_the_connection(connection):
    connection.credits = False
    connection.send(SETTINGS, 0, 0, settings_payload((INITIAL_WINDOW_SIZE, MOST)))
    streams = [connection.begin("/bytes?n=40000") for _ in range(3)]
    got = lambda: sum(len(connection.responses[stream].body) for stream in streams if stream in connection.responses)  # noqa: E731
    while got() < 65535:
        connection.read_frame()
    assert connection.is_alive() and got() == 65535
    connection.send(WINDOW_UPDATE, 0, 0, u32(100000))
    for stream in streams:
        assert len(connection.response(stream).body) == 40000


def test_a_window_that_settings_made_negative(connection):
    connection.credits = False
    stream = connection.begin("/bytes?n=100000")
    while len(getattr(connection.responses.get(stream), "body", b"")) < 65535:
        connection.read_frame()
    connection.send(WINDOW_UPDATE, 0, 0, u32(200000))
    connection.send(SETTINGS, 0, 0, settings_payload((INITIAL_WINDOW_SIZE, 1000)))  # now 1000 - 65535
    connection.send(WINDOW_UPDATE, 0, stream, u32(64535))  # 0
    expect_just(connection, stream, 65535)
    connection.send(WINDOW_UPDATE, 0, stream, u32(7))
    expect_just(connection, stream, 65542)


def test_more_than_the_server_s_window(connection):
    """The handler of this path reads its body only when it is complete, and 8 MiB is as much as it may be."""
    stream = open_stream(connection)
    window = connection.server_settings[INITIAL_WINDOW_SIZE]
    connection.send_raw(b"".join(
        (16384).to_bytes(3, "big") + bytes([DATA, 0]) + u32(stream) + b"x" * 16384 for _ in range(2 * window // 16384)))
    # What was taken is credited at once, so this may pass; what may not is a server that loses count.
    expect_no_error(connection)


# --- 6.10: CONTINUATION ---


@pytest.mark.parametrize("flags", [0, END_HEADERS])
def test_a_continuation_of_nothing(connection, flags):
    stream = open_stream(connection)
    connection.send(CONTINUATION, flags, stream, b"\x82")
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_a_continuation_of_a_block_that_has_ended(connection):
    block = connection.block(connection.request_fields())
    connection.send(HEADERS, END_STREAM, 1, block[:5])
    connection.send(CONTINUATION, END_HEADERS, 1, block[5:])
    connection.send(CONTINUATION, END_HEADERS, 1, b"\x82")
    expect_connection_error(connection, PROTOCOL_ERROR)
