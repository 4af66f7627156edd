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

from busy_clients import BusyServer
from harness import Server, wait_until
from http_client import HttpConnection, format_request
from websocket_client import BINARY, RawWebSocket, frame

SOAK_S = 600 if "SLUICE_TORTURE" in os.environ else 60
# What a process that works on may take more than after a fifth of the time: of its allocator's pages, not of ours.
GROWTH_KIB = 6 * 1024


class Vanishing(threading.Thread):
    """Clients that go away in the middle of everything."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.stopped, self.error, self.count = server, False, None, 0

    def run(self):
        ways = (self.within_a_head, self.within_a_body, self.before_an_answer, self.within_a_message, self.unread)
        try:
            while not self.stopped:
                try:
                    random.choice(ways)()
                    self.count += 1
                except ConnectionError:
                    pass
        except BaseException as error:
            self.error = error

    def within_a_head(self):
        with HttpConnection(self.server.address) as client:
            client.send(b"GET / HTTP/1.1\r\nHost:")

    def within_a_body(self):
        with HttpConnection(self.server.address) as client:
            client.send(b"POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n" + bytes(200000))

    def before_an_answer(self):
        with HttpConnection(self.server.address) as client:
            client.send(format_request(f"/pieces?id=gone-{self.count}"))

    def within_a_message(self):
        client = RawWebSocket(self.server)
        client.send(frame(BINARY, bytes(100000))[:50000])
        client.reset()

    def unread(self):
        client = RawWebSocket(self.server, receive_buffer=4096)
        for number in range(20):
            client.send(frame(BINARY, f"gone-{self.count}-{number} {'z' * 40000}".encode()))
        client.reset()


class Footprint:
    """What the processes that live as long as the server hold: descriptors, and KiB of memory."""

    def __init__(self, server):
        self.of = {}
        for name, process in (("master", server.process.pid), ("reactor", server.reactor().pid)):
            self.of[name] = (len(os.listdir(f"/proc/{process}/fd")), anonymous_kib(process))


def anonymous_kib(pid):
    """Without the memory that all processes share: that is bounded by the server's options."""
    found = re.search(r"^Anonymous: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1])


@pytest.mark.parametrize("mode", ["process"])
def test_soak(mode, tmp_path):
    begun_file, changes_file, temporary = tmp_path / "begun", tmp_path / "changes.php", tmp_path / "temporary"
    begun_file.touch()
    temporary.mkdir()
    changes_file.write_text("<?php return ['number' => 0];")
    env = {"BEGUN": str(begun_file), "CHANGES": str(changes_file), "TMPDIR": str(temporary)}
    with Server("busy.php", mode, workers=2, ports=2, env=env) as server:
        busy, vanishing = BusyServer(server, begun_file), Vanishing(server)
        vanishing.start()
        begin, starts, early = time.monotonic(), 2, None
        while time.monotonic() < begin + SOAK_S:
            since = busy.rounds()
            wait_until(lambda: busy.has_done(20, since), "the clients go on")
            assert vanishing.error is None, vanishing.error
            if random.random() < 0.2:
                server.signal(signal.SIGHUP)
            else:
                os.kill(random.choice(wait_until(server.worker_pids, "a worker lives")), signal.SIGKILL)
            wait_until(lambda: len(server.events("start")) > starts, "another worker has begun")
            starts = len(server.events("start"))
            if early is None and time.monotonic() > begin + SOAK_S / 5:
                early = Footprint(server)
        vanishing.stopped = True
        vanishing.join()
        busy.finish()
        late = Footprint(server)
        print(f"{starts} workers, {vanishing.count} clients have vanished; descriptors and KiB early {early.of}, late {late.of}")
        for name, (descriptors, kib) in late.of.items():
            assert descriptors <= early.of[name][0], f"{name} has kept descriptors"
            assert kib <= early.of[name][1] + GROWTH_KIB, f"{name} has grown"
        assert len(server.processes()) == 5, server.processes()  # master, reactor, generation, two workers
        assert list(temporary.iterdir()) == []
