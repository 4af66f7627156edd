"""sluice_refused_total: each limit that a client reaches counts once, by its name in docs/limits.md."""

import contextlib
import re
import socket
import struct
from collections import Counter

import pytest

from certificates import Certificates
from harness import ROOT, wait_until
from http2_client import (CANCEL, CONTINUATION, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, HEADERS, PING, PREFACE, REFUSED_STREAM, RST_STREAM, SETTINGS,
                          Http2Connection)
from http2_client import frame as frame_of_http2
from http_client import format_request
from traffic import HTTPS, LINES, STREAMED, Client, refused, scrape, traffic_server
from websocket_client import CONTINUATION as FRAGMENT
from websocket_client import TEXT, RawWebSocket, frame, handshake

DRIVERS = {}


def reaches(name, /, with_https=False, **limits):
    """A function that reaches the limit once, with a server that has these limits."""
    def register(drive):
        DRIVERS[name] = (drive, with_https, limits)
        return drive
    return register


def settled(count):
    """The count once it no longer changes."""
    last = [None, count()]
    wait_until(lambda: last.append(count()) or last[-1] == last[-2] == last[-3], "nothing more is refused", 30)
    return last[-1]


def held(server):
    return f"/hold?until={server.folder / 'never'}"


def begin(server, client, target, *more, kind=format_request):
    """The client's request is with its handler, which does not end."""
    before = len(server.events("held"))
    client.send(kind(target, *more))
    wait_until(lambda: len(server.events("held")) == before + 1, "its handler has begun")


# --- connections ---


def is_closed(client):
    """Whoever is served gets an answer."""
    try:
        client.send(format_request("/"))
        return client.receive() == b""
    except OSError:
        return True


@reaches("connections", connections=2)
def _(server, stack):
    for _ in range(2):
        assert stack.enter_context(Client(server)).request("/").status == 200
    assert is_closed(stack.enter_context(Client(server)))


@reaches("connectionsPerAddress", connectionsPerAddress=2)
def _(server, stack):
    for _ in range(2):
        assert stack.enter_context(Client(server, host=7)).request("/").status == 200
    assert stack.enter_context(Client(server, host=7)).at_end()


@reaches("connectionsPerAddressPerSecond", connectionsPerAddressPerSecond=1)
def _(server, stack):
    """How many of these come in one second is the clock's to decide, but each that is refused counts."""
    return sum(is_closed(stack.enter_context(Client(server, host=7))) for _ in range(50))


@reaches("handshakeSeconds", handshakeSeconds=0.2, with_https=True)
def _(server, stack):
    assert stack.enter_context(Client(server, HTTPS)).at_end()


# --- requests ---


@reaches("headBytes", headBytes=512)
def _(server, stack):
    assert stack.enter_context(Client(server)).request("/", headers=[("X", "y" * 600)]).status == 431


@reaches("headerFields", headerFields=5)
def _(server, stack):
    assert stack.enter_context(Client(server)).request("/", headers=[("X", "y")] * 6).status == 431


@reaches("headSeconds", headSeconds=0.2)
def _(server, stack):
    client = stack.enter_context(Client(server))
    client.send(b"GET / HTTP/1.1\r\nHo")
    assert client.read().status == 408


@reaches("bodyBytes", bodyBytes=10)
def _(server, stack):
    assert stack.enter_context(Client(server)).request("/body", "POST", body=b"x" * 11).status == 413


@reaches("bodySeconds", bodySeconds=0.2)
def _(server, stack):
    client = stack.enter_context(Client(server))
    client.send(format_request("/body", "POST", [("Content-Length", 10)]) + b"12345")
    assert client.read().status == 408


@reaches("bodyStreams", bodyStreams=1, with_https=True)
def _(server, stack):
    first, second = stack.enter_context(Client(server, STREAMED)), stack.enter_context(Client(server, STREAMED))
    begin(server, first, held(server), "POST", [("Content-Length", 10)])
    second.send(format_request("/body", "POST", [("Content-Length", 10)]))
    assert second.read().status == 503


