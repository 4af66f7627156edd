"""RFC 9113 section 5: states of streams, their numbers, how many there may be, priority, errors."""

import pytest

from harness import Server, wait_until
from http2_client import (ACK, CANCEL, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS,
                          MAX_CONCURRENT_STREAMS, PING, PRIORITY, PRIORITY_FLAG, PROTOCOL_ERROR, PUSH_PROMISE, REFUSED_STREAM,
                          RST_STREAM, STREAM_CLOSED, WINDOW_UPDATE, Closed, Http2Connection)
from http2_rules import (SERVER, closed_stream, connection, expect_connection_error, expect_no_error,  # noqa: F401
                         expect_stream_error, open_stream, stream_reset_by_client, stream_reset_by_server, u32,
                         waiting_stream)

PRIORITY_PAYLOAD = u32(0) + b"\x10"


# --- 5.1: idle ---


@pytest.mark.parametrize("stream", [1, 99])
@pytest.mark.parametrize("kind, flags, payload", [(DATA, 0, b"x"), (DATA, END_STREAM, b""), (RST_STREAM, 0, u32(CANCEL)),
                                                  (WINDOW_UPDATE, 0, u32(100)), (CONTINUATION, END_HEADERS, b"")])
def test_on_an_idle_stream(connection, kind, flags, payload, stream):
    connection.send(kind, flags, stream, payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_priority_on_an_idle_stream(connection):
    connection.send(PRIORITY, 0, 1, PRIORITY_PAYLOAD)
    expect_no_error(connection)


# --- 5.1: half-closed (remote) ---


@pytest.mark.parametrize("kind, flags", [(DATA, 0), (DATA, END_STREAM), (HEADERS, END_HEADERS), (HEADERS, END_HEADERS | END_STREAM)])
def test_more_on_a_stream_that_the_client_has_ended(server, connection, kind, flags):
    with waiting_stream(server, connection) as stream:
        connection.send(kind, flags, stream, b"x" if kind == DATA else connection.block([("x-trailer", "1")]))
        expect_connection_error(connection, STREAM_CLOSED)


def test_a_stray_continuation_on_a_stream_that_the_client_has_ended(server, connection):
    with waiting_stream(server, connection) as stream:
        connection.send(CONTINUATION, END_HEADERS, stream, b"")
        expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("kind, payload", [(WINDOW_UPDATE, u32(1)), (PRIORITY, PRIORITY_PAYLOAD), (RST_STREAM, u32(CANCEL))])
def test_what_may_come_on_a_stream_that_the_client_has_ended(server, connection, kind, payload):
    with waiting_stream(server, connection) as stream:
        connection.send(kind, 0, stream, payload)
        expect_no_error(connection)


# --- 5.1: closed ---


@pytest.mark.parametrize("how", [closed_stream, stream_reset_by_client])
@pytest.mark.parametrize("kind, flags", [(DATA, 0), (DATA, END_STREAM), (HEADERS, END_HEADERS), (HEADERS, END_HEADERS | END_STREAM)])
def test_more_on_a_stream_that_is_closed(connection, kind, flags, how):
    stream = how(connection)
    connection.send(kind, flags, stream, b"x" if kind == DATA else connection.block(connection.request_fields()))
    expect_connection_error(connection, STREAM_CLOSED)


@pytest.mark.parametrize("how", [closed_stream, stream_reset_by_client, stream_reset_by_server])
def test_a_stray_continuation_on_a_stream_that_is_closed(connection, how):
    stream = how(connection)
    connection.send(CONTINUATION, END_HEADERS, stream, b"")
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("how", [closed_stream, stream_reset_by_client, stream_reset_by_server])
@pytest.mark.parametrize("kind, payload", [(WINDOW_UPDATE, u32(1)), (PRIORITY, PRIORITY_PAYLOAD), (RST_STREAM, u32(CANCEL))])
def test_what_may_come_on_a_stream_that_is_closed(connection, kind, payload, how):
    connection.send(kind, 0, how(connection), payload)
    expect_no_error(connection)


@pytest.mark.parametrize("kind, flags", [(DATA, 0), (DATA, END_STREAM), (HEADERS, END_HEADERS | END_STREAM)])
def test_what_was_on_its_way_to_a_stream_that_the_server_has_reset(connection, kind, flags):
    stream = stream_reset_by_server(connection)
    for _ in range(3 if kind == DATA else 1):
        connection.send(kind, flags, stream, b"x" * 5000 if kind == DATA else connection.block([("x-late-trailer", "1")]))
    expect_no_error(connection)


def test_late_trailers_are_decoded_all_the_same(connection):
    """The table of compression goes on with what was passed over."""
    stream = stream_reset_by_server(connection)
    connection.send(HEADERS, END_HEADERS | END_STREAM, stream, connection.block([("x-late", "in the table")]))
    import json
    seen = json.loads(connection.request("/inspect", more=[("x-late", "in the table")]).body)
    assert seen["headers"]["x-late"] == ["in the table"]


def test_streams_that_closed_long_ago_are_still_closed(connection):
    for _ in range(300):
        closed_stream(connection)
    connection.send(DATA, END_STREAM, 1, b"x")
    expect_connection_error(connection, STREAM_CLOSED)


# --- 5.1.1: numbers of streams ---


@pytest.mark.parametrize("stream", [2, 4, 100])
def test_clients_have_odd_numbers(connection, stream):
    connection.begin(stream=stream)
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("first, second", [(5, 3), (5, 1), (99, 97), (2**31 - 1, 1)])
def test_numbers_only_grow(connection, first, second):
    stream = connection.begin(stream=first)
    assert connection.response(stream).status == 200
    connection.begin(stream=second)
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_numbers_only_grow_while_others_are_open(server, connection):
    connection.begin("/wait", stream=7)
    connection.begin(stream=5)
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_numbers_may_leave_gaps(connection):
    for stream in (1, 9, 101, 2**31 - 1):
        assert connection.response(connection.begin(stream=stream)).status == 200


# --- 5.1.2: how many at once ---


def test_one_stream_too_many(connection):
    allowed = connection.server_settings[MAX_CONCURRENT_STREAMS]
    for _ in range(allowed):
        open_stream(connection)
    assert connection.is_alive()
    open_stream(connection)
    expect_connection_error(connection, PROTOCOL_ERROR)


def test_one_stream_too_many_before_the_client_can_know(server):
    from http2_client import PREFACE, SETTINGS, frame
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE + frame(SETTINGS))
        streams = [open_stream(connection) for _ in range(129)]
        assert connection.stream_error(streams[-1]) == REFUSED_STREAM
        connection.send(DATA, END_STREAM, streams[-1], b"on its way")
        connection.send(DATA, END_STREAM, streams[0], b"body")
        assert connection.response(streams[0]).body == b"body"


