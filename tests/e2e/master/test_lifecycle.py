"""Starting, stopping, reloading, and dying: of workers, of the master, of the reactor."""

import os
import re
import signal
import socket
import threading
import time

import pytest

from harness import DEADLINE_S, MODES, SANITIZED, SERVERS, Process, Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from websocket_client import BINARY, TEXT, RawWebSocket, frame


# What the log says when shutdownSeconds were over before everything had come to its end.
DRAIN_FAILED = "not everything has drained"


@pytest.fixture
def script(tmp_path):
    """A copy of servers/lifecycle.php that the test may change."""
    path = tmp_path / "script.php"
    path.write_text((SERVERS / "lifecycle.php").read_text())
    return path


def release(script, name):
    script.write_text(re.sub(r"const RELEASE = '\w+'", f"const RELEASE = '{name}'", script.read_text()))


def start(script, mode, **more):
    return Server(script, mode, **({"workers": 2, "reactors": 1} | more))


def current(server):
    return get(server, "/worker").json()


class Load:
    """Requests one after the other until told to end, each of which has to succeed."""

    def __init__(self, server, clients=4):
        self.server, self.ending, self.failures, self.served = server, threading.Event(), [], 0
        self.releases = set()
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = HttpConnection(self.server.address)
        while not self.ending.is_set():
            try:
                response = connection.request("/worker")
                if response.status != 200:
                    self.failures.append(response)
                self.releases.add(response.json()["release"])
                self.served += 1
                if response.header("connection") == "close":  # a fair way to say: come back on another connection
                    connection.close()
                    connection = HttpConnection(self.server.address)
            except Exception as error:
                self.failures.append(repr(error))
                return
        connection.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        wait_until(lambda: self.served > 20 or self.failures, "the load runs")
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()


# --- starting ---


@pytest.mark.parametrize("mode", MODES)
def test_banner_tells_where_it_serves_and_how(script, mode):
    with start(script, mode, workers=4) as server:
        said = wait_until(lambda: str(server.ports[0]) in server.output() and server.output(), "the banner is there")
        assert f"127.0.0.1:{server.ports[0]}" in said
        assert mode in said.lower()
        pids = {int(pid) for pid in re.search(r"workers((?: \d+)+)", said)[1].split()}
        assert pids == set(server.worker_pids())
        assert f"master {server.process.pid}" in said


@pytest.mark.parametrize("mode", MODES)
def test_port_0_takes_a_free_port_and_tells_it(script, mode):
    server = start(script, mode, ports=[0])
    server.ports = []  # none to wait for
    server.extra_env["PORTS"] = "0"
    with server:
        address, = server.events("start")[0]["addresses"]
        host, _, port = address.rpartition(":")
        assert host == "127.0.0.1" and int(port) > 0
        server.ports = [int(port)]
        assert get(server, "/worker").status == 200
        wait_until(lambda: address in server.output(), "the banner tells it")


@pytest.mark.parametrize("mode", MODES)
def test_pid_file(script, mode, tmp_path):
    pid_file = tmp_path / "sluice.pid"
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as server:
        assert pid_file.read_text().strip() == str(server.process.pid)
    assert not pid_file.exists()


@pytest.mark.parametrize("mode", MODES)
def test_a_second_server_leaves_the_pid_file_of_the_first(script, mode, tmp_path):
    pid_file = tmp_path / "sluice.pid"
    with start(script, mode, env={"PID_FILE": str(pid_file)}) as first:
        second = start(script, mode, env={"PID_FILE": str(pid_file)}).launch()
        try:
            assert second.wait() not in (0, -signal.SIGSEGV)
            assert f"belongs to a server that runs, process {first.process.pid}" in second.output()
        finally:
            second.kill_everything()
        assert pid_file.read_text().strip() == str(first.process.pid)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        with start(script, mode, env={"PID_FILE": str(pid_file)}) as third:
            assert pid_file.read_text().strip() == str(third.process.pid), "a dead server's file is nobody's"


@pytest.mark.parametrize("mode", MODES)
def test_a_reload_asked_for_before_run_follows_the_start(script, mode):
    with start(script, mode, env={"SIGNAL_BEFORE_RUN": "1"}) as server:
        wait_until(lambda: current(server)["generation"] == 2, "it has reloaded")