@reaches("requestSeconds", requestSeconds=0.2)
def _(server, stack):
    assert stack.enter_context(Client(server)).request(held(server)).status == 504


@reaches("temporaryFileBytes", temporaryFileBytes=65536, bodyFileBytes=65536)
def _(server, stack):
    client = stack.enter_context(Client(server))
    client.send(format_request("/body", "POST", [("Content-Length", 1 << 20)]) + b"x" * 100)
    assert client.read().status == 413


@reaches("openFiles", openFiles=1)
def _(server, stack):
    for name in ("one", "other"):
        with open(server.folder / name, "wb") as file:
            file.truncate(64 << 20)
    first, second = stack.enter_context(Client(server, receive_buffer=4096)), stack.enter_context(Client(server))
    first.send(format_request(f"/file?name={server.folder}/one"))
    assert first.read_head()[1] == 200
    assert second.request(f"/file?name={server.folder}/other").status == 503


@reaches("queueSeconds", queueSeconds=0.2, coroutines=4)
def _(server, stack):
    """How many are refused the clock decides. Each of them counts, and who has no request is told nothing."""
    busy = [stack.enter_context(Client(server, host=11 + number)) for number in range(4)]
    go = server.folder / "go"
    for client in busy:
        begin(server, client, f"/hold?until={go}")
    crowd = []

    def one_more():
        crowd.append(stack.enter_context(Client(server, host=5)))
        crowd[-1].send(format_request("/"))
        return refused(server)["queueSeconds"]

    wait_until(one_more, "one of the crowd is refused")
    go.touch()
    assert [client.read().status for client in busy] == [200] * 4
    statuses = [client.read().status for client in crowd]
    for client, status in zip(crowd, statuses):
        if status == 200:
            assert client.request("/").status == 200
    return statuses.count(503)


@reaches("writeSeconds", writeSeconds=0.2)
def _(server, stack):
    client = stack.enter_context(Client(server, receive_buffer=4096))
    client.send(format_request(f"/big?bytes={64 << 20}"))
    client.read_head()
    wait_until(lambda: refused(server)["writeSeconds"], "it is cut off")


# --- HTTP/2 ---


def too_often(server, stack, does, times):
    client = stack.enter_context(Http2Connection(server.address))
    for _ in range(times):
        does(client)
    assert client.connection_error() == ENHANCE_YOUR_CALM


@reaches("pings", pings=5)
def _(server, stack):
    too_often(server, stack, lambda client: client.send(PING, payload=b"12345678"), 6)


@reaches("settingsFrames", settingsFrames=5)
def _(server, stack):
    too_often(server, stack, lambda client: client.send(SETTINGS), 5)  # and the one with which each connection begins


@reaches("emptyFrames", emptyFrames=6)
def _(server, stack):
    too_often(server, stack, lambda client: client.send(0x42), 7)


@reaches("streamResets", streamResets=5)
def _(server, stack):
    too_often(server, stack, lambda client: client.send(RST_STREAM, stream=client.begin(held(server)), payload=struct.pack(">I", CANCEL)), 6)


@reaches("continuations", continuations=1)
def _(server, stack):
    client = stack.enter_context(Http2Connection(server.address))
    block = client.block(client.request_fields("/"))
    client.send(HEADERS, END_STREAM, 1, block[:-2])
    client.send(CONTINUATION, 0, 1, block[-2:-1])
    client.send(CONTINUATION, END_HEADERS, 1, block[-1:])
    assert client.connection_error() == ENHANCE_YOUR_CALM


@reaches("concurrentStreams", concurrentStreams=2)
def _(server, stack):
    client = stack.enter_context(Http2Connection(server.address, preface=False))
    client.send_raw(PREFACE + frame_of_http2(SETTINGS))  # and what the server says is not acknowledged
    for _ in range(2):
        client.begin(held(server))
    assert client.stream_error(client.begin("/")) == REFUSED_STREAM


