"""Memory of connections and streams that wait."""

import contextlib
import re
import resource
import socket
import statistics
import time
from pathlib import Path

from measuring import MODES, ROOT, Failure, php, reactor_of, serving, sessions_memory_mb, wrk

PLACE = 12
NEEDS = ()

SOCKETS = 8_000
CONNECTIONS, STREAMS = 64, 100
HANDSHAKE = (b"GET /idle HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


def connect(stack, address):
    host, port = address.split(":")
    return stack.enter_context(socket.create_connection((host, int(port)), timeout=30))


def open_websockets(stack, address):
    for _ in range(SOCKETS):
        one = connect(stack, address)
        one.sendall(HANDSHAKE)
        answer = one.recv(4096)
        if not answer.startswith(b"HTTP/1.1 101"):
            raise Failure(f"a WebSocket was refused: {answer!r}")
    return SOCKETS


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


# RFC 7541: `:method GET`, `:scheme http` and `:path /` of the static table, and `:authority a`, which is not indexed.
FIELDS = b"\x82\x86\x84\x01\x01a"
END_STREAM_AND_HEADERS = 0x5


def open_streams(stack, address):
    for _ in range(CONNECTIONS):
        one = connect(stack, address)
        one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
        one.sendall(b"".join(frame(1, END_STREAM_AND_HEADERS, 2 * number + 1, FIELDS) for number in range(STREAMS)))
        # The answer to a ping is behind the requests.
        one.sendall(frame(6, 0, 0, b"at rest?"))
        got = b""
        while frame(6, 1, 0, b"at rest?") not in got:
            got += one.recv(4096)
            if frame(7, 0, 0)[3:4] == got[3:4]:
                raise Failure(f"a connection was refused: {got!r}")
    return CONNECTIONS * STREAMS


def own_memory_mb(pid):
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)[1]) * 1024 / 1e6


def at_rest(memory):
    """Memory once it no longer changes."""
    last = memory()
    for _ in range(50):
        time.sleep(0.2)
        now = memory()
        if now == last:
            return now
        last = now
    return last


def cost(mode, fill, memory_of):
    """Bytes of memory for each, those of the rings aside, which any traffic fills once."""
    with contextlib.ExitStack() as stack:
        address, master = stack.enter_context(serving(*php(), ROOT / "bench/memory.php", "{address}", mode))
        memory = lambda: memory_of(master)  # noqa: E731
        wrk(address, 1, path="/nothing")
        before = at_rest(memory)
        number = fill(stack, address)
        return (at_rest(memory) - before) * 1e6 / number


def measure(options):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, SOCKETS + 1_000), most))
    whole = lambda master: sessions_memory_mb({master})  # noqa: E731
    rows = [["how", *MODES]]
    rows.append(["WebSocket that says nothing",
                 *(f"{statistics.median(cost(mode, open_websockets, whole) for _ in range(options.rounds)):,.0f}" for mode in MODES)])
    reactor = lambda master: own_memory_mb(reactor_of(master))  # noqa: E731
    rows.append(["stream of HTTP/2 whose handler waits, in the reactor",
                 f"{statistics.median(cost('process', open_streams, reactor) for _ in range(options.rounds)):,.0f}", ""])
    return (
        f"Memory in bytes: {SOCKETS:,} WebSockets, {CONNECTIONS} connections with {STREAMS} streams", rows,
        "Aim: 300 bytes in base and 320 in process mode for a WebSocket, 1,024 for a stream.",
    )