@pytest.mark.parametrize("mode", MODES)
def test_hundreds_of_routes(script, mode):
    with start(script, mode, env={"ROUTES": "1500"}) as server:
        for number in (1, 750, 1500):
            path = f"/a/path/that/is/so/long/that/hundreds/of/its/kind/do/not/fit/into/one/message/of/a/socket/{number}"
            with RawWebSocket(server, path) as client:
                client.send(frame(TEXT, b"here"))
                assert client.read_frame()[2] == b"%d: here" % number
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["generation"] == 2, "they are taken over by a reload")


@pytest.mark.parametrize("mode", MODES)
def test_a_boot_that_hangs_is_given_up(script, mode, tmp_path):
    broken = tmp_path / "broken"
    with start(script, mode, env={"BROKEN": str(broken), "BOOT_SECONDS": "1.5"}) as server:
        broken.write_text("hang")
        server.signal(signal.SIGHUP)
        wait_until(lambda: "the reload has failed" in server.output(), "the reload is given up")
        assert "was not ready within 1500 ms (bootSeconds); killing it" in server.output()
        assert current(server)["generation"] == 1
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: len(server.events("boot-broken")) >= 4, "the lane is tried again and again")
        broken.unlink()
        wait_until(lambda: len(server.worker_pids()) == 2, "both workers are there again", 2 * DEADLINE_S)
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["generation"] > 2, "a reload works again")


@pytest.mark.parametrize("mode", MODES)
def test_a_reload_follows_the_link_that_a_deployment_has_changed(script, mode, tmp_path):
    for name in ("one", "two"):
        folder = tmp_path / "releases" / name
        folder.mkdir(parents=True)
        release(script, name)
        (folder / "script.php").write_text(script.read_text())
    link = tmp_path / "current"
    link.symlink_to(tmp_path / "releases" / "one")
    with start("script.php", mode, cwd=link) as server:
        assert current(server)["release"] == "one"
        next_link = tmp_path / "next"
        next_link.symlink_to(tmp_path / "releases" / "two")
        next_link.rename(link)
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["release"] == "two", "the new release is served")


@pytest.mark.parametrize("mode", MODES)
def test_log_file_takes_the_log_of_all_processes(script, mode, tmp_path):
    log = tmp_path / "sluice.log"
    with start(script, mode, env={"LOG_FILE": str(log)}) as server:
        victim = server.worker_pids()[0]
        Process(victim).kill()
        wait_until(lambda: log.exists() and str(victim) in log.read_text(), "the death is in the log file")


@pytest.mark.parametrize("mode", MODES)
def test_a_log_file_that_was_renamed_is_opened_anew_by_all(script, mode, tmp_path):
    log, renamed = tmp_path / "sluice.log", tmp_path / "sluice.log.1"
    with start(script, mode, env={"LOG_FILE": str(log)}) as server:
        log.rename(renamed)
        release(script, "this cannot be parsed '")
        server.signal(signal.SIGHUP)
        wait_until(lambda: log.exists() and "the reload has failed" in log.read_text(), "the master writes to the new one")

        def worker_writes_there():
            assert get(server, "/throw").status == 500
            return re.search(r" worker \d\[\d+\] error: .*thrown on purpose", log.read_text())

        wait_until(worker_writes_there, "and so does a worker that went on")
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: len(server.events("start")) == 3, "its place is taken")
        assert "a new one takes its place" not in renamed.read_text()


@pytest.mark.parametrize("mode", MODES)
def test_nobody_waits_for_who_reads_the_log(script, mode, tmp_path):
    log = tmp_path / "log"
    os.mkfifo(log)
    reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with start(script, mode, env={"LOG_FILE": str(log)}) as server:
            with HttpConnection(server.address) as client:
                for _ in range(1000):
                    assert client.request("/throw").status == 500
            # What nobody has read is there, as much as a pipe holds; the rest is counted.
            kept = os.read(reader, 1 << 20)
            assert b"thrown on purpose" in kept
            said = b""

            def told():
                nonlocal said
                get(server, "/throw")
                said += os.read(reader, 1 << 20)
                return b"nobody takes the log" in said

            wait_until(told, "the log says how many lines are lost")
    finally:
        os.close(reader)


@pytest.mark.parametrize("mode", MODES)
def test_process_titles_tell_who_is_who(script, mode):
    with start(script, mode) as server:
        titles = {process.pid: process.title() for process in server.processes()}
        assert "master" in titles[server.process.pid], titles
        for pid in server.worker_pids():
            assert "worker" in titles[pid], titles
        assert all("sluice" in title.lower() for title in titles.values()), titles
        if mode == "process":
            assert server.reactor().pid not in server.worker_pids()


