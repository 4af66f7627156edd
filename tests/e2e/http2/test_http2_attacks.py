"""What a client can do to a server of HTTP/2 at little cost, a test for each: it is told to calm down, or waits in vain, and
the others are served."""

import struct

import pytest

from harness import wait_until
from http2_client import (CANCEL, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, GOAWAY, HEADERS,
                          INITIAL_WINDOW_SIZE, NO_ERROR, PING, PREFACE, PRIORITY, PROTOCOL_ERROR, REFUSED_STREAM, RST_STREAM, SETTINGS,
                          WINDOW_UPDATE, Http2Connection, frame, settings_payload)
from http2_rules import connection, expect_connection_error, u32  # noqa: F401

SERVER = dict(script="http2.php", ports=3, workers=1,
              env={"HEAD_SECONDS": "0.5", "WRITE_SECONDS": "0.5", "KEEP_ALIVE_SECONDS": "0.5"})


def expect_calm(connection, option):
    assert connection.connection_error() == ENHANCE_YOUR_CALM
    assert option in connection.reason


def expect_calm_after(connection, attack, option):
    """In portions, so that the server can close the streams of one before the next: it is not their number that counts."""
    for number in range(1, 301):
        attack()
        if number % 50 == 0:
            connection.send(PING, payload=b"portions")
            got = connection.read_until(lambda got: got.kind in (PING, GOAWAY))
            if got.kind == GOAWAY:
                assert (got.code, number) == (ENHANCE_YOUR_CALM, 250)
                assert option in got.payload.decode(errors="replace")
                return
    raise AssertionError("the attack goes on")


def rss_kib(server):
    return sum(process.status_kib("VmRSS") for process in server.processes())


def test_rapid_reset(connection):
    """CVE-2023-44487: requests that are begun only to be reset, so that no limit on streams is ever reached."""
    for _ in range(300):
        stream = connection.begin("/hello")
        connection.send(RST_STREAM, stream=stream, payload=u32(CANCEL))
    expect_calm(connection, "streamResets")


def test_resets_provoked(connection):
    """CVE-2025-8671: frames that make the server reset streams, so that no limit on streams is ever reached."""
    def attack():
        connection.send(WINDOW_UPDATE, stream=connection.begin("/echo", "POST", ended=False), payload=u32(2**31 - 1))
    expect_calm_after(connection, attack, "streamResets")


def test_malformed_requests_without_end(connection):
    def attack():
        connection.begin(fields=connection.request_fields(more=[("connection", "close")]))
    expect_calm_after(connection, attack, "streamResets")


def test_ping_flood(connection):
    connection.send_raw(frame(PING, 0, 0, b"12345678") * 1000)
    expect_calm(connection, "pings")


def test_settings_flood(connection):
    connection.send_raw(frame(SETTINGS, 0, 0, settings_payload((INITIAL_WINDOW_SIZE, 70000))) * 1000)
    expect_calm(connection, "settingsFrames")


def test_a_settings_frame_with_very_many_entries(connection):
    connection.send(SETTINGS, 0, 0, settings_payload(*[(INITIAL_WINDOW_SIZE, 70000)] * 2000))
    expect_calm(connection, "setting entries")


@pytest.mark.parametrize("attack", [frame(DATA, 0, 1), frame(DATA, 8, 1, b"\0"), frame(PRIORITY, 0, 1, b"\0" * 5), frame(0x42, 0, 0, b"x" * 100)],
                         ids=["data", "padded data", "priority", "unknown"])
def test_frames_without_a_use(connection, attack):
    connection.begin("/echo", "POST", ended=False)
    connection.send_raw(attack * 1000)
    expect_calm(connection, "emptyFrames")


def test_continuation_flood(connection):
    """CVE-2024-27316 and others: a head that never ends."""
    connection.send(HEADERS, END_STREAM, 1, connection.block(connection.request_fields()))
    connection.send_raw(frame(CONTINUATION, 0, 1, b"\x00\x01x\x01y") * 1000)
    expect_calm(connection, "continuations")