# --- messages ---


@reaches("handshakes", handshakes=1)
def _(server, stack):
    first, second = stack.enter_context(Client(server)), stack.enter_context(Client(server))
    begin(server, first, f"/asks?until={server.folder / 'never'}", kind=handshake)
    second.send(handshake("/asks"))
    assert second.read().status == 503


@reaches("attachedTotalBytes", attachedTotalBytes=4096, attachedBytes=65535)
def _(server, stack):
    client = stack.enter_context(Client(server))
    client.send(handshake("/asks?bytes=8000"))
    assert client.read().status == 503


@reaches("arenaBytes", arenaBytes=8 << 20, messageBytes=1 << 20)
def _(server, stack):
    """Halves of messages make way for a whole one."""
    message = frame(TEXT, b"x" * (1 << 20))
    with contextlib.ExitStack() as crowd:
        for _ in range(40):
            crowd.enter_context(RawWebSocket(server, host=2)).send(message[:len(message) // 2])
        stack.enter_context(RawWebSocket(server)).send(message)
        wait_until(lambda: refused(server)["arenaBytes"] > 0, "a half has made way", 30)
    return settled(lambda: refused(server)["arenaBytes"])


@reaches("messageBytes", messageBytes=100)
def _(server, stack):
    client = stack.enter_context(RawWebSocket(server))
    client.send(frame(TEXT, b"x" * 101))
    assert client.read_close()[0] == 1009
    assert refused(server)["messageBytes"] == 1
    lines = stack.enter_context(Client(server, LINES))
    lines.send(b"x" * 101 + b"\n")
    assert lines.at_end()
    return 2


@reaches("messageFragments", messageFragments=2)
def _(server, stack):
    client = stack.enter_context(RawWebSocket(server))
    client.send(frame(TEXT, b"a", fin=False) + frame(FRAGMENT, b"b", fin=False) + frame(FRAGMENT, b"c"))
    assert client.read_close()[0] == 1008


@reaches("messageSeconds", messageSeconds=0.2)
def _(server, stack):
    client = stack.enter_context(RawWebSocket(server))
    client.send(frame(TEXT, b"half a message")[:-3])
    assert client.read_close()[0] == 1008
    lines = stack.enter_context(Client(server, LINES))
    lines.send(b"half a li")
    assert lines.at_end()
    return 2


@reaches("idleSeconds", idleSeconds=0.2)
def _(server, stack):
    assert stack.enter_context(RawWebSocket(server)).read_close()[0] == 1008


@reaches("killSeconds", killSeconds=2)
def _(server, stack):
    """A TCP client that has closed its side, and gets nothing while its last message is handled."""
    client, go = stack.enter_context(Client(server, LINES)), server.folder / "go"
    stack.callback(go.touch)
    client.send(f"hold {go}\n".encode())
    server.wait_event("held")
    client.socket.shutdown(socket.SHUT_WR)
    assert client.at_end()


def test_each_limit_is_told_from_the_start_and_stands_in_the_documentation(mode):
    documented = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/limits.md").read_text(), re.MULTILINE))
    with traffic_server(mode) as server:
        metrics = scrape(server)
        names = {dict(labels)["limit"] for name, labels in metrics.samples if name == "sluice_refused_total"}
        assert names == set(DRIVERS), "each has a test"
        assert names <= documented
        assert metrics.value("sluice_refused_total") == 0


@pytest.mark.parametrize("name", DRIVERS)
def test_a_limit_that_is_reached_counts(mode, name, tmp_path):
    drive, with_https, limits = DRIVERS[name]
    certificate = None
    if with_https:
        made = Certificates(tmp_path)
        made.make("one", "localhost")
        certificate = made.path("one")
    with traffic_server(mode, limits, certificate) as server, contextlib.ExitStack() as stack:
        before = refused(server)
        times = drive(server, stack) or 1
        told = refused(server) - before
        assert told == Counter({name: times})