@pytest.mark.parametrize("mode", MODES)
def test_address_in_use_is_told_in_a_sentence(script, mode):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server = start(script, mode, ports=[port]).launch()
        try:
            assert server.wait() not in (0, -signal.SIGSEGV)
            said = server.output()
            assert f"127.0.0.1:{port}" in said and "in use" in said, said
            server.assert_nothing_left()
        finally:
            server.kill_everything()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["throw", "exit"])
def test_first_boot_of_workers_that_die_ends_with_an_error(script, mode, how, tmp_path):
    (tmp_path / "broken").write_text(how)
    server = start(script, mode, env={"BROKEN": str(tmp_path / "broken")}).launch()
    try:
        assert server.wait(seconds=5) != 0
        if how == "throw":
            assert "this worker cannot begin" in server.output()
        assert "ServerException" in server.output()
        server.assert_nothing_left()
    finally:
        server.kill_everything()


def test_parse_error_in_the_script_is_phps_own_error(script):
    script.write_text("<?php this is not PHP")
    server = start(script, "process").launch()
    try:
        assert server.wait() == 255
        assert "Parse error" in server.output()
    finally:
        server.kill_everything()


@pytest.mark.parametrize("mode", MODES)
def test_who_is_said_to_have_taken_over_has(script, mode):
    with start(script, mode, workers=2, reactors=2) as server:
        for generation in range(2, 6):
            release(script, f"number{generation}")
            server.signal(signal.SIGHUP)
            wait_until(lambda: f"generation {generation} has taken over" in server.output(), "it is said")
            if mode == "process":
                assert current(server)["release"] == f"number{generation}"
            wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")


