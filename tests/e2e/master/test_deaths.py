"""Deaths: of workers, of the master, of the reactor and of a generation."""

import signal
import subprocess
import threading

import pytest

from harness import DEADLINE_S, MODES, SANITIZED, Process, Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from lifecycle import release, start
from websocket_client import BINARY, TEXT, RawWebSocket, frame


@pytest.mark.parametrize("path", ["/sleep?ms=600000", "/spin"])
def test_worker_killed_while_it_executes_costs_that_request(script, path):
    with start(script, "process") as server:
        unlucky, other, websocket = HttpConnection(server.address), HttpConnection(server.address), RawWebSocket(server)
        unlucky.send(format_request(path))
        victim = server.wait_event("sleeping" if "sleep" in path else "spinning")["pid"]
        assert other.request("/worker").json()["pid"] != victim
        Process(victim).kill()
        assert unlucky.read().status == 502
        assert other.request("/worker").status == 200
        websocket.send(frame(TEXT, b"hello"))
        assert websocket.read_frame() == (True, TEXT, b"one:5:hello")
        websocket.close()
        wait_until(lambda: len(server.worker_pids()) == 2, "a new worker has replaced it")
        assert unlucky.request("/worker").status == 200, "the connection itself goes on"


def test_what_is_queued_for_a_worker_that_dies_goes_to_another(script):
    with start(script, "process", workers=1) as server:
        first = HttpConnection(server.address)
        first.send(format_request("/spin"))
        victim = server.wait_event("spinning")["pid"]
        others = [HttpConnection(server.address) for _ in range(10)]
        websocket = RawWebSocket(server)
        for other in others:
            other.send(format_request("/worker"))
        websocket.send(frame(TEXT, b"queued") + frame(BINARY, b"q" * 100_000))
        server.let_reactor_hear_all()
        Process(victim).kill()
        assert first.read().status == 502
        for other in others:
            answer = other.read()
            assert (answer.status, answer.json()["pid"] != victim) == (200, True)
        assert websocket.read_frame() == (True, TEXT, b"one:6:queued")
        assert websocket.read_frame()[2].startswith(b"one:100000:")
        websocket.close()


def test_idle_worker_killed_costs_nothing(script):
    with start(script, "process") as server:
        connections = [HttpConnection(server.address) for _ in range(10)]
        websockets_ = [RawWebSocket(server) for _ in range(10)]
        for victim in server.worker_pids():
            Process(victim).kill()
        for connection in connections:
            assert connection.request("/worker").status == 200
        for number, websocket in enumerate(websockets_):
            websocket.send(frame(TEXT, str(number).encode()))
            assert websocket.read_frame()[2] == f"one:1:{number}".encode()
            websocket.close()
        wait_until(lambda: len(server.worker_pids()) == 2, "both are replaced")


@pytest.mark.both_modes
@pytest.mark.parametrize("path", ["/exit", *(pytest.param(path, marks=pytest.mark.skipif(
    SANITIZED, reason="what a fatal error leaves behind is for PHP's own allocator, which sanitised runs are without",
)) for path in ("/fatal", "/memory"))])
@pytest.mark.parametrize("mode", MODES)
def test_exit_and_fatal_error_in_a_handler(script, mode, path):
    with start(script, mode) as server:
        if mode == "process":
            assert get(server, path).status in (500, 502)
        else:
            try:
                assert get(server, path).status in (500, 502)
            except (ClosedEarly, ConnectionError):
                pass  # the worker took its connections along
        wait_until(lambda: len(server.worker_pids()) == 2, "the worker is replaced")
        for _ in range(10):
            assert get(server, "/worker").status == 200
        said = {"/exit": "", "/fatal": "asked to give up", "/memory": "Allowed memory size"}[path]
        assert said in server.output()


def test_base_mode_worker_killed_is_replaced(script):
    with start(script, "base") as server:
        with HttpConnection(server.address) as unlucky:
            unlucky.send(format_request("/sleep?ms=600000"))
            victim = server.wait_event("sleeping")["pid"]
            Process(victim).kill()
            assert unlucky.at_end()
        wait_until(lambda: len(server.worker_pids()) == 2, "a new worker has replaced it")
        for _ in range(20):
            assert get(server, "/worker").status == 200


