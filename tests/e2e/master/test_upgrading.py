"""SIGUSR2: another master takes over the listeners; nobody is refused, and no request fails."""

import os
import signal
import socket
import threading

import pytest

from harness import DEADLINE_S, MODES, Process, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from lifecycle import current, release, start
from websocket_client import TEXT, RawWebSocket, frame


class Clients:
    """Clients that count. Each does what RFC 9112, 9.3.1 has a client do: a request on a connection that was used before, and was closed
    without one byte of an answer, is sent again on another connection. Anything else is a failure."""

    def __init__(self, server, count=4):
        self.server, self.ending, self.masters = server, threading.Event(), set()
        self.served, self.failures = 0, []
        self.threads = [threading.Thread(target=self.run) for _ in range(count)]

    def run(self):
        connection, was_used = None, False
        while not self.ending.is_set():
            try:
                connection = connection or HttpConnection(self.server.address)
                response = connection.request("/worker")
                if response.status != 200:
                    self.failures.append(response)
                self.masters.add(response.json()["release"])
                self.served += 1
                was_used = True
                if response.header("connection") == "close":
                    connection.close()
                    connection, was_used = None, False
            except (ClosedEarly, ConnectionResetError, BrokenPipeError) as error:
                if not was_used:
                    self.failures.append(repr(error))
                connection, was_used = None, False
            except Exception as error:
                self.failures.append(repr(error))
                return
        if connection:
            connection.close()

    def serve_more(self, what, count=50):
        before = self.served
        wait_until(lambda: self.served > before + count or self.failures, what)
        assert not self.failures, self.failures

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.serve_more("the load runs")
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()


class Successor:
    """Stands in for the process that a test has started, once another master has taken its place."""

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def poll(self):
        if not Process(self.pid).is_alive():
            self.returncode = 0
        return self.returncode

    def wait(self):
        wait_until(lambda: self.poll() is not None, "the new master has ended")

    def kill(self):
        Process(self.pid).kill()


def upgrade(server, pid_file):
    """Returns the pid of the new master, once the old one has ended."""
    old = server.process
    server.processes()
    server.signal(signal.SIGUSR2)
    wait_until(lambda: pid_file.read_text().strip() not in ("", str(old.pid)), "the new master has the pid file")
    new = int(pid_file.read_text())
    wait_until(lambda: old.poll() is not None, "the old master has ended")
    assert old.returncode == 0, server.output()
    server.processes()
    server.process = Successor(new)
    return new


@pytest.fixture
def pid_file(tmp_path):
    return tmp_path / "server.pid"


@pytest.mark.both_modes
@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", MODES)
def test_another_master_takes_over_under_load(script, mode, times, pid_file):
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as server, Clients(server) as clients:
        for number in range(times):
            before = set(server.worker_pids())
            release(script, f"upgrade{number}")
            new = upgrade(server, pid_file)
            assert Process(new).title().startswith("sluice: master")
            clients.serve_more("the new master's workers serve")
            assert f"upgrade{number}" in clients.masters
            assert not any(Process(pid).is_alive() for pid in before)
        assert not clients.failures
    assert not pid_file.exists()


@pytest.mark.parametrize("mode", MODES)
def test_websockets_are_told_to_go_away(script, mode, pid_file):
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as server, RawWebSocket(server) as client:
        server.signal(signal.SIGUSR2)
        assert client.read_close()[0] == 1001

        def is_served():
            """Not told to go away, too: another worker of the old server may not know yet that it drains."""
            with RawWebSocket(server) as again:
                again.send(frame(TEXT, b"hello"))
                _, opcode, payload = again.read_frame()
                return (opcode, payload) == (TEXT, b"one:5:hello")

        wait_until(is_served, "the next WebSocket stays")
        client.close()
        wait_until(lambda: server.process.poll() is not None, "the old master has ended")
        server.process = Successor(int(pid_file.read_text()))


@pytest.mark.parametrize("mode", MODES)
def test_what_has_begun_is_finished_by_the_old_server(script, mode, pid_file):
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=1000"))
        server.wait_event("sleeping")
        release(script, "two")
        upgrade(server, pid_file)
        assert slow.read().text == "slept one"
        assert current(server)["release"] == "two"


@pytest.mark.parametrize("mode", MODES)
def test_a_new_master_that_cannot_boot_leaves_the_old_one(script, mode, pid_file, tmp_path):
    broken = tmp_path / "broken"
    with start(script, mode, env={"PID_FILE": str(pid_file), "BOOT_FAILS": str(broken)}) as server, Clients(server) as clients:
        broken.touch()
        server.signal(signal.SIGUSR2)
        wait_until(lambda: "the upgrade has failed" in server.output(), "the upgrade has failed")
        clients.serve_more("the old one serves")
        assert pid_file.read_text().strip() == str(server.process.pid)
        broken.unlink()
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 2 has taken over" in server.output(), "it can still reload")
        upgrade(server, pid_file)
        clients.serve_more("and be upgraded")


def test_services_run_in_one_of_both_servers(script, pid_file):
    with start(script, "process", env={"PID_FILE": str(pid_file), "SERVICE": "1"}) as server:
        first = server.wait_event("service begins")["pid"]
        upgrade(server, pid_file)
        wait_until(lambda: len(server.events("service begins")) == 2, "the new server's has begun")
        order = [(event["event"], event["pid"]) for event in server.events() if event["event"].startswith("service")]
        assert order[:2] == [("service begins", first), ("service ends", first)], order


@pytest.mark.parametrize("mode", MODES)
def test_a_unix_socket_stays_the_same(mode, pid_file, tmp_path, script):
    path = tmp_path / "socket"
    text = script.read_text()
    assert "$server->http(address(), " in text
    script.write_text(text.replace("$server->http(address(), ", f"$server->http('unix:{path}', fn ($request, $response) => $response->text(RELEASE));\n$site = $server->http(address(), "))
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as server:
        inode = os.stat(path).st_ino
        release(script, "two")
        upgrade(server, pid_file)
        assert os.stat(path).st_ino == inode
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(DEADLINE_S)
            client.connect(str(path))
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            received = b""
            while piece := client.recv(4096):
                received += piece
            assert received.endswith(b"two")
    assert not path.exists(), "the new master removes it"