# --- stopping ---


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_lets_a_running_request_finish(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=500"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM)
        response = slow.read()
        assert response.text == "slept one"
        if mode == "process":  # in base mode the worker was in its handler when the signal came
            assert response.header("connection") == "close"
        assert slow.at_end()
        slow.close()
        assert server.wait() == 0
        server.assert_nothing_left()
        assert DRAIN_FAILED not in server.output()


def test_sigterm_before_all_workers_are_ready(script, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("second waits")
    with start(script, "process", workers=2, announces=False, env={"BROKEN": str(broken)}) as server:
        server.wait_event("boot-broken", worker=1)
        with HttpConnection(server.address) as slow:
            slow.send(format_request("/sleep?ms=500"))
            server.wait_event("sleeping")
            server.signal(signal.SIGTERM)
            wait_until(lambda: "stopping" in server.output(), "the master stops")
            broken.unlink()
            assert slow.read().text == "slept one"
        assert server.wait() == 0


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_closes_idle_connections_at_once(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as used, HttpConnection(server.address) as fresh:
        assert used.request("/worker").status == 200
        server.signal(signal.SIGTERM)
        for connection in (used, fresh):
            assert connection.at_end()
            connection.close()
        assert server.wait() == 0
        assert DRAIN_FAILED not in server.output()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_says_goodbye_to_websockets(script, mode):
    with start(script, mode) as server, RawWebSocket(server) as client:
        client.send(frame(TEXT, b"slow"))
        server.wait_event("slow")
        server.signal(signal.SIGTERM)
        assert client.read_frame() == (True, TEXT, b"one:4:slow")
        assert client.read_close()[0] == 1001
        client.close()
        assert server.wait() == 0


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_does_not_wait_for_ever(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as stuck:
        stuck.send(format_request("/spin"))
        server.wait_event("spinning")
        server.signal(signal.SIGTERM)
        server.wait()
        server.assert_nothing_left()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_takes_no_new_connections(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=1000"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM)
        wait_until(lambda: not server.accepts(server.ports[0]), "the listener is closed")
        assert slow.read().text == "slept one"


@pytest.mark.parametrize("mode", MODES)
def test_sigint_stops_without_waiting_for_what_runs(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=600000"))
        server.wait_event("sleeping")
        server.signal(signal.SIGINT)
        server.wait()
        server.assert_nothing_left()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_to_all_processes_lets_a_running_request_finish(script, mode):
    """As systemd sends it to a whole control group."""
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=500"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM, whole_group=True)
        assert slow.read().text == "slept one"
        assert server.wait() == 0
        assert DRAIN_FAILED not in server.output()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_to_all_processes_of_an_idle_server_ends_it_at_once(script, mode, number):
    with start(script, mode) as server:
        server.signal(number, whole_group=True)
        assert server.wait() == 0
        # Neither anybody was waited for in vain, nor anybody killed.
        assert DRAIN_FAILED not in server.output()
        assert len(server.events("stop")) == 2


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1])
def test_reload_signal_to_all_processes_reloads(script, mode, number):
    """A closed terminal, or `systemctl kill -s HUP`, reaches workers and reactor too."""
    with start(script, mode) as server:
        release(script, "two")
        server.signal(number, whole_group=True)
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")


@pytest.mark.parametrize("mode", MODES)
def test_a_worker_can_ask_to_stop(script, mode):
    with start(script, mode) as server:
        assert get(server, "/stop").text == "asked"
        assert server.wait() == 0
        assert len(server.events("stop")) == 2


# --- reloading ---


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, None], ids=["SIGHUP", "SIGUSR1", "from-a-worker"])
def test_reload_runs_the_changed_script(script, mode, number):
    with start(script, mode) as server:
        before = current(server)
        assert (before["release"], before["generation"]) == ("one", 1)
        old = server.worker_pids()
        release(script, "two")
        if number is None:
            get(server, "/reload")
        else:
            server.signal(number)
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")
        wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")
        after = current(server)
        assert (after["release"], after["generation"]) == ("two", 2)


@pytest.mark.parametrize("mode", MODES)
def test_reload_under_load_fails_no_request(script, mode):
    with start(script, mode) as server, Load(server) as load:
        for name in ("two", "three"):
            release(script, name)
            server.signal(signal.SIGHUP)
            wait_until(lambda: name in load.releases or load.failures, f"release {name} is served")
            served = load.served
            wait_until(lambda: load.served > served + 100 or load.failures, "more is served")
        assert not load.failures, load.failures


def test_websockets_stay_connected_through_reloads_under_load(script):
    with start(script, "process") as server, Load(server, clients=2) as load:
        clients = [RawWebSocket(server) for _ in range(20)]
        for name in ("two", "three"):
            release(script, name)
            server.signal(signal.SIGHUP)
            answered = 0
            deadline = time.monotonic() + DEADLINE_S
            waiting = set(clients)
            while waiting:
                assert time.monotonic() < deadline, "some client never reaches the new code"
                for number, client in enumerate(clients):
                    client.send(frame(TEXT, f"{name} {number} {answered}".encode()))
                    _, opcode, payload = client.read_frame()
                    said, _, text = payload.decode().split(":", 2)
                    assert (opcode, text) == (TEXT, f"{name} {number} {answered}"), payload
                    if said == name:
                        waiting.discard(client)
                answered += 1
        assert not load.failures, load.failures
        assert not server.events("close")
        for client in clients:
            client.close()


def test_a_running_request_outlives_a_reload(script):
    with start(script, "process", workers=1) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=700"))
        server.wait_event("sleeping")
        release(script, "two")
        server.signal(signal.SIGHUP)
        assert slow.read().text == "slept one"
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text,error", [
    ("<?php this is not PHP", "Parse error"),
    ("<?php throw new RuntimeException('no database');", "no database"),
    ("<?php exit(4);", ""),
], ids=["parse-error", "exception", "exit"])
def test_a_reload_that_fails_leaves_the_old_code_serving(script, mode, text, error):
    with start(script, mode) as server:
        old, good = server.worker_pids(), script.read_text()
        before = len(server.output())
        script.write_text(text)
        server.signal(signal.SIGHUP)
        said = wait_until(
            lambda: error in (new := server.output()[before:]) and "reload" in new.lower() and new,
            "the failure is told")
        assert current(server)["release"] == "one"
        assert server.worker_pids() == old, said
        script.write_text(good)
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["release"] == "two", "the mended code is served")


# --- workers that die ---


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
        received = HttpConnection(server.address)  # answered without a worker: when it is, those before it were read
        received.send(b"nonsense\r\n\r\n")
        assert received.read().status == 400
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


def test_killed_reactor_ends_the_server_with_an_error(script):
    """All connections were the reactor's: the server ends, for a supervisor to start it anew."""
    server = start(script, "process")
    server.may_fail = True
    with server, RawWebSocket(server) as client:
        server.reactor().kill()
        assert client.at_end()
        assert server.wait() != 0
        assert "every connection is lost" in server.output()
        server.assert_nothing_left()


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
