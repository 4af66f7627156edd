"""A few clients that take what they can get: whoever behaves is served all the same."""

import contextlib
import json
import select
import socket
import struct
import zlib
from pathlib import Path

import pytest

from harness import MODES, Server, wait_until
from http2_client import Http2Connection
from http_client import format_request
from limit_drivers import KIB, MIB, Client, stats
from websocket_client import BINARY, RawWebSocket, frame

TRY_AGAIN_LATER = 1013


def limited(mode, **limits):
    return Server("limits.php", mode, workers=1, ports=4, env={"LIMITS": json.dumps(limits)})


def is_served(server, times=20):
    """A client that reads and asks for little, each time on a connection of its own."""
    for _ in range(times):
        with Client(server, host=2) as client:
            assert client.request("/").status == 200
            assert client.request("/bytes", "POST", body=b"x" * 100).json() == 100


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


# --- clients that do not read ---


def test_who_pipelines_and_does_not_read(mode):
    """More of them than queuedTotalBytes could hold queuedBytes for; each asks for a thousand answers."""
    with limited(mode, queuedTotalBytes=8 * MIB, queuedBytes=MIB, highWaterBytes=128 * KIB, lowWaterBytes=0, outBytes=16 * MIB) as server:
        greedy = [Client(server, receive_buffer=4096) for _ in range(40)]
        for client in greedy:
            client.send(format_request(f"/big?bytes={8 * KIB}") * 1000)
        is_served(server, 200)
        for client in greedy:
            client.close()


def test_who_asks_for_much_and_does_not_read(mode):
    """One answer each, that are more together than queuedTotalBytes: those who take most go."""
    with limited(mode, queuedTotalBytes=8 * MIB, outBytes=16 * MIB) as server:
        greedy = [Client(server, receive_buffer=4096) for _ in range(40)]
        for client in greedy:
            client.send(format_request(f"/big?bytes={6 * MIB}"))

        def others_are_served():
            is_served(server, 1)
            return "cut off a client that does not read" in server.output()

        wait_until(others_are_served, "those who take most are cut off")
        is_served(server)
        for client in greedy:
            client.close()


def test_answers_that_nobody_reads_leave_the_worker(mode):
    with limited(mode, outBytes=MIB) as server:
        greedy = [Client(server, receive_buffer=4096) for _ in range(16)]
        for client in greedy:
            client.send(format_request(f"/big?bytes={4 * MIB}"))
        for _ in range(20):
            with Client(server, host=2) as client:
                assert len(client.request(f"/big?bytes={60_000 & ~15}").body) == 60_000 & ~15
        for client in greedy:
            client.read_head()
            assert len(client.take(4 * MIB)) == 4 * MIB, "who was slow loses nothing"
            client.close()
        assert "dropped" not in server.output()


@pytest.mark.parametrize("hosts", [1, 10], ids=["one address", "ten addresses"])
def test_long_messages_come_while_others_hold_what_messages_may_take(mode, hosts):
    """Ten WebSockets that do not read take all that messages get; who reads is sent 1 MiB at a time all the same."""
    with limited(mode, queuedTotalBytes=16 * MIB, queuedBytes=64 * MIB, ringBytes=512 * KIB, messageBytes=2 * MIB) as server:
        greedy = [RawWebSocket(server, "/ws", receive_buffer=4096, host=10 + number % hosts) for number in range(10)]
        for number, client in enumerate(greedy):
            client.send(frame(1, b"flood 100000 60000"))
            made = wait_until(lambda: server.events("flood")[number:], "the flood is over")[0]
            assert made["Dropped"] + made["Closed"] == 1, "there is no room for more of that"
        with RawWebSocket(server, "/ws", host=2) as good:
            for _ in range(20):
                good.send(frame(2, b"x" * MIB))
                assert good.read_frame()[2] == b"x" * MIB
        for client in greedy:
            client.close()


def test_answers_of_one_address_leave_room_for_others(mode):
    """Many responses that nobody reads, of one address: its further requests wait, those of others do not."""
    with limited(mode, queuedTotalBytes=8 * MIB, outBytes=16 * MIB) as server:
        greedy = [Client(server, receive_buffer=4096) for _ in range(100)]
        for client in greedy:
            client.send(format_request(f"/big?bytes={MIB}"))
        for _ in range(20):
            with Client(server, host=2) as client:
                assert client.request("/").status == 200
                assert len(client.request(f"/big?bytes={MIB}").body) == MIB
        for client in greedy:
            client.close()


# --- clients that announce ---


def test_web_sockets_that_announce_long_messages(mode):
    with limited(mode, arenaBytes=8 * MIB, messageBytes=MIB) as server:
        greedy = [RawWebSocket(server, "/ws") for _ in range(47)]
        for client in greedy:
            client.send(b"\x82\xff" + MIB.to_bytes(8, "big") + b"\1\2\3\4x")
        for size in (8 * KIB, 100 * KIB, MIB):
            with Client(server, host=2) as client:
                assert client.request("/bytes", "POST", body=b"x" * size).json() == size
        for client in greedy:
            client.close()


def test_bodies_that_are_announced(mode):
    with limited(mode, arenaBytes=8 * MIB, messageBytes=MIB) as server:
        greedy = [Client(server) for _ in range(47)]
        for client in greedy:
            client.send(format_request("/bytes", "POST", [("Content-Length", MIB)]) + b"x")
        for size in (8 * KIB, 100 * KIB, MIB):
            with Client(server, host=2) as client:
                assert client.request("/bytes", "POST", body=b"x" * size).json() == size
        for client in greedy:
            client.close()