def test_extents_of_a_killed_worker_come_back(script):
    with start(script, "process") as server:
        body = b"h" * (1 << 20)
        holders = set()
        for _ in range(4):
            answer = get(server, "/hold", method="POST", body=body).json()
            assert answer["lent"] >= len(body)
            holders.add(answer["pid"])
        assert get(server, "/stats").json()["arenaBytes"] >= 4 * len(body)
        for pid in holders:
            Process(pid).kill()
        wait_until(lambda: len(server.worker_pids()) == 2, "they are replaced")
        wait_until(lambda: get(server, "/stats").json()["arenaBytes"] == 0, "the arena is empty again")
        assert get(server, "/stats").json()["lentBytes"] == 0


def test_extents_of_messages_waiting_for_a_killed_worker_come_back(script):
    with start(script, "process", workers=1) as server:
        clients = [RawWebSocket(server) for _ in range(4)]
        clients[0].send(frame(TEXT, b"spin"))
        victim = server.wait_event("spinning")["pid"]
        for client in clients[1:]:
            client.send(frame(BINARY, b"w" * (1 << 20)))
        clients[0].close()
        Process(victim).kill()
        lost = f"worker 0 (pid {victim}, generation 1) died while it handled a message"
        wait_until(lambda: lost in server.output(), "the log names what is lost, and the worker as the master does")
        for client in clients[1:]:
            assert client.read_frame()[2].startswith(b"one:1048576:")
            client.close()
        wait_until(lambda: get(server, "/stats").json()["arenaBytes"] == 0, "the arena is empty again")


@pytest.mark.parametrize("mode", MODES)
def test_workers_that_die_at_boot_are_retried_with_back_off(script, mode, tmp_path):
    broken = tmp_path / "broken"
    with start(script, mode, workers=1, env={"BROKEN": str(broken)}) as server:
        broken.write_text("throw")
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: len(server.events("boot-broken")) >= 3, "it has been tried again")
        assert "this worker cannot begin" in server.output()
        # With no pause between the tries there would be hundreds by now.
        assert len(server.events("boot-broken")) < 20
        broken.unlink()
        wait_until(lambda: server.worker_pids(), "a worker has begun", 2 * DEADLINE_S)
        assert get(server, "/worker").status == 200


# --- the others that die ---


@pytest.mark.parametrize("mode", MODES)
def test_nothing_outlives_a_killed_master(script, mode):
    server = start(script, mode).start()
    try:
        assert len(server.processes()) >= 3
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not server.processes(), "all processes have ended")
    finally:
        server.kill_everything()


@pytest.mark.parametrize("mode", MODES)
def test_a_busy_worker_does_not_outlive_a_killed_master(script, mode):
    server = start(script, mode).start()
    try:
        with HttpConnection(server.address) as stuck:
            stuck.send(format_request("/spin"))
            server.wait_event("spinning")
            server.process.kill()
            server.process.wait()
            wait_until(lambda: not server.processes(), "all processes have ended")
    finally:
        server.kill_everything()


class Counting:
    """Clients that count what becomes of their requests, and connect again when they are cut off."""

    def __init__(self, server, clients=4):
        self.server, self.ending = server, threading.Event()
        self.served, self.cut, self.refused, self.wrong = 0, 0, 0, []
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = None
        while not self.ending.is_set():
            try:
                connection = connection or HttpConnection(self.server.address)
                response = connection.request("/worker")
                if response.status == 200:
                    self.served += 1
                else:
                    self.wrong.append(response)
            except ConnectionRefusedError:
                self.refused += 1
                connection = None
            except (ClosedEarly, OSError):
                self.cut += 1
                connection = None
        if connection:
            connection.close()

    def serve_more(self, what):
        before = self.served
        wait_until(lambda: self.served > before + 20, what)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.serve_more("the load runs")
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()


