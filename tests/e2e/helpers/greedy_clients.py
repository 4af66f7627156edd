"""Clients that take what they can get, by what they do, and as many of them as are wanted: a crowd is a process of its own,
so that what it costs is known and nobody else waits for it."""

import multiprocessing
import os
import random
import resource
import socket
import struct
import time

import hpack

from http2_client import DATA, END_HEADERS, HEADERS, PING, PREFACE, RST_STREAM, SETTINGS, frame as h2_frame
from http_client import format_request
from websocket_client import frame as ws_frame, handshake

MIB = 1024**2
# So often each client of a crowd may do something.
ROUND_S = 0.25
# Ten thousand take their time where other suites run, and a crowd is the last to get a CPU.
BEGIN_S = 300
ANNOUNCED = [("Content-Length", str(MIB))]


class Greedy:
    """What a client sends at first, what it sends again and again, and whether it reads. It comes again when it is cut off."""

    reads, resets, halves = True, False, False
    # In how many rounds it closes and comes again; 0: when it is cut off.
    returns = 0
    # What each may cost the server beside what all together may, and what all of that is at most.
    own_mib, together_mib = 0.0, 500.0

    def opening(self):
        return b""

    def again(self):
        return b""


def http2(path, method, more=(), end=False, stream=1):
    fields = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "test.example"), *more]
    return h2_frame(HEADERS, END_HEADERS | (1 if end else 0), stream, hpack.Encoder().encode(fields, huffman=False))


class Idle(Greedy):
    """opens a connection, and that is all"""


class Announce(Greedy):
    """announces a body of 1 MiB and sends one byte of it"""

    def opening(self):
        return format_request("/bytes", "POST", ANNOUNCED) + b"x"


class AnnounceMessage(Greedy):
    """announces a WebSocket message of 1 MiB and sends one byte of it"""

    def opening(self):
        return handshake("/ws") + b"\x82\xff" + MIB.to_bytes(8, "big") + b"\1\2\3\4x"


class Drip(Greedy):
    """sends a head byte by byte"""

    def opening(self):
        return b"GET / HTTP/1.1\r\nHost: test.example\r\nX: "

    def again(self):
        return b"x"


class Unread(Greedy):
    """asks for 1 MiB and does not read it"""

    # A handler holds the body that it has made, up to `memory_limit`, while it waits for room on its way.
    own_mib = 1.0
    reads = False

    def opening(self):
        return format_request(f"/big?bytes={MIB}")


class Return(Unread):
    """asks for 1 MiB, does not read it, and comes again with the fourth round"""

    returns = 4


class Pipeline(Greedy):
    """sends a hundred requests at once, again and again, and reads nothing"""

    # What has been read with the request that is handled, and its answers up to `highWaterBytes`.
    own_mib = 0.1
    reads = False

    def opening(self):
        return format_request("/") * 100

    again = opening


class Reset(Greedy):
    """asks and resets the connection, again and again"""

    resets = True

    def opening(self):
        return format_request("/")


class Ping(Greedy):
    """sends a hundred WebSocket pings at a time, and reads nothing"""

    reads = False

    def opening(self):
        return handshake("/ws")

    def again(self):
        return ws_frame(9, bytes(100)) * 100


class Http2Ping(Greedy):
    """sends fifty HTTP/2 pings at a time, and reads nothing"""

    reads = False

    def opening(self):
        return PREFACE + h2_frame(SETTINGS)

    def again(self):
        return h2_frame(PING, payload=bytes(8)) * 50


class Streams(Greedy):
    """opens a hundred streams, each of which announces a body of 1 MiB"""

    own_mib = 0.1
    def opening(self):
        return PREFACE + h2_frame(SETTINGS) + b"".join(
            http2("/bytes", "POST", [("content-length", str(MIB))], stream=stream) + h2_frame(DATA, 0, stream, b"x") for stream in range(1, 200, 2))


