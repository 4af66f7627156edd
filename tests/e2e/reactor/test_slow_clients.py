"""Clients that do not read: what is sent to them waits, is dropped or closes them, as was chosen, and the sender is told the
truth. A producer of any amount runs in bounded memory, and holds up nobody."""

import json
import socket
from urllib.parse import quote

import pytest

from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import BINARY, CLOSE, TEXT, RawWebSocket, frame

SERVER = dict(script="slow_clients.php", workers=1, reactors=1, ports=4)

KIB, MIB = 1 << 10, 1 << 20
# More than the sockets and the queue of 1 MiB hold together.
COUNT, SIZE = 600, 64 * KIB
SOCKETS_HOLD = 16 * MIB
# What is on its way from the worker counts as queued.
OUT_BYTES = 4 * MIB


def chunk(number, size=SIZE):
    return f"{number} ".encode().ljust(size, bytes([97 + number % 26]))


class Lazy(RawWebSocket):
    """Has subscribed, and reads nothing before it is told to."""

    def __init__(self, server, path, receive_buffer=4096):
        super().__init__(server, path, receive_buffer=receive_buffer)
        self.id = int(self.read_frame()[2])

    def numbers(self):
        """Of all messages up to a close frame; its code."""
        found = []
        while True:
            _, opcode, payload = self.read_frame()
            if opcode == CLOSE:
                return found, int.from_bytes(payload[:2], "big")
            assert opcode == BINARY
            found.append(int(payload[:10].split()[0]))
            assert payload == chunk(found[-1], len(payload))

    def close_and_read_numbers(self):
        self.send(frame(CLOSE, b"\x03\xe8"))
        return self.numbers()[0]


def flood(server, client, count=COUNT, size=SIZE):
    client.send(frame(TEXT, f"{count} {size}".encode()))
    return lambda: server.wait_event("flooded", id=client.id)


def is_served(server):
    """The one worker has time for others."""
    return get(server, "/written").json()


# --- messages to one ---


def test_wait(server):
    with Lazy(server, "/Wait") as lazy:
        flooded = flood(server, lazy)
        is_served(server)
        for number in range(COUNT):
            _, opcode, payload = lazy.read_frame()
            assert (opcode, payload) == (BINARY, chunk(number))
            if number % 100 == 0:
                is_served(server)
        told = flooded()
        assert told["Sent"] + told["Queued"] == COUNT and told["Queued"] > 0, told
        assert told["queued"] <= 256 * KIB + 2 * SIZE, "the high-water mark"


def test_wait_ends_when_the_client_leaves(server):
    lazy = Lazy(server, "/Wait")
    flooded = flood(server, lazy)
    is_served(server)
    lazy.reset()
    told = flooded()
    assert told["Closed"] > 0 and told["Dropped"] == 0, told
    assert server.wait_event("closed", id=lazy.id)["code"] == 1006


def test_wait_for_messages_longer_than_the_marks(server):
    """Longer than high water, and than queuedBytes: alone in the queue they may be."""
    with Lazy(server, "/Wait") as lazy:
        flooded = flood(server, lazy, 12, 3 * MIB)
        for number in range(12):
            assert lazy.read_frame() == (True, BINARY, chunk(number, 3 * MIB))
        assert flooded()["Dropped"] == 0


def test_drop_newest(server):
    with Lazy(server, "/DropNewest") as lazy:
        told = flood(server, lazy)()
        assert told["Dropped"] > 0 and told["Closed"] == 0, told
        # It is still there, and gets all that was not refused.
        assert lazy.close_and_read_numbers() == told["accepted"]


def test_drop_oldest(server):
    with Lazy(server, "/DropOldest") as lazy:
        told = flood(server, lazy)()
        assert told["Sent"] + told["Queued"] == COUNT, told
        assert told["queued"] <= MIB + OUT_BYTES + 2 * SIZE, told
        lazy.send(frame(TEXT, b"1 5"))
        numbers = []
        while not numbers or numbers[-1] != "again":
            _, opcode, payload = lazy.read_frame()
            numbers.append("again" if len(payload) == 5 else int(payload[:10].split()[0]))
            assert opcode == BINARY and (numbers[-1] == "again" or payload == chunk(numbers[-1]))
        numbers.pop()
        assert numbers == sorted(set(numbers)), "in order, and none twice"
        assert numbers[-1] == COUNT - 1 and numbers[0] == 0, "the newest are there, and what was begun"
        assert len(numbers) < COUNT, "others had to make room"
        tail = [number for number in numbers if COUNT - number <= 10]
        assert len(tail) == 10, "all of the newest"


