"""Drivers of the limits of HTTP/2: as often as is allowed, and then once more."""

import struct

from harness import wait_until
from http2_client import (CANCEL, CONTINUATION, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, HEADERS, INITIAL_WINDOW_SIZE,
                          MAX_CONCURRENT_STREAMS, PING, PREFACE, PRIORITY, PROTOCOL_ERROR, REFUSED_STREAM, RST_STREAM, SETTINGS,
                          Http2Connection, frame, settings_payload)
from limit_drivers import driver

UNKNOWN = 0x42


def is_served(connection):
    return connection.request("/").status == 200


def drive_budget(server, name, does, allowed):
    """`does` it once, with a connection."""
    with Http2Connection(server.address) as patient, Http2Connection(server.address) as impatient:
        for _ in range(allowed):
            does(patient)
        assert is_served(patient), "as often as is allowed"
        for _ in range(allowed + 1):
            does(impatient)
        assert impatient.connection_error() == ENHANCE_YOUR_CALM
        assert f"({name})" in impatient.reason
        assert is_served(patient), "another connection has nothing to do with it"


@driver("pings", pings=5)
def drive_pings(server):
    drive_budget(server, "pings", lambda connection: connection.send(PING, payload=b"12345678"), 5)


@driver("settingsFrames", settingsFrames=5)
def drive_settings_frames(server):
    def change(connection):
        connection.send(SETTINGS, payload=settings_payload((INITIAL_WINDOW_SIZE, 70_000)))
    drive_budget(server, "settingsFrames", change, 4)  # and the one with which each connection begins


@driver("emptyFrames", emptyFrames=6)
def drive_empty_frames(server):
    drive_budget(server, "emptyFrames", lambda connection: connection.send(UNKNOWN, payload=b"what is this?"), 6)
    drive_budget(server, "emptyFrames", lambda connection: connection.send(PRIORITY, stream=1, payload=b"\0" * 5), 6)
    # All of them count together, including DATA without a byte.
    with Http2Connection(server.address) as connection:
        connection.send(UNKNOWN)
        connection.send(PRIORITY, stream=1, payload=b"\0" * 5)
        stream = connection.begin("/bytes", "POST", ended=False)
        for _ in range(4):
            connection.send_body(stream, b"", ended=False)
        connection.send_body(stream, b"12345")
        assert connection.response(stream).text == "5"
        connection.send(UNKNOWN)
        assert connection.connection_error() == ENHANCE_YOUR_CALM


@driver("streamResets", streamResets=5)
def drive_stream_resets(server):
    def reset(connection):
        connection.send(RST_STREAM, stream=connection.begin("/sleep?seconds=1000"), payload=struct.pack(">I", CANCEL))

    def provoke(connection):
        connection.begin(fields=connection.request_fields(more=[("connection", "close")]))

    drive_budget(server, "streamResets", reset, 5)
    drive_budget(server, "streamResets", provoke, 5)


@driver("continuations", continuations=1)
def drive_continuations(server):
    def begin(connection, count):
        block = connection.block(connection.request_fields("/"))
        connection.send(HEADERS, END_STREAM, 1, block[:-count])
        for at in range(count, 0, -1):
            connection.send(CONTINUATION, END_HEADERS if at == 1 else 0, 1, block[-at:][:1])
        return connection

    with Http2Connection(server.address) as connection:
        assert begin(connection, 1).response(1).status == 200
    with Http2Connection(server.address) as connection:
        assert begin(connection, 2).connection_error() == ENHANCE_YOUR_CALM
        assert "(continuations)" in connection.reason


@driver("concurrentStreams", concurrentStreams=3)
def drive_concurrent_streams(server):
    def sleep(connection):
        return [connection.begin("/sleep?seconds=1000") for _ in range(3)]

    with Http2Connection(server.address) as connection:
        assert connection.server_settings[MAX_CONCURRENT_STREAMS] == 3
        streams = sleep(connection)
        connection.send(RST_STREAM, stream=streams[0], payload=struct.pack(">I", CANCEL))
        assert is_served(connection), "there is a place again"
        sleep(connection)
        assert connection.connection_error() == PROTOCOL_ERROR, "it has been told how many there may be"
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE + frame(SETTINGS))  # and what the server says is not acknowledged
        sleep(connection)
        assert connection.stream_error(connection.begin("/")) == REFUSED_STREAM
        assert connection.is_alive()
        # A worker does not begin what was reset before its turn: so those of this connection, and two of the other one.
        wait_until(lambda: len(server.events("asleep")) >= 5, "those that were allowed have begun")
