"""Everything at once for a while: work, clients that vanish, workers that die, reloads. Afterwards all gauges are back, memory
is what it was, and no descriptor, process or file is left."""

import os
import random
import re
import signal
import threading
import time
from pathlib import Path

import pytest

from busy_server import BusyServer, busy_server, has_its_processes, lasting, reload
from harness import MODES, wait_until
from http2_client import CANCEL, RST_STREAM, Closed, Http2Connection
from http_client import ClosedEarly, HttpConnection, format_request
from websocket_client import BINARY, RawWebSocket, frame

pytestmark = pytest.mark.slow

SOAK_S = 600 if "SLUICE_TORTURE" in os.environ else 60 // len(MODES)
# When workers are killed and reloaded no more.
CALM_PART = 0.7
# How much a process may grow after a fifth of the time, and a worker in the calm part: these are pages of its allocator, not of the server.
GROWTH_KIB = 6 * 1024


class Vanishing(threading.Thread):
    """Clients that go away in the middle of everything."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.stopped, self.error = server, False, None
        self.tries = self.count = 0

    def run(self):
        ways = (self.within_a_head, self.within_a_body, self.within_a_streamed_body, self.before_an_answer, self.before_a_process_answers,
                self.within_events, self.within_a_message, self.unread, self.within_a_tls_handshake, self.within_streams)
        try:
            while not self.stopped:
                self.tries += 1
                try:
                    random.choice(ways)()
                    self.count += 1
                except (ConnectionError, ClosedEarly):
                    pass  # together with its worker
        except BaseException as error:
            self.error = error

    def within_a_head(self):
        with HttpConnection(self.server.address) as client:
            client.send(b"GET / HTTP/1.1\r\nHost:")

    def within_a_body(self):
        with HttpConnection(self.server.address) as client:
            client.send(b"POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n" + bytes(200000))

    def within_a_streamed_body(self):
        with HttpConnection(self.server.address) as client:
            client.send(b"POST /streamed?id=gone-%d HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n" % self.tries + bytes(300000))

    def before_an_answer(self):
        with HttpConnection(self.server.address) as client:
            client.send(format_request(f"/pieces?id=gone-{self.tries}"))

    def before_a_process_answers(self):
        with HttpConnection(self.server.address) as client:
            client.send(format_request(f"/process?id=process-gone-{self.tries}", "POST", body=bytes(1000)))

    def within_events(self):
        with HttpConnection(self.server.address) as client:
            client.send(format_request(f"/events?id=gone-{self.tries}"))
            client.take_until(b"data: gone")

    def within_a_tls_handshake(self):
        with HttpConnection(("127.0.0.1", self.server.ports[2])) as client:
            client.send(bytes.fromhex("16030100c8010000c403"))

    def within_streams(self):
        try:
            with Http2Connection(self.server.address) as client:
                streams = [client.begin(f"/waits?id=gone-{self.tries}.{number}") for number in range(10)]
                for stream in streams[:5]:
                    client.send(RST_STREAM, 0, stream, CANCEL.to_bytes(4))
        except Closed:
            pass

    def within_a_message(self):
        client = RawWebSocket(self.server)
        client.send(frame(BINARY, bytes(100000))[:50000])
        client.reset()

    def unread(self):
        client = RawWebSocket(self.server, receive_buffer=4096)
        for number in range(20):
            client.send(frame(BINARY, f"gone-{self.tries}-{number} {'z' * 40000}".encode()))
        client.reset()


def memory_kib(server):
    workers = {f"worker {pid}": pid for pid in server.worker_pids()}
    return {name: anonymous_kib(pid) for name, pid in (lasting(server) | workers).items()}


def growth(early, late):
    return {name: late[name] - early[name] for name in early if name in late and late[name] > early[name] + GROWTH_KIB}


def anonymous_kib(pid):
    """The memory of a process without what all processes share, which the server's options bound."""
    found = re.search(r"^Anonymous: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1])


def test_soak(mode, tmp_path):
    changes_file, temporary = tmp_path / "changes.php", tmp_path / "temporary"
    temporary.mkdir()
    changes_file.write_text("<?php return ['number' => 0];")
    with busy_server(mode, tmp_path, env={"CHANGES": str(changes_file), "TMPDIR": str(temporary)}) as server:
        busy, vanishing = BusyServer(server), Vanishing(server)
        vanishing.start()
        begin, early, calm = time.monotonic(), None, None
        while time.monotonic() < begin + SOAK_S:
            since = busy.rounds()
            wait_until(lambda: busy.has_done(20, since), "the clients go on")
            assert vanishing.error is None, vanishing.error
            # In the last part workers live on: their memory is to be flat, too. In base mode the connections are theirs.
            if time.monotonic() > begin + SOAK_S * CALM_PART:
                calm = calm or memory_kib(server)
            elif random.random() < 0.2:
                reload(server)
            else:
                starts = len(server.events("start"))
                os.kill(random.choice(server.worker_pids()), signal.SIGKILL)
                wait_until(lambda: len(server.events("start")) > starts, "another worker has begun")
            if early is None and time.monotonic() > begin + SOAK_S / 5:
                early = memory_kib(server)
        vanishing.stopped = True
        vanishing.join()
        late = memory_kib(server)
        busy.finish()
        print(f"{len(server.events('start'))} workers, {vanishing.count} clients have vanished; KiB of memory {early}, {calm}, {late}")
        assert growth(early, late) == {}
        assert [name for name in calm if name.startswith("worker") and name in late], "the workers live on"
        assert growth(calm, late) == {}
        wait_until(lambda: has_its_processes(server), "only the processes are there that were at first")
        assert list(temporary.iterdir()) == []