class RapidReset(Greedy):
    """opens a hundred streams and resets each at once, again and again on a new connection"""

    # A session of HTTP/2 takes 15 KiB, and thousands of them wait to be closed while the CPUs are busy.
    own_mib = 0.02

    def opening(self):
        return PREFACE + h2_frame(SETTINGS) + b"".join(
            http2("/", "GET", end=True, stream=stream) + h2_frame(RST_STREAM, 0, stream, struct.pack(">I", 8)) for stream in range(1, 200, 2))

    resets = True


class Subscribe(Greedy):
    """subscribes to 900 topics"""

    own_mib = 0.01  # its first message, of which 4 KiB wait; all subscriptions together take subscriptionBytes

    def opening(self):
        topics = "\n".join(f"topic-{random.random()}" for _ in range(900))
        return handshake("/topics") + ws_frame(1, topics.encode())


class HalfClose(Greedy):
    """asks, closes its half, and stays"""

    halves = True

    def opening(self):
        return format_request("/")


KINDS = {kind.__name__: kind for kind in [*Greedy.__subclasses__(), *Unread.__subclasses__()]}


class Client:
    def __init__(self, address, kind, source):
        self.address, self.kind, self.source = address, kind, source
        self.socket = None
        self.left = b""

    def connect(self):
        self.socket = socket.socket()
        if not self.kind.reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((self.source, 0))
        self.socket.setblocking(False)
        try:
            self.socket.connect(self.address)
        except BlockingIOError:
            pass
        self.left = self.kind.opening()
        self.opened = False
        self.rounds = 0

    def close(self):
        if self.kind.resets:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
        self.socket = None

    def step(self):
        """What it can do now; the bytes that it has sent. An OSError: it has been cut off."""
        if self.socket is None:
            self.connect()
            return 0
        self.rounds += 1
        if self.rounds == self.kind.returns:
            self.close()
            return 0
        sent = 0
        try:
            if self.left:
                sent = self.socket.send(self.left)
                self.left = self.left[sent:]
            elif not self.opened:
                self.opened = True
                if self.kind.halves:
                    self.socket.shutdown(socket.SHUT_WR)
                elif self.kind.resets:
                    self.close()
                    return 0
            else:
                self.left = self.kind.again()
            if self.kind.reads and self.socket.recv(65536) == b"" and not self.kind.halves:
                raise ConnectionResetError
        except BlockingIOError:
            pass
        return sent


def _crowd(address, name, count, source, pipe):
    os.nice(10)
    kind = KINDS[name]()
    clients = [Client(address, kind, source or f"127.0.{1 + number // 200}.{1 + number % 200}") for number in range(count)]
    sent = rounds = cut_off = 0
    begun = time.monotonic()
    while not pipe.poll():
        before = time.monotonic()
        for client in clients:
            try:
                sent += client.step()
            except OSError:
                cut_off += 1
                if client.socket:
                    client.close()
        rounds += 1
        if rounds == 4:
            pipe.send("all have begun")
        time.sleep(max(0.0, before + ROUND_S - time.monotonic()))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = time.monotonic() - begun
    pipe.send({"bytes_per_second": sent / seconds, "cpu": (usage.ru_utime + usage.ru_stime) / seconds, "cut_off": cut_off, "seconds": seconds})


class Crowd:
    """`count` clients of the kind until the end of the context: from `source`, or from as many addresses as there are for them."""

    def __init__(self, address, name, count, source=None):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=_crowd, args=(address, name, count, source, theirs), daemon=True)
        self.cost = None

    def __enter__(self):
        self.process.start()
        try:
            assert self.pipe.poll(BEGIN_S) and self.pipe.recv() == "all have begun", f"not all clients have begun within {BEGIN_S} s"
        except BaseException:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_):
        self.pipe.send("end")
        if self.pipe.poll(60):
            self.cost = self.pipe.recv()
        self.process.join(10)
        self.process.kill()
