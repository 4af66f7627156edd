"""What the tests of HTTP/2's rules share: a connection for each, a server that must be well after each."""

import contextlib
import struct

import pytest

from harness import wait_until
from http2_client import (DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PING, RST_STREAM, SETTINGS, Closed,
                          Http2Connection)

SERVER = dict(script="http2.php", ports=3, workers=1)


def u32(number):
    return struct.pack(">I", number)


@pytest.fixture
def connection(server):
    with Http2Connection(server.address) as connection:
        yield connection
    with Http2Connection(server.address) as another:
        assert another.request("/hello").text == "hello world", "the server does not serve any more"


def expect_connection_error(connection, code):
    """GOAWAY with exactly this code, then the end of the connection."""
    assert connection.connection_error() == code


def expect_stream_error(connection, stream, code):
    """RST_STREAM with exactly this code; the connection goes on."""
    assert connection.stream_error(stream) == code
    assert connection.is_alive()
    assert connection.request("/hello").status == 200


def expect_no_error(connection):
    assert connection.is_alive()
    assert connection.request("/hello").status == 200


@contextlib.contextmanager
def waiting_stream(server, connection):
    """A stream whose request is complete and whose response takes its time: half-closed (remote)."""
    before = len(server.events("waiting"))
    stream = connection.begin("/wait")
    wait_until(lambda: len(server.events("waiting")) > before, "the handler waits")
    yield stream


def open_stream(connection, path="/echo"):
    """A stream whose request goes on."""
    return connection.begin(path, "POST", ended=False)


def closed_stream(connection):
    """A stream that both sides have ended."""
    stream = connection.begin("/hello")
    connection.response(stream)
    return stream


def stream_reset_by_client(connection):
    stream = open_stream(connection)
    connection.send(RST_STREAM, stream=stream, payload=u32(8))
    assert connection.is_alive()
    return stream


def stream_reset_by_server(connection):
    """By a malformed request."""
    stream = connection.begin(fields=connection.request_fields(more=[("connection", "close")]), ended=False)
    assert connection.stream_error(stream) == 1
    return stream
