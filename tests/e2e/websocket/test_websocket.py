"""WebSockets (RFC 6455): an independent client for what is right, raw frames for what is wrong."""

import asyncio
import json
import os
import struct

import pytest
import websockets

from harness import wait_until
from http_client import HttpConnection, get
from websocket_client import (BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, RawWebSocket, asynchronous, connect,
                              frame, handshake)

SERVER = dict(script="websocket.php", workers=2, reactors=2)

# Sizes around each place where the form of the length or the way of the bytes changes: frame headers, extents, and 4 MiB.
SIZES = [0, 1, 125, 126, 127, 8191, 8192, 8193, 65535, 65536, 524288, 4 << 20]


class Doer:
    """A client of /do."""

    def __init__(self, socket, hello):
        self.socket, self.id, self.peer, self.pid = socket, hello["id"], hello["peer"], hello["pid"]

    @classmethod
    async def enter(cls, server, topic=None):
        socket = await connect(server, "/do" + (f"?topic={topic}" if topic else ""))
        return cls(socket, json.loads(await socket.recv()))

    async def do(self, what, **more):
        """The result of `what`; messages of others that come meanwhile are kept for `received`."""
        await self.socket.send(json.dumps({"do": what} | more))
        while True:
            message = await self.socket.recv()
            if message.startswith('{"did"'):
                answer = json.loads(message)
                assert answer["did"] == what
                return answer["result"]
            self.others.append(message)

    @property
    def others(self):
        return self.__dict__.setdefault("_others", [])

    async def receive(self):
        return self.others.pop(0) if self.others else await self.socket.recv()

    async def leave(self):
        await self.socket.close()


async def doers(server, count, topic=None):
    return await asyncio.gather(*(Doer.enter(server, topic) for _ in range(count)))


# --- messages ---


@pytest.mark.parametrize("size", SIZES)
@asynchronous
async def test_binary_echo(server, size):
    async with connect(server) as socket:
        data = os.urandom(size)
        for _ in range(2):
            await socket.send(data)
            assert await socket.recv() == data