def test_empty_continuations(connection):
    connection.send(HEADERS, END_STREAM, 1, b"")
    connection.send_raw(frame(CONTINUATION, 0, 1) * 1000)
    expect_calm(connection, "continuations")


def test_hpack_bomb(connection, server):
    """A few bytes that decode to megabytes: one long field in the table, named again and again."""
    before = rss_kib(server)
    block = connection.block(connection.request_fields()) + b"\x40\x04bomb\x7f\x80\x1e" + b"x" * 3967 + b"\xbe" * 10000
    connection.send(HEADERS, END_HEADERS | END_STREAM, 1, block)
    expect_calm(connection, "headBytes")
    assert rss_kib(server) - before < 20_000


def test_a_swarm_of_fields(connection):
    """Each as short as can be."""
    connection.send(HEADERS, END_HEADERS | END_STREAM, 1, connection.block(connection.request_fields()) + b"\x90" * 16000)
    expect_calm(connection, "headerFields")


def test_a_head_that_comes_by_the_byte(connection):
    block = connection.block(connection.request_fields())
    connection.send(HEADERS, END_STREAM, 1, block[:10])
    expect_calm(connection, "in time")


def test_a_connection_that_says_nothing(server):
    with Http2Connection(server.address, preface=False) as connection:
        connection.send_raw(PREFACE)
        expect_calm(connection, "in time")


def test_a_connection_that_only_pings_is_idle(connection):
    connection.send(PING, payload=b"12345678")
    got = connection.read_until(lambda got: got.kind == GOAWAY)
    assert got.code == NO_ERROR


@pytest.mark.usefixtures("connection")
def test_zero_window(server):
    """A client that asks for much and lets nothing come is let go, stream by stream, and what waited for it with it."""
    with Http2Connection(server.address, settings=[(INITIAL_WINDOW_SIZE, 0)]) as silent:
        streams = [silent.begin("/bytes?n=1000000") for _ in range(10)]
        for stream in streams:
            assert silent.stream_error(stream) == CANCEL


@pytest.mark.usefixtures("connection")
def test_window_by_the_byte(server):
    """A client that takes a byte now and then makes progress, and pays for it by itself."""
    with Http2Connection(server.address, settings=[(INITIAL_WINDOW_SIZE, 1)]) as slow:
        slow.credits = False
        stream = slow.begin("/bytes?n=1000000")
        for _ in range(20):
            slow.send(WINDOW_UPDATE, stream=stream, payload=u32(1))
        assert slow.is_alive()
    

@pytest.mark.usefixtures("connection")
def test_more_answers_than_may_wait(server):
    """Responses that are asked for and not read are bounded by queuedBytes, here 16 MiB; further streams are refused."""
    with Http2Connection(server.address, settings=[(INITIAL_WINDOW_SIZE, 0)]) as greedy:
        for _ in range(20):
            stream = greedy.begin("/bytes?n=4000000")
            greedy.read_until(lambda got: got.stream == stream and got.kind in (HEADERS, RST_STREAM))
            if greedy.responses[stream].reset is not None:
                break
        assert greedy.responses[stream].reset == REFUSED_STREAM


@pytest.mark.usefixtures("connection")
def test_a_client_that_does_not_read_what_it_asked_to_be_told(server):
    """Acknowledgements of settings, which the budget allows, do not pile up without end for a client that does not read."""
    with Http2Connection(server.address, receive_buffer=4096) as deaf:
        deaf.send_raw(frame(PING, 0, 0, b"12345678") * 100000)


@pytest.mark.usefixtures("connection")
def test_many_streams_that_only_begin(server):
    """Bodies that never come: each stream has its deadline, and the connection goes on."""
    with Http2Connection(server.address) as lazy:
        streams = [lazy.begin("/echo", "POST", ended=False) for _ in range(128)]
        assert lazy.is_alive()