def test_drop_oldest_counts_small_messages_with_what_they_cost(server):
    with Lazy(server, "/DropOldest") as lazy:
        told = flood(server, lazy, 400, SIZE)()
        told = flood(server, lazy, 30_000, 8)
        wait_until(lambda: len([e for e in server.events("flooded") if e["id"] == lazy.id]) == 2, "both floods are over")
        last = [e for e in server.events("flooded") if e["id"] == lazy.id][1]
        assert last["Sent"] + last["Queued"] == 30_000 and last["queued"] <= MIB + OUT_BYTES + 2 * SIZE, last


def test_close(server):
    with Lazy(server, "/Close") as lazy:
        told = flood(server, lazy)()
        assert told["Closed"] > 0 and told["Dropped"] == 0, told
        numbers, code = lazy.numbers()
        assert numbers == told["accepted"]
        assert code == 1013
        lazy.send(frame(CLOSE, b"\x03\xf5"))
        assert lazy.at_end()
        assert server.wait_event("closed", id=lazy.id)["code"] == 1013


# --- messages to many ---


def subscribers(server, topic):
    return get(server, "/subscribers?topic=" + quote(topic)).json()


def test_publish_to_slow_clients_of_each_policy(server):
    with Lazy(server, "/Wait?topic=t") as wait, Lazy(server, "/DropNewest?topic=t") as newest, \
            Lazy(server, "/DropOldest?topic=t") as oldest, Lazy(server, "/Close?topic=t") as close, \
            Lazy(server, "/DropNewest?topic=t", receive_buffer=None) as reader:
        wait_until(lambda: subscribers(server, "t") == 5, "all have subscribed")
        received = []
        for begin in range(0, COUNT, 10):
            get(server, f"/publish?topic=t&count=10&size={SIZE}")
            received += [reader.read_frame()[2] for _ in range(10)]
        assert received == [chunk(number % 10) for number in range(COUNT)], "who reads misses nothing"
        assert subscribers(server, "t") == 4
        for client in (wait, newest):
            assert len(client.close_and_read_numbers()) < COUNT
        numbers, code = close.numbers()
        assert code == 1013 and len(numbers) < COUNT
        oldest.send(frame(TEXT, b"1 5"))
        payloads = []
        while not payloads or len(payloads[-1]) != 5:
            payloads.append(oldest.read_frame()[2])
        assert payloads[-11:-1] == [chunk(number) for number in range(10)], "the newest ten"
        assert len(payloads) - 1 < COUNT


def test_send_many_tells_the_truth(server):
    with Lazy(server, "/DropNewest") as newest, Lazy(server, "/Close") as close, \
            Lazy(server, "/DropNewest", receive_buffer=None) as reader:
        ids = ",".join(str(one.id) for one in (newest, close, reader))
        counts = {newest.id: 0, close.id: 0, reader.id: 0}
        for begin in range(0, COUNT, 10):
            known = len(server.events("sent-many"))
            get(server, f"/send-many?ids={ids}&count=10&size={SIZE}")
            for _ in range(10):
                reader.read_frame()
            wait_until(lambda: len(server.events("sent-many")) > known, "it was told")
            for id, count in server.events("sent-many")[-1]["counts"].items():
                counts[int(id)] += count
        assert counts[reader.id] == COUNT
        assert len(newest.close_and_read_numbers()) == counts[newest.id] < COUNT
        numbers, code = close.numbers()
        assert code == 1013 and len(numbers) == counts[close.id] < COUNT


def test_send_many_waits_for_who_is_to_be_waited_for(server):
    with Lazy(server, "/Wait") as one, Lazy(server, "/Wait") as other, HttpConnection(server.address) as asker:
        asker.send(format_request(f"/send-many?ids={one.id},{other.id}&count={COUNT}&size={SIZE}"))
        for number in range(COUNT):
            assert one.read_frame() == other.read_frame() == (True, BINARY, chunk(number))
        assert asker.read().text == "sent"


# --- TCP ---


class LazyTcp(HttpConnection):
    def __init__(self, server, port):
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE_S)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", server.ports[port]))
        self.buffer = b""


