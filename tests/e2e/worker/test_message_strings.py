"""Memory: messages in the arena, strings that PHP keeps, clients that do not read."""

import hashlib
import json
import os
import struct
import threading

import pytest

from harness import SANITIZED, wait_until
from http_client import get
from websocket_client import BINARY, TEXT, RawWebSocket, asynchronous, connect, frame, mask

SERVER = dict(script="message_strings.php")
ARENA_BYTES, LENT_BYTES, QUEUED_BYTES = 8 << 20, 2 << 20, 1 << 20
# A block of the arena is larger than its message.
ROUNDING = 1.3


def stats(server):
    return get(server, "/stats").json()


def wait_for_empty_arena(server):
    wait_until(lambda: stats(server)["arenaBytes"] == 0, "the arena is empty")


class NumberedFrames:
    """Frames of one size whose payload begins with their number; masked once, for masking is slow in Python."""

    KEY = b"\x5a\x01\xf0\x99"

    def __init__(self, size):
        whole = frame(BINARY, bytes(8) + os.urandom(size - 8), key=self.KEY)
        self.head, self.rest = whole[:-size], whole[-size + 8:]

    def __getitem__(self, number):
        return self.head + mask(struct.pack(">Q", number), self.KEY) + self.rest


@pytest.mark.both_modes
@pytest.mark.parametrize("size,count", [(512 << 10, 128), (9000, 1500), (1 << 20, 40)])
def test_a_slow_worker_gets_every_message_and_memory_stays_bounded(server, size, count):
    """The client sends a slow worker more than the arena holds: back-pressure by TCP has to hold the client back."""
    with RawWebSocket(server, "/slow") as client:
        client.send(frame(TEXT, b"start"))
        frames = NumberedFrames(size)
        for number in range(count):
            client.send(frames[number])
        client.send(frame(TEXT, b"report"))
        report = json.loads(client.read_frame()[2])
        assert (report["next"], report["bytes"], report["wrong"]) == (count, size * count, 0)
        assert report["mostInArena"] <= ARENA_BYTES
        if server.mode == "process" and not SANITIZED:
            reactor = server.reactor()
            assert reactor.status_kib("RssAnon") < 32 << 10, "the reactor keeps messages outside of the arena"
    wait_for_empty_arena(server)


def test_several_floods_share_a_small_arena(server):
    clients = [RawWebSocket(server, "/count") for _ in range(6)]
    frames = NumberedFrames(1 << 20)

    def write(client):
        for number in range(8):
            client.send(frames[number])
        client.send(frame(TEXT, b"report"))
    threads = [threading.Thread(target=write, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for client in clients:
        assert json.loads(client.read_frame()[2]) == {"messages": 8, "bytes": 8 << 20, "wrong": 0}
    for thread in threads:
        thread.join()
    for client in clients:
        client.close()
    wait_for_empty_arena(server)


def test_strings_that_php_keeps_stay_lent_up_to_the_quota(server, process_mode_only):
    get(server, "/forget")
    with RawWebSocket(server, "/keep") as client:
        messages = [os.urandom(300_000) for _ in range(20)]
        lent = []
        for message in messages:
            client.send(frame(BINARY, message))
            lent.append(int(client.read_frame()[2]))
        assert lent[0] >= 300_000, "the first one lies in its extent"
        assert max(lent) <= LENT_BYTES * ROUNDING, "past the quota they are copied"
        assert stats(server)["arenaBytes"] <= LENT_BYTES * ROUNDING
        # 6 MB are kept, far over the quota: each message has to be unchanged.
        assert get(server, "/kept").json() == [[len(message), hashlib.md5(message).hexdigest()] for message in messages]
        assert get(server, "/forget").json()["lent"] in range(0, LENT_BYTES + 1)
    wait_until(lambda: stats(server)["lent"] == 0, "nothing is lent any more")
    wait_for_empty_arena(server)


def test_kept_strings_are_right_in_either_mode(server):
    get(server, "/forget")
    with RawWebSocket(server, "/keep") as client:
        messages = [os.urandom(size) for size in (10, 8191, 8192, 9000, 100_000, 1 << 20, 2 << 20)]
        for message in messages:
            client.send(frame(BINARY, message))
            client.read_frame()
        other = RawWebSocket(server, "/echo")
        for _ in range(20):  # these messages would overwrite the kept ones, were those given back too early
            other.send(frame(BINARY, b"\xee" * (1 << 20)))
            assert len(other.read_frame()[2]) == 1 << 20
        other.close()
        assert get(server, "/kept").json() == [[len(message), hashlib.md5(message).hexdigest()] for message in messages]
        get(server, "/forget")
    wait_for_empty_arena(server)


@pytest.mark.parametrize("size", [100, 8191, 8192, 500_000])
def test_writing_to_a_received_string_changes_a_copy(server, size):
    with RawWebSocket(server, "/abuse") as client:
        for _ in range(20):
            client.send(frame(TEXT, b"x" * (size - 1) + b"z"))
            assert json.loads(client.read_frame()[2]) == {
                "intact": True, "copy": 4, "longer": 100_000, "half": size // 2, "tail": "z", "matched": size - 1,
            }
    wait_for_empty_arena(server)


@pytest.mark.parametrize("size", [1000, 20_000, 200_000])
def test_a_client_that_does_not_read_fills_its_own_queue_alone(server, size):
    with RawWebSocket(server, "/flood", receive_buffer=4096) as lazy, RawWebSocket(server, "/echo") as other:
        known = len(server.events("flooded"))
        lazy.send(frame(TEXT, str(size).encode()))
        wait_until(lambda: len(server.events("flooded")) > known, "a send was refused")
        flooded = server.events("flooded")[-1]
        assert flooded["Dropped"] == 1 and flooded["Queued"] > 0 and flooded["Closed"] == 0, flooded
        assert flooded["queued"] <= QUEUED_BYTES + 2 * size + (1 << 20), flooded
        other.send(frame(TEXT, b"not hindered"))
        assert other.read_frame() == (True, TEXT, b"not hindered")
        # Messages that were not refused arrive in order when the client reads.
        for number in range(flooded["Sent"] + flooded["Queued"]):
            _, opcode, payload = lazy.read_frame()
            assert (opcode, len(payload), struct.unpack(">Q", payload[:8])[0]) == (BINARY, size, number)
        lazy.send(frame(TEXT, b"again"))
        assert lazy.read_frame() == (True, TEXT, b"again")


def test_a_client_that_does_not_read_and_leaves_gives_its_memory_back(server):
    known = len(server.events("flooded"))
    lazy = RawWebSocket(server, "/flood", receive_buffer=4096)
    lazy.send(frame(TEXT, b"200000"))
    wait_until(lambda: len(server.events("flooded")) > known, "a send was refused")
    lazy.reset()
    # The out-arena of 4 MiB would be full for ever, were its extents not given back.
    with RawWebSocket(server, "/echo") as client:
        for _ in range(20):
            client.send(frame(BINARY, b"e" * 1_000_000))
            assert len(client.read_frame()[2]) == 1_000_000


@asynchronous
async def test_big_messages_both_ways_at_once(server):
    async with connect(server) as socket:
        data = [os.urandom(90_000) for _ in range(10)]  # all messages fit into the client's queue
        for piece in data:
            await socket.send(piece)
        assert [await socket.recv() for _ in data] == data