@pytest.mark.parametrize("size", SIZES)
@asynchronous
async def test_text_echo(server, size):
    async with connect(server) as socket:
        text = ("aé€😀" * (size // 10 + 1)).encode()[:size].decode(errors="ignore")
        await socket.send(text)
        answer = await socket.recv()
        assert isinstance(answer, str) and answer == text


@asynchronous
async def test_callable_as_handler(server):
    async with connect(server, "/shout") as socket:
        await socket.send("louder")
        assert await socket.recv() == "LOUDER"


@asynchronous
async def test_open_gets_the_request(server):
    async with connect(server, "/echo?q=a%20b", extra_headers={"X-Test": "yes"}):
        event = await asyncio.to_thread(server.wait_event, "open", query="a b")
        assert (event["path"], event["x-test"]) == ("/echo", "yes")


@asynchronous
async def test_fragmented_message_arrives_whole(server):
    async with connect(server) as socket:
        await socket.send(["one ", "two ", "", "thrée"])
        assert await socket.recv() == "one two thrée"
        parts = [os.urandom(size) for size in (5000, 5000, 1, 100_000, 0)]
        await socket.send(parts)
        assert await socket.recv() == b"".join(parts)


def test_ping_between_fragments_is_answered_at_once(server):
    with RawWebSocket(server) as client:
        client.send(frame(TEXT, b"half", fin=False) + frame(PING, b"are you there"))
        assert client.read_frame() == (True, PONG, b"are you there")
        client.send(frame(CONTINUATION, b" and half"))
        assert client.read_frame() == (True, TEXT, b"half and half")


def test_character_split_between_fragments(server):
    with RawWebSocket(server) as client:
        whole = "€".encode()
        client.send(frame(TEXT, whole[:1], fin=False) + frame(CONTINUATION, whole[1:]))
        assert client.read_frame() == (True, TEXT, whole)


def test_frames_split_at_odd_places(server):
    with RawWebSocket(server) as client:
        stream = frame(TEXT, b"hello") + frame(BINARY, b"x" * 300) + frame(PING, b"p")
        for at in range(0, len(stream), 3):
            client.send(stream[at:at + 3])
        # The pong comes from the reactor, so it may overtake the worker's answers.
        frames = [client.read_frame() for _ in range(3)]
        assert (True, PONG, b"p") in frames
        frames.remove((True, PONG, b"p"))
        assert frames == [(True, TEXT, b"hello"), (True, BINARY, b"x" * 300)]


def test_many_messages_in_one_packet(server):
    with RawWebSocket(server) as client:
        client.send(b"".join(frame(TEXT, str(number).encode()) for number in range(500)))
        assert [int(client.read_frame()[2]) for _ in range(500)] == list(range(500))


def test_messages_sent_together_with_the_handshake(server):
    with HttpConnection(server.address) as client:
        client.send(handshake() + frame(TEXT, b"early"))
        assert client.read().status == 101
        assert client.take(7) == b"\x81\x05early"


def test_order_is_kept_among_messages_of_all_sizes(server):
    with RawWebSocket(server, "/order") as client:
        # Small messages travel in the ring, big ones in extents: all have to keep their order.
        for number in range(300):
            client.send(frame(TEXT, str(number).encode().ljust(20_000 if number % 3 == 0 else 10)))
        client.send(frame(TEXT, b"report"))
        assert client.read_frame() == (True, TEXT, b"300")


@asynchronous
async def test_answers_keep_their_order(server):
    one, = await doers(server, 1)
    await one.socket.send(json.dumps({"do": "send-counted", "count": 2000}))
    assert [await one.socket.recv() for _ in range(2000)] == [str(number) for number in range(2000)]
    assert set(json.loads(await one.socket.recv())["result"]) <= {"Sent", "Queued"}
    await one.leave()


@asynchronous
async def test_200_clients_at_once(server):
    async def talk(number):
        async with connect(server) as socket:
            for size in (10, 10_000, 100):
                data = bytes([number]) * size
                await socket.send(data)
                assert await socket.recv() == data
    await asyncio.gather(*(talk(number) for number in range(200)))


# --- control frames ---


@asynchronous
async def test_client_pings(server):
    async with connect(server) as socket:
        await asyncio.wait_for(await socket.ping(b"x" * 125), 10)


@asynchronous
async def test_server_pings(server):
    one, = await doers(server, 1)
    pings = []
    handle = one.socket.pong

    async def pong(data=b""):
        pings.append(bytes(data))
        await handle(data)
    one.socket.pong = pong
    assert await one.do("ping", data="hello?") in ("Sent", "Queued")
    assert await one.do("is-open", to=one.id) is True
    assert pings == [b"hello?"]
    assert "ValueError" in await one.do("ping", data="x" * 126)
    await one.leave()


def test_unsolicited_pong_is_ignored(server):
    with RawWebSocket(server) as client:
        client.send(frame(PONG, b"nobody asked") + frame(TEXT, b"go on"))
        assert client.read_frame() == (True, TEXT, b"go on")


@pytest.mark.parametrize("code,reason", [(1000, ""), (1001, "away"), (3000, "own"), (4999, "réason")])
@asynchronous
async def test_client_closes(server, code, reason):
    socket = await connect(server, f"/echo?q=client-closes-{code}")
    opened = await asyncio.to_thread(server.wait_event, "open", query=f"client-closes-{code}")
    await socket.close(code, reason)
    assert socket.close_code == code
    closed = await asyncio.to_thread(server.wait_event, "close", id=opened["id"])
    assert (closed["code"], closed["reason"]) == (code, reason)
    assert (closed["late"], closed["open"]) == ("Closed", False)


def test_client_closes_without_a_code(server):
    with RawWebSocket(server, "/echo?q=no-code") as client:
        opened = server.wait_event("open", query="no-code")
        client.send(frame(CLOSE))
        assert client.read_close()[0] in (1000, 1005)
        assert client.at_end()
    assert server.wait_event("close", id=opened["id"])["code"] == 1005


@pytest.mark.parametrize("code,reason", [(1000, ""), (1001, "maintenance"), (3001, "réason"), (4999, "x" * 123)])
@asynchronous
async def test_server_closes(server, code, reason):
    one, = await doers(server, 1)
    await one.socket.send(json.dumps({"do": "close", "code": code, "reason": reason}))
    with pytest.raises(websockets.ConnectionClosed):
        while True:
            await one.socket.recv()
    assert (one.socket.close_code, one.socket.close_reason) == (code, reason)
    closed = await asyncio.to_thread(server.wait_event, "close", id=one.id)
    assert closed["code"] == code


@pytest.mark.parametrize("code,reason", [
    *((code, "") for code in (999, 1004, 1005, 1006, 1010, 1015, 2000, 5000)), (1000, "x" * 124)])
@asynchronous
async def test_codes_and_reasons_that_may_not_be_sent(server, code, reason):
    one, = await doers(server, 1)
    assert "ValueError" in await one.do("close", code=code, reason=reason)
    await one.leave()


@asynchronous
async def test_text_that_is_not_utf8_is_not_sent(server):
    one, = await doers(server, 1)
    assert "ValueError" in await one.do("send-bad-utf8")
    await one.leave()


# --- clients that do wrong ---


@pytest.mark.parametrize("bad,code", [
    (frame(TEXT, b"\xff"), 1007),
    (frame(TEXT, b"\xc3", fin=False) + frame(CONTINUATION, b"("), 1007),
    (frame(TEXT, b"\xed\xa0\x80"), 1007),
    (frame(TEXT, b"\xe2\x82"), 1007),
    (frame(CLOSE, struct.pack(">H", 1000) + b"\xff"), 1007),
    (frame(TEXT, b"a" * 20_000 + b"\xff"), 1007),
    (frame(TEXT, b"hello", key=None), 1002),
    (frame(TEXT, b"hello", reserved=4), 1002),
    (frame(3, b""), 1002),
    (frame(11, b""), 1002),
    (frame(CONTINUATION, b"of nothing"), 1002),
    (frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"), 1002),
    (frame(PING, b"a", fin=False), 1002),
    (frame(PING, b"a" * 126), 1002),
    (frame(CLOSE, b"\x03"), 1002),
    (frame(CLOSE, struct.pack(">H", 1005)), 1002),
    (frame(CLOSE, struct.pack(">H", 2000)), 1002),
    (b"\x82\xff" + struct.pack(">Q", 1 << 63) + b"\0\0\0\0", 1002),
    (frame(BINARY, b"a" * ((5 << 20) + 1))[:100], 1009),
    (frame(BINARY, b"a" * (3 << 20), fin=False) + frame(CONTINUATION, b"a" * (3 << 20))[:100], 1009),
], ids=["bad-text", "bad-text-over-fragments", "surrogate", "cut-off-character", "bad-reason", "bad-long-text",
        "unmasked", "reserved-bit", "reserved-opcode", "reserved-control", "continuation-of-nothing", "message-in-message",
        "fragmented-ping", "long-ping", "close-of-one-byte", "close-1005", "close-2000", "length-with-top-bit",
        "too-big", "too-big-in-fragments"])
def test_protocol_violation_closes_with_its_code(server, bad, code):
    with RawWebSocket(server, "/echo") as client:
        client.send(bad)
        said, reason = client.read_close()
        assert said == code, reason
        assert reason, "the reason says what was wrong"
        client.send(frame(CLOSE, struct.pack(">H", code)))
        assert client.at_end()


def test_a_client_that_vanishes_is_closed_with_1006(server):
    client = RawWebSocket(server, "/echo?q=vanishes")
    opened = server.wait_event("open", query="vanishes")
    client.reset()
    assert server.wait_event("close", id=opened["id"])["code"] == 1006


def test_a_client_that_vanishes_in_the_middle_of_a_message(server):
    client = RawWebSocket(server, "/echo?q=in-the-middle")
    opened = server.wait_event("open", query="in-the-middle")
    client.send(frame(BINARY, b"x" * 1_000_000)[:300_000])
    client.close()
    assert server.wait_event("close", id=opened["id"])["code"] == 1006
    wait_until(lambda: get(server, "/stats").json()["arenaBytes"] == 0, "the half message has left the arena")


# --- the handshake ---


def test_handshake_answer(server):
    with HttpConnection(server.address) as client:
        client.send(handshake(sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ=="))
        response = client.read()
        assert (response.status, response.reason) == (101, "Switching Protocols")
        assert response.header("sec-websocket-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        assert response.header("upgrade").lower() == "websocket"
        assert response.header("connection").lower() == "upgrade"
        assert response.header("content-length") is None
        assert response.header("sec-websocket-extensions") is None


@pytest.mark.parametrize("changed,status", [
    (dict(sec_websocket_version="8"), 426),
    (dict(sec_websocket_version=None), 400),
    (dict(sec_websocket_key=None), 400),
    (dict(sec_websocket_key="dG9vIHNob3J0"), 400),
], ids=["version-8", "no-version", "no-key", "short-key"])
def test_bad_handshake_is_refused(server, changed, status):
    with HttpConnection(server.address) as client:
        client.send(handshake(**changed))
        response = client.read()
        assert response.status == status, response
        assert status != 426 or response.header("sec-websocket-version") == "13"


@pytest.mark.parametrize("changed", [
    dict(connection="keep-alive"), dict(upgrade=None), dict(upgrade="h2c"), dict(content_length="5")])
def test_a_request_whose_upgrade_cannot_be_granted_is_a_plain_one(server, changed):
    with HttpConnection(server.address) as client:
        client.send(handshake(**changed) + (b"hello" if "content_length" in changed else b""))
        response = client.read()
        assert (response.status, response.text) == (404, "no such page")


def test_plain_request_to_a_websocket_path_is_told_to_upgrade(server):
    assert get(server, "/echo").status in (404, 426)


@pytest.mark.parametrize("path", ["/nowhere", "/echo/", "/Echo", "/"])
def test_wrong_path_gets_404(server, path):
    with HttpConnection(server.address) as client:
        client.send(handshake(path))
        assert client.read().status == 404


def test_a_page_and_then_a_websocket_on_one_connection(server):
    with HttpConnection(server.address) as client:
        assert client.request("/nothing").status == 404
        client.send(handshake())
        assert client.read().status == 101


# --- connections as values ---


@asynchronous
async def test_send_by_id_from_another_connection(server):
    everyone = await doers(server, 8)
    for number, one in enumerate(everyone):
        other = everyone[(number + 3) % 8]
        assert await one.do("send", to=other.id, data=f"to {number}") in ("Sent", "Queued")
        assert await other.receive() == f"to {number}"
    for one in everyone:
        await one.leave()


@asynchronous
async def test_send_from_a_page(server):
    one, = await doers(server, 1)
    answer = await asyncio.to_thread(get, server, f"/send?id={one.id}&data=from-http")
    assert answer.text in ("Sent", "Queued")
    assert await one.receive() == "from-http"
    await one.leave()


@asynchronous
async def test_ids_are_never_used_twice(server):
    seen = set()
    for _ in range(10):
        some = await doers(server, 10)
        seen |= {one.id for one in some}
        for one in some:
            await one.leave()
    assert len(seen) == 100


@asynchronous
async def test_send_to_a_closed_connection_answers_closed(server):
    one, other = await doers(server, 2)
    assert await one.do("is-open", to=other.id) is True
    assert await one.do("peer", to=other.id) == other.peer != ""
    await other.leave()
    await asyncio.to_thread(server.wait_event, "close", id=other.id)
    newer = await doers(server, 5)  # were its place taken by one of these, that one would get the message
    assert await one.do("send", to=other.id, data="late") == "Closed"
    assert await one.do("is-open", to=other.id) is False
    assert await one.do("peer", to=other.id) == ""
    assert await one.do("queued", to=other.id) == 0
    assert await one.do("close-other", to=other.id, code=1000) == "Closed"
    for each in (one, *newer):
        assert each.others == []
        await each.leave()


@pytest.mark.parametrize("nobody", [0, 1, -1, (1 << 55) + 1, (255 << 55) + 1, 2**63 - 1, -(2**63)])
@asynchronous
async def test_send_to_an_id_that_never_was(server, nobody):
    one, = await doers(server, 1)
    answer = await one.do("send", to=nobody, data="x")
    assert answer == "Closed" or "ValueError" in answer
    await one.leave()


@asynchronous
async def test_close_another(server):
    one, other = await doers(server, 2)
    assert await one.do("close-other", to=other.id, code=4001) in ("Sent", "Queued")
    with pytest.raises(websockets.ConnectionClosed):
        await other.receive()
    assert other.socket.close_code == 4001
    await one.leave()


@asynchronous
async def test_send_many(server):
    everyone = await doers(server, 20)
    sender, gone, *others = everyone
    await gone.leave()
    await asyncio.to_thread(server.wait_event, "close", id=gone.id)
    result = await sender.do("send-many", to=[one.id for one in everyone[1:]], data="to many")
    assert result == {str(gone.id): "Closed"}
    assert [await one.receive() for one in others] == ["to many"] * 18
    big = "b" * 100_000
    assert await sender.do("send-many", to=[one.id for one in others], data=big) == []
    assert [await one.receive() == big for one in others] == [True] * 18
    for one in (sender, *others):
        await one.leave()


# --- topics ---


@asynchronous
async def test_publish_reaches_300_subscribers_on_all_reactors_and_workers(server):
    everyone = await doers(server, 300, topic="crowd")
    assert len({one.pid for one in everyone}) == 2, "both workers have some"
    sender = everyone[0]
    await sender.do("publish", topic="crowd", data="to all")
    await sender.do("publish", topic="crowd", data="to the others", exceptSelf=True)
    await sender.do("publish", topic="crowd", size=100_000)
    for one in everyone:
        assert await one.receive() == "to all"
        if one is not sender:
            assert await one.receive() == "to the others"
        assert len(await one.receive()) == 100_000
    await asyncio.gather(*(one.leave() for one in everyone))


@asynchronous
async def test_publish_from_the_server(server):
    everyone = await doers(server, 10, topic="news")
    assert (await asyncio.to_thread(get, server, "/publish?topic=news&data=read%20all%20about%20it")).text == "published"
    assert [await one.receive() for one in everyone] == ["read all about it"] * 10
    await asyncio.gather(*(one.leave() for one in everyone))


@asynchronous
async def test_unsubscribe(server):
    one, other = await doers(server, 2, topic="passing")
    await one.do("unsubscribe", topic="passing")
    await one.do("subscribe", topic="passing-2")
    await one.do("subscribe", topic="passing-2")
    await other.do("publish", topic="passing", data="not for one")
    await other.do("publish", topic="passing-2", data="once for one")
    await other.do("send", to=one.id, data="end")
    assert await one.receive() == "once for one"
    assert await one.receive() == "end"
    assert await other.receive() == "not for one"
    await asyncio.gather(one.leave(), other.leave())


@asynchronous
async def test_topic_without_subscribers_and_bad_topics(server):
    one, = await doers(server, 1)
    assert await one.do("publish", topic="nobody-listens", data="x") is None
    assert "ValueError" in await one.do("subscribe", topic="")
    assert "ValueError" in await one.do("publish", topic="x" * 256, data="x")
    assert await one.do("subscribe", topic="x" * 255) == "Sent"
    await one.leave()


# --- handlers that break ---


@asynchronous
async def test_exception_in_a_handler_is_logged_and_closes_with_1011(server):
    pids = server.worker_pids()
    async with connect(server, "/throw") as socket:
        await socket.send("this message")
        await asyncio.to_thread(wait_until, lambda: "broke at this message" in server.output(), "it is logged")
        with pytest.raises(websockets.ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 1011
    async with connect(server) as socket:
        await socket.send("still there")
        assert await socket.recv() == "still there"
    assert server.worker_pids() == pids
