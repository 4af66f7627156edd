"""RFC 9113 sections 3.4 (preface), 4.1 (frame format), 4.2 (frame size), 4.3 (header blocks) and 5.5 (extensions)."""

import ssl

import pytest

from certificates import Certificates
from harness import Server
from http2_client import (ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, FRAME_SIZE_ERROR, GOAWAY, HEADERS, PING,
                          PREFACE, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE,
                          COMPRESSION_ERROR, Http2Connection, frame, settings_payload)
from http2_rules import (SERVER, connection, expect_connection_error, expect_no_error,  # noqa: F401
                         expect_stream_error, open_stream, u32)
from http_client import HttpConnection

UNKNOWN = 0x42


@pytest.fixture(scope="module")
def secure(mode, tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    context = ssl.create_default_context(cafile=made.path("ca.pem"))
    context.set_alpn_protocols(["h2"])
    with Server("http2.php", mode, ports=6, env={"CERTIFICATES": str(made.folder)}) as server:
        yield lambda: Http2Connection(("127.0.0.1", server.ports[3]), preface=False,
                                      wrap=lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1"))


# --- 3.4: the preface ---


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nhost: a\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\rX" + b" " * 30,
                                   b"\0" * 24, PREFACE[1:] + b" ", PREFACE.lower()])
def test_after_alpn_anything_but_the_preface_is_an_error(secure, first):
    with secure() as connection:
        connection.send_raw(first)
        expect_connection_error(connection, PROTOCOL_ERROR)
    with secure() as connection:
        connection.send_raw(PREFACE + frame(SETTINGS))
        assert connection.request("/hello").status == 200


@pytest.mark.parametrize("first", [PREFACE[:-1] + b"X", b"PRI * HTTP/2.0\r\n\r\nGET / HTTP/1.1\r\n\r\n", PREFACE[:4] + b"/ HTTP/2.0\r\n\r\n"])
def test_in_clear_text_what_is_no_preface_is_a_request_of_http_1(server, first):
    with HttpConnection(server.address) as connection:
        connection.send(first)
        assert connection.read().status in (400, 505)


def test_the_server_begins_with_settings(server):
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE)
        got = connection.read_frame()
        assert (got.kind, got.flags & ACK, got.stream) == (SETTINGS, 0, 0)


@pytest.mark.parametrize("kind, stream, payload", [
    (PING, 0, b"12345678"), (WINDOW_UPDATE, 0, u32(1)), (GOAWAY, 0, u32(0) * 2), (DATA, 1, b"x"), (RST_STREAM, 1, u32(0)),
    (UNKNOWN, 0, b"")])
def test_the_client_begins_with_settings(server, kind, stream, payload):
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE + frame(kind, 0, stream, payload))
        expect_connection_error(connection, PROTOCOL_ERROR)


def test_the_client_does_not_begin_with_an_acknowledgement(server):
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE + frame(SETTINGS, ACK))
        expect_connection_error(connection, PROTOCOL_ERROR)


# --- 4.1: the form of frames ---


@pytest.mark.parametrize("kind", [0x0A, 0x10, UNKNOWN, 0xFF])
@pytest.mark.parametrize("stream", [0, 1])
def test_unknown_kinds_of_frames_are_passed_over(connection, kind, stream):
    connection.send(kind, 0xFF, stream, b"whatever")
    expect_no_error(connection)


@pytest.mark.parametrize("flags", [0x02, 0x10, 0x40, 0x80, 0xF2])
def test_unknown_flags_are_passed_over(connection, flags):
    connection.send(PING, flags & ~ACK, 0, b"flagged!")
    assert connection.read_until(lambda got: got.kind == PING).payload == b"flagged!"
    stream = connection.next_stream
    connection.next_stream += 2
    block = connection.block(connection.request_fields())
    connection.send(HEADERS, END_HEADERS | END_STREAM | (flags & ~0x28), stream, block)
    assert connection.response(stream).status == 200


def test_the_reserved_bit_is_passed_over(connection):
    connection.send(PING, 0, 0x80000000, b"reserved")
    assert connection.read_until(lambda got: got.kind == PING).payload == b"reserved"
    connection.send(HEADERS, END_HEADERS | END_STREAM, 0x80000001, connection.block(connection.request_fields()))
    assert connection.response(1).status == 200


