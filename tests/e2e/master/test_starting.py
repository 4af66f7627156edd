"""Starting a server: what it says, what it refuses, and boots that fail."""

import json
import os
import re
import resource
import signal
import socket
import subprocess

import pytest

from harness import DEADLINE_S, MODES, Process, Server, wait_until
from http_client import HttpConnection, get
from lifecycle import current, release, start
from websocket_client import TEXT, RawWebSocket, frame


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
def test_a_script_of_which_the_master_cannot_be_told_ends_at_once(script, mode):
    good = script.read_text()
    route = "$site->get('/%s', fn () => null);"
    longest = route % "' . str_repeat('x', 17 << 20) . '"
    with start(script, mode) as server:
        script.write_text(good.replace("$server->run();", f"{longest}\n$server->run();"))
        server.signal(signal.SIGHUP)
        wait_until(lambda: "the reload has failed: the script exited with status 1 before it reached run()" in server.output(), "the reload has failed")
        assert "the master cannot be told what the script serves" in server.output()
        assert "at most 16777216 bytes" in server.output(), "the limit is named"
        assert current(server)["release"] == "one"
    server = start(script, mode).launch()
    try:
        assert server.wait() not in (0, -signal.SIGKILL)
        assert "the master cannot be told what the script serves" in server.output()
        server.assert_nothing_left()
    finally:
        server.kill_everything()


@pytest.mark.slow
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
        wait_until(lambda: len(server.events("boot-broken")) >= 4, "the worker is tried again and again")
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


class Unread:
    """A pipe that is full, until read() empties it."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)
        try:
            while os.write(self.writer, b"x" * 4096):
                pass
        except BlockingIOError:
            pass
        os.set_blocking(self.writer, True)  # as the server inherits it

    def read(self):
        try:
            return os.read(self.reader, 1 << 20)
        except BlockingIOError:
            return b""

    def close(self):
        os.close(self.reader)
        os.close(self.writer)


def lose_a_message(server):
    """A worker dies over a message of a WebSocket: that is told by the reactor, and the death by the master."""
    with RawWebSocket(server, "/echo") as client:
        spinning = len(server.events("spinning"))
        client.send(frame(TEXT, b"spin"))
        wait_until(lambda: len(server.events("spinning")) > spinning, "the message is handled")
        started = len(server.events("start"))
        Process(server.events("spinning")[-1]["pid"]).kill()
        wait_until(lambda: len(server.events("start")) > started, "another worker takes its place")


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_nobody_waits_for_who_reads_standard_error(script, mode):
    errors = Unread()
    try:
        with start(script, mode, workers=1, stderr=errors.writer) as server:
            server.reload()
            lose_a_message(server)
            with HttpConnection(server.address) as client:
                for _ in range(100):
                    assert client.request("/throw").status == 500
            assert current(server)["generation"] == 2

            assert b"[" not in errors.read(), "no line had room"
            told = set()

            def all_tell():
                get(server, "/throw")
                told.update(re.findall(r" (\w+)(?: \d)?\[\d+\] \w+: (?:\d+) lines of this process are lost: nobody takes the log", errors.read().decode()))
                return "worker" in told

            wait_until(all_tell, "the worker tells how much is lost")
            lose_a_message(server)
            wait_until(lambda: all_tell() and told >= {"master", "worker"} | ({"reactor"} if mode == "process" else set()), "each process tells how much is lost")
    finally:
        errors.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_start_with_defaults_warns_of_nothing(script, mode):
    """Not of descriptors, whose limit is raised and has connections fitted to it, and not of memory_limit."""
    with Server(script, mode, settings=["memory_limit=-1"]) as server:
        assert not re.search(r"descriptors|memory_limit| warning: ", server.output()), server.output()
        limits = open(f"/proc/{server.process.pid}/limits").read()
        assert len(set(re.search(r"^Max open files +(\S+) +(\S+)", limits, re.MULTILINE).groups())) == 1, limits


@pytest.mark.parametrize("mode", MODES)
def test_connections_are_as_many_as_descriptors_allow(script, mode):
    """Under a limit of 512, nothing is said, and those are served."""
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (400, 512))

    server = start(script, mode, workers=1)
    plain = subprocess.Popen
    subprocess.Popen = lambda *words, **more: plain(*words, **more | {"preexec_fn": lambda: (more["preexec_fn"](), lower())})
    try:
        server.launch()
    finally:
        subprocess.Popen = plain
    server.launch = lambda: server
    with server:
        assert "descriptors" not in server.output()
        held = [HttpConnection(server.address) for _ in range(100)]
        for connection in held:
            assert connection.request("/worker").status == 200
            connection.close()


@pytest.mark.parametrize("mode", MODES)
def test_more_connections_than_descriptors_are_told(mode):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if not 1000 < most < 1_000_000:
        pytest.skip("connections cannot be as many as descriptors here")
    for connections, is_told in [(most, True), (500, False)]:
        with Server("limits.php", mode, ports=4, env={"LIMITS": json.dumps({"connections": connections})}) as server:
            said = f"warning: each process may have {most} descriptors (ulimit -Hn), too few for {connections} connections (Limits::$connections) and the files and bodies beside them: raise the limit to "
            assert (said in server.output()) == is_told


@pytest.mark.both_modes
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


@pytest.mark.both_modes
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