def test_streams_that_announce_bodies(mode):
    with limited(mode, arenaBytes=8 * MIB, messageBytes=MIB) as server, Http2Connection(server.address) as greedy:
        for _ in range(85):
            stream = greedy.begin("/bytes", "POST", [("content-length", str(3 * MIB))], ended=False)
            greedy.send_body(stream, b"x", ended=False)
        for size in (8 * KIB, 100 * KIB, MIB):
            with Client(server, host=2) as client:
                assert client.request("/bytes", "POST", body=b"x" * size).json() == size


def compressed(payload):
    """A message without context takeover, as one frame."""
    deflater = zlib.compressobj(wbits=-15)
    return frame(BINARY, (deflater.compress(payload) + deflater.flush(zlib.Z_SYNC_FLUSH))[:-4], reserved=4)


@pytest.mark.parametrize("path, message", [("/ws", frame(BINARY, b"x" * MIB)), ("/deflate", compressed(b"x" * MIB))],
                         ids=["announced", "compressed"])
def test_half_of_a_message_makes_way_for_whole_ones(mode, path, message):
    """One address has taken all of the arena that it may have with halves of messages, and more of them wait. Whoever else comes finds room, and so
    does everybody when they have gone."""
    offer = "permessage-deflate; client_no_context_takeover" if path == "/deflate" else None

    def echoes(host):
        with RawWebSocket(server, path, host=host, offer=offer) as client:
            client.send(message)
            assert client.read_frame()[1] == BINARY
        is_served(server, 1)

    with limited(mode, arenaBytes=8 * MIB, messageBytes=MIB) as server, contextlib.ExitStack() as held:
        greedy = [held.enter_context(RawWebSocket(server, path, offer=offer)) for _ in range(40)]
        for client in greedy:
            client.send(message[:len(message) // 2])
        for host in range(2, 6):
            echoes(host)
        told, _, _ = select.select([client.socket for client in greedy], [], [], 0)
        if path == "/ws":
            assert told, "somebody has made way"
        for client in greedy:
            if client.socket in told:
                assert client.read_close()[0] == TRY_AGAIN_LATER
            client.close()
        echoes(1)
        wait_until(lambda: stats(server)["arenaBytes"] == 0, "nothing is left of them")


@pytest.mark.slow
def test_one_address_leaves_room_for_others(mode):
    """All that they announce they send, but for the last byte."""
    with limited(mode, arenaBytes=32 * MIB, messageBytes=MIB, bodySeconds=60.0) as server:
        greedy = [Client(server) for _ in range(40)]
        body = b"x" * (MIB - 1)
        for client in greedy:
            client.socket.setblocking(False)
            client.left = format_request("/bytes", "POST", [("Content-Length", MIB)]) + body

        def push():
            for client in greedy:
                with contextlib.suppress(BlockingIOError):
                    while client.left:
                        client.left = client.left[client.socket.send(client.left):]
            return stats(server)["arenaBytes"] > 26 * MIB

        wait_until(push, "they have taken what they can")
        for size in (8 * KIB, 100 * KIB, MIB):
            with Client(server, host=2) as client:
                assert client.request("/bytes", "POST", body=b"x" * size).json() == size
        for client in greedy:
            client.close()


# --- clients that have the server subscribe ---


def test_who_subscribes_leaves_the_way_to_others(mode):
    """All subscriptions of a message fill the ring at once, and again and again: whoever waits for room has his turn."""
    with limited(mode, subscriptions=65_535, ringBytes=512 * KIB) as server:
        greedy = [RawWebSocket(server, "/topics") for _ in range(100)]
        for number, client in enumerate(greedy):
            client.send(frame(1, "\n".join(f"{number} {topic}" for topic in range(5000)).encode()))
        is_served(server)
        for client in greedy:
            assert json.loads(client.read_frame()[2]) == {"made": ["Sent"] * 5000, "topics": 5000}
            client.close()
        assert "dropped" not in server.output()


# --- clients that leave ---


def unread(client):
    """Bytes that the server's kernel holds for this client's connection and nobody has read; None: there is no such connection."""
    ends = [f":{port:04X}" for port in (client.socket.getpeername()[1], client.socket.getsockname()[1])]
    for line in Path("/proc/net/tcp").read_text().splitlines():
        fields = line.split()
        if fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]):
            return int(fields[4].split(":")[1], 16)
    return None


def test_whose_client_has_gone_is_not_begun():
    """It waits for the worker and resets its connection. In base mode a worker that is busy does not see either."""
    with limited("process") as server, Client(server) as busy:
        go = server.folder / "go"
        busy.send(format_request(f"/hold?until={go}"))
        server.wait_event("holds")
        sockets = Path(f"/proc/{server.reactor().pid}/fd")
        before = len(list(sockets.iterdir()))
        gone = Client(server)
        gone.send(format_request("/turn"))
        wait_until(lambda: unread(gone) == 0, "the reactor has read it")
        gone.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.socket.close()
        wait_until(lambda: len(list(sockets.iterdir())) == before, "the reactor knows that it has gone")
        go.touch()
        assert busy.read().text == "let go"
        with Client(server, host=2) as client:
            assert client.request("/turn").json() == 1