# --- 4.2: the size of frames ---


@pytest.mark.parametrize("kind, stream", [(DATA, 1), (HEADERS, 3), (PRIORITY, 1), (RST_STREAM, 1), (SETTINGS, 0), (PING, 0),
                                          (GOAWAY, 0), (WINDOW_UPDATE, 0), (UNKNOWN, 0)])
@pytest.mark.parametrize("length", [16385, 2**24 - 1])
def test_a_frame_longer_than_the_maximum(connection, kind, stream, length):
    assert open_stream(connection) == 1
    connection.send(kind, 0, stream, b"\0" * 100, length=length)
    expect_connection_error(connection, FRAME_SIZE_ERROR)


@pytest.mark.parametrize("kind", [DATA, UNKNOWN])
def test_a_frame_of_just_the_maximum(connection, kind):
    stream = open_stream(connection)
    connection.send(kind, 0, stream, b"x" * 16384)
    connection.send(DATA, END_STREAM, stream)
    assert len(connection.response(stream).body) == (16384 if kind == DATA else 0)


def test_a_larger_frame_size_of_the_client_is_no_duty(server):
    with Http2Connection(server.address, settings=[(5, 2**24 - 1)]) as connection:
        assert connection.request("/bytes?n=100000").body == b"x" * 100000


# --- 4.3: header blocks ---


@pytest.mark.parametrize("block", [b"\xff", b"\x80", b"\xc0", b"\x40\xff\xff\xff\xff\xff\x0f", b"\x00\x85", b"\x82\x3f\xff\xff\xff\x7f"])
@pytest.mark.parametrize("continued", [False, True])
def test_a_block_that_cannot_be_decoded(connection, block, continued):
    if continued:
        connection.send(HEADERS, END_STREAM, 1, b"\x82")
        connection.send(CONTINUATION, END_HEADERS, 1, block)
    else:
        connection.send(HEADERS, END_STREAM | END_HEADERS, 1, block)
    expect_connection_error(connection, COMPRESSION_ERROR)


@pytest.mark.parametrize("kind, stream, payload", [
    (DATA, 1, b"x"), (HEADERS, 1, b""), (HEADERS, 3, b""), (PRIORITY, 1, b"\0" * 5), (RST_STREAM, 1, u32(8)), (SETTINGS, 0, b""),
    (PUSH_PROMISE, 1, u32(2)), (PING, 0, b"12345678"), (GOAWAY, 0, u32(0) * 2), (WINDOW_UPDATE, 0, u32(1)), (WINDOW_UPDATE, 1, u32(1)),
    (CONTINUATION, 3, b""), (CONTINUATION, 0, b""), (UNKNOWN, 0, b""), (UNKNOWN, 1, b"")])
def test_nothing_may_stand_between_the_parts_of_a_block(connection, kind, stream, payload):
    block = connection.block(connection.request_fields())
    connection.send(HEADERS, END_STREAM, 1, block[:10])
    connection.send(kind, 0, stream, payload)
    expect_connection_error(connection, PROTOCOL_ERROR)


@pytest.mark.parametrize("pieces", [1, 2, 5, 7])
def test_a_block_in_several_frames(connection, pieces):
    block = connection.block(connection.request_fields())
    size = len(block) // (pieces + 1) + 1
    parts = [block[at:at + size] for at in range(0, len(block), size)]
    connection.send(HEADERS, END_STREAM, 1, parts[0])
    for number, part in enumerate(parts[1:], 2):
        connection.send(CONTINUATION, END_HEADERS if number == len(parts) else 0, 1, part)
    connection.next_stream = 3
    assert connection.response(1).status == 200


def test_a_refused_head_still_counts_for_compression(connection):
    """Fields of a request that was answered with an error are known to the ones that follow."""
    connection.request(more=[("x-long", "x" * 9000), ("x-kept", "kept")])
    import json
    seen = json.loads(connection.request("/inspect", more=[("x-kept", "kept")]).body)
    assert seen["headers"]["x-kept"] == ["kept"]