@pytest.mark.parametrize("port, policy", [(1, "Wait"), (2, "DropNewest"), (3, "Close")])
def test_tcp(server, port, policy):
    known = len(server.events("flooded"))
    with LazyTcp(server, port) as lazy:
        lazy.send(f"{COUNT} {SIZE}\n".encode())
        is_served(server)
        accepted = range(COUNT)
        if policy != "Wait":
            wait_until(lambda: len(server.events("flooded")) > known, "the flood is over")
            told = server.events("flooded")[-1]
            accepted = told["accepted"]
            assert 0 < len(accepted) < COUNT and told["Dropped" if policy == "DropNewest" else "Closed"] > 0, told
        for number in accepted:
            assert lazy.take(SIZE) == chunk(number)
        if policy == "Wait":
            wait_until(lambda: len(server.events("flooded")) > known, "the flood is over")
            told = server.events("flooded")[-1]
            assert told["Sent"] + told["Queued"] == COUNT and told["queued"] <= 256 * KIB + 2 * SIZE, told
        if policy == "Close":
            assert lazy.at_end()


# --- responses ---


def lazy_request(server, target):
    client = LazyTcp(server, 0)
    client.send(format_request(target))
    return client


def memory_kib(server):
    """Of all processes together, without what they share."""
    return sum(process.status_kib("RssAnon") for process in server.processes())


@pytest.mark.parametrize("path", ["/stream", "/events", "/spawned"])
def test_a_stream_waits_for_its_client(server, path):
    name = f"waits {path}"
    total = 512 * SIZE * 2
    before = memory_kib(server)
    client = lazy_request(server, f"{path}?name={quote(name)}&bytes={total}")

    def written():
        return is_served(server).get(name, 0)
    wait_until(lambda: written() > 128 * KIB, "the queue is full")
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 * MIB)
    assert written() <= SOCKETS_HOLD + 512 * KIB, "it runs no further ahead than sockets and queue hold"
    assert memory_kib(server) - before < 16 * KIB, "a producer of much costs little"
    body = client.read().body
    told = server.wait_event("streamed", name=name)
    assert told["end"] == "complete" and told["bytes"] == total, told
    if path == "/events":
        assert body.count(b"data:") >= total // SIZE
    else:
        assert body == b"".join(chunk(number) for number in range(total // SIZE))


# A handler that does not wait at that moment finds the connection closed before it is cancelled.
@pytest.mark.parametrize("path, ends", [("/stream", ("cancelled", "Closed")), ("/events", ("cancelled", "Closed")),
                                        ("/spawned", ("Closed",))])
def test_a_stream_ends_when_its_client_leaves(server, path, ends):
    name = f"leaves {path}"
    client = lazy_request(server, f"{path}?name={quote(name)}&bytes={1 << 40}")
    wait_until(lambda: is_served(server).get(name, 0) > 128 * KIB, "the queue is full")
    client.close()
    told = server.wait_event("streamed", name=name)
    assert told["end"] in ends and told["bytes"] < 64 * MIB, told


def test_many_slow_streams_share_what_there_is(server):
    """More of them than the worker's outBytes could hold queues for."""
    total = 2 * MIB
    clients = [lazy_request(server, f"/stream?name=shared{number}&bytes={total}") for number in range(40)]
    wait_until(lambda: sum(is_served(server).get(f"shared{number}", 0) > 0 for number in range(40)) > 20, "most have begun")
    expected = b"".join(chunk(number) for number in range(total // SIZE))
    for client in clients:
        assert client.read().body == expected
        client.close()


def test_a_long_body_given_at_once(server):
    """Longer than outBytes: it goes in parts, at the client's pace."""
    size = 24 * MIB
    client = lazy_request(server, f"/at-once?name=once&bytes={size}")
    is_served(server)
    response = client.read()
    assert response.header("content-length") == str(size) and response.body == chunk(0, size)
    assert server.wait_event("streamed", name="once")


# --- deadlines ---


@pytest.fixture(scope="module")
def impatient(mode):
    with Server(mode=mode, **SERVER, env={"WRITE_SECONDS": "0.5"}) as server:
        yield server


@pytest.mark.parametrize("path", ["/stream", "/spawned"])
def test_a_stream_to_who_takes_nothing_has_a_deadline(impatient, path):
    name = f"late {path}"
    with lazy_request(impatient, f"{path}?name={quote(name)}&bytes={1 << 40}"):
        assert impatient.wait_event("streamed", name=name)["end"] in ("cancelled", "Closed")


def test_a_send_that_waits_has_a_deadline(impatient):
    lazy = Lazy(impatient, "/Wait")
    told = flood(impatient, lazy)()
    assert told["Closed"] > 0, told
    lazy.close()