@pytest.mark.parametrize("times", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_a_killed_reactor_is_started_again(script, times):
    """Its connections are lost, the server is not: nobody is refused, and old workers end."""
    with start(script, "process") as server, Counting(server) as clients:
        for number in range(times):
            before = set(server.worker_pids())
            with RawWebSocket(server) as client:
                reactor = server.reactor()
                reactor.kill()
                assert client.at_end()
            wait_until(lambda: not reactor.is_alive(), "it is dead")
            clients.serve_more(f"requests are served after kill {number}")
            wait_until(lambda: not any(Process(pid).is_alive() for pid in before), "the workers of the dead reactor have ended")
            assert server.output().count("every connection is lost") == number + 1
            wait_until(lambda: len(server.worker_pids()) == 2, "there are two workers")
        assert clients.cut >= times, "connections are lost"
        assert (clients.refused, clients.wrong) == (0, [])


def test_what_has_begun_is_finished_when_its_reactor_dies(script):
    with start(script, "process") as server, HttpConnection(server.address) as unlucky:
        unlucky.send(format_request("/sleep?ms=500"))
        worker = server.wait_event("sleeping")["pid"]
        server.reactor().kill()
        assert unlucky.at_end()
        wait_until(lambda: not Process(worker).is_alive(), "the worker has ended")
        assert get(server, "/worker").status == 200
        wait_until(lambda: f"pid {worker}, generation 1), whose reactor has died, exited with status 0" in server.output(), "the log tells how")


def test_a_worker_that_spins_when_its_reactor_dies_is_killed(script):
    with start(script, "process", workers=1) as server, HttpConnection(server.address) as unlucky:
        unlucky.send(format_request("/spin"))
        worker = server.wait_event("spinning")["pid"]
        server.reactor().kill()
        assert get(server, "/worker").json()["pid"] != worker, "another one serves meanwhile"
        wait_until(lambda: not Process(worker).is_alive(), "it is killed after shutdownSeconds")


def test_a_reload_while_the_reactor_dies(script):
    with start(script, "process") as server:
        release(script, "two")
        server.signal(signal.SIGHUP)
        server.reactor().kill()
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")
        assert get(server, "/worker").json()["release"] == "two"
        server.reactor().kill()
        wait_until(lambda: get(server, "/worker").json()["release"] == "two", "the new code serves")


def test_a_server_whose_reactor_is_dead_stops(script):
    with start(script, "process") as server:
        for _ in range(3):  # the third start has to wait
            reactor = server.reactor()
            reactor.kill()
            wait_until(lambda: not reactor.is_alive(), "it is dead")
            if "again in 100 ms" in server.output():
                break
            wait_until(lambda: any(process.title().startswith("sluice: reactor") for process in server.processes()), "there is another one")
        server.signal(signal.SIGTERM)
        assert server.wait() == 0


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_killed_generation_is_replaced(script, mode):
    """The process that workers are forked from: without it no worker could be replaced."""
    with start(script, mode) as server:
        known = {server.process.pid, *server.worker_pids()}
        reactor = server.reactor().pid if mode == "process" else None
        others = [process for process in server.processes()
                  if process.pid not in known and process.pid != reactor]
        assert len(others) == 1, others
        others[0].kill()
        # Whether the workers are kept or replaced meanwhile: requests are served, and a killed worker comes back.
        wait_until(lambda: "generation 2 has taken over" in server.output(), "there is a new generation")
        assert get(server, "/worker").status == 200
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: len(server.worker_pids()) == 2, "the killed worker is replaced", 2 * DEADLINE_S)
        assert get(server, "/worker").status == 200


@pytest.mark.parametrize("mode", MODES)
def test_the_master_kills_no_process_that_a_worker_names(mode):
    with Server("lying_pids.php", mode) as server, subprocess.Popen(["sleep", "1000"]) as stranger:
        try:
            worker = int(get(server, "/").text)
            assert get(server, f"/lie?pid={stranger.pid}&master={server.process.pid}").json() == [stranger.pid], "who reads the shared memory is told so"
            assert int(get(server, "/").text) == worker
            spinning = HttpConnection(server.address)
            spinning.send(format_request("/spin"))
            server.wait_event("spinning")
            server.signal(signal.SIGHUP)
            wait_until(lambda: f"worker 0 (pid {worker}, generation 1) does not end; killing it" in server.output(), "the master kills the worker")
            wait_until(lambda: not Process(worker).is_alive(), "the worker is dead")
            assert "takes its place" not in server.output(), "nobody has believed that the worker had ended"
            assert stranger.poll() is None
        finally:
            stranger.kill()