def test_streams_that_ended_make_room(connection):
    for _ in range(connection.server_settings[MAX_CONCURRENT_STREAMS] * 2):
        assert connection.request().status == 200


# --- 5.3: priority, which RFC 9113 has taken back ---


@pytest.mark.parametrize("depends_on", [0, 3, 5, 99])
def test_priority_is_read_and_of_no_consequence(connection, depends_on):
    block = connection.block(connection.request_fields())
    connection.send(HEADERS, END_HEADERS | END_STREAM | PRIORITY_FLAG, 1, u32(depends_on) + b"\xff" + block)
    connection.next_stream = 3
    assert connection.response(1).status == 200
    connection.send(PRIORITY, 0, 3, u32(depends_on if depends_on != 3 else 1) + b"\x00")
    expect_no_error(connection)


# --- 5.4: errors ---


def test_an_error_names_the_last_stream_and_the_reason(connection):
    assert connection.request().status == 200
    connection.request()
    connection.send(DATA, 0, 0, b"x")
    got = connection.read_until(lambda got: got.kind == GOAWAY)
    assert int.from_bytes(got.payload[:4], "big") == 3
    with pytest.raises(Closed):
        while True:
            connection.read_frame()


def test_an_error_of_a_connection_ends_its_handlers(server, connection):
    before = len(server.events("cancelled"))
    with waiting_stream(server, connection):
        connection.send(PING, 0, 1, b"12345678")
        expect_connection_error(connection, PROTOCOL_ERROR)
    wait_until(lambda: len(server.events("cancelled")) > before, "the handler was cancelled")


def test_an_error_of_a_stream_leaves_the_others_alone(server, connection):
    other = open_stream(connection)
    stream_reset_by_server(connection)
    connection.send(DATA, END_STREAM, other, b"untouched")
    assert connection.response(other).body == b"untouched"
