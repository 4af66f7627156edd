"""What happens when a process has no descriptors left: what must not be lost waits for some, what one request needs fails
alone, the log says so, and afterwards everything works."""

import contextlib
import os
import re
import resource
import shlex
import signal

import pytest

from harness import MODES, SERVERS, Process, Server, php_command, wait_until
from http_client import HttpConnection, format_request
from lifecycle import current, release

FILE = (SERVERS / "descriptors.php").read_text()
STARVED = "no descriptors are left for what the master sends"
LONG_WAIT_S = 60  # the master tries again every ten seconds


def allow(process, count):
    """How many descriptors the process may have; returns what it was."""
    return resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (count, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))[0]


def allow_more(server, process, free):
    """Lets the master open `free` descriptors and no more; returns what it might have."""
    # It holds some for each worker until that is ready.
    wait_until(lambda: "reload: kill -HUP" in server.output(), "all workers are ready")
    used = {int(name) for name in os.listdir(f"/proc/{process.pid}/fd")}
    limit = 0
    while free:
        free -= limit not in used
        limit += 1
    return allow(process, limit)


def titled(server, title):
    return [process for process in server.processes() if process.title().startswith(f"sluice: {title}")]


def log_of(server, sentence):
    return len(re.findall(sentence, server.output()))


def with_two_ports(mode, tmp_path):
    """A server that listens on its second port once MORE exists."""
    server = Server("descriptors.php", mode, workers=2, reactors=2 if mode == "process" else 1, ports=2,
                    env={"MORE": str(tmp_path / "more")})
    ports = server.ports
    server.extra_env["PORTS"] = ",".join(map(str, ports))
    server.ports = ports[:1]  # to wait for
    return server, ports


def wait_for_both_workers(ports):
    for port in ports:
        seen = set()

        def ask():
            with HttpConnection(("127.0.0.1", port)) as connection:
                # One request: two would find the workers, which take turns, in the same order each time.
                response = connection.request("/file")
                assert response.text == FILE
                seen.add(response.header("worker"))
            return len(seen) == 2
        wait_until(ask, f"both workers have sent files at {port}")


@contextlib.contextmanager
def with_descriptors(count, mode, tmp_path, **more):
    """A server each of whose processes may have so many."""
    command, needed_env = php_command()
    php = tmp_path / "php"
    php.write_text(f"#!/bin/sh\nulimit -n {count}\nexec {shlex.join(command)} \"$@\"\n")
    php.chmod(0o755)
    with Server("descriptors.php", mode, php=php, env=needed_env | {"MORE": str(tmp_path / "more")}, **more) as server:
        yield server


def crowd(server, held, beside):
    """Connections until there is no descriptor for one more; calls `beside` after each. Returns how many came. On a slow machine the first
    ones are idle by then, and are closed for it."""
    for count in range(1, 30_000):
        client = held.enter_context(HttpConnection(server.address))
        client.send(b"GET ")
        beside()
        if re.search("cannot accept a connection|closed a connection that was idle", server.output()):
            return count
    raise AssertionError("there is room for all")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count, reactors", [(64, 1), (1000, 2)])
def test_connections_leave_descriptors_to_files_and_bodies(mode, count, reactors, tmp_path):
    with with_descriptors(count, mode, tmp_path, reactors=reactors) as server, contextlib.ExitStack() as held:
        early = [held.enter_context(HttpConnection(server.address)) for _ in range(3)]
        came = crowd(server, held, lambda: [connection.request("/") for connection in early])
        assert count / 4 < came < count
        first, *streaming = early
        for connection in streaming:
            connection.send(format_request("/stream", method="POST", headers={"Content-Length": str(4 << 20)}) + b"x")
        wait_until(lambda: len(server.events("reading")) == len(streaming), "the streams are read")
        for _ in range(3):
            assert first.request("/file").text == FILE
            assert first.request("/length", "POST", body=b"x" * 200_000).text == "200000"
        for connection in streaming:
            connection.send(b"x" * ((4 << 20) - 1))
            assert connection.read().text == str(4 << 20)
        held.close()
        with HttpConnection(server.address) as later:
            assert later.request("/file").text == FILE


@pytest.mark.both_modes
def test_a_worker_can_send_files_and_a_new_listener_listens(tmp_path):
    server, ports = with_two_ports("process", tmp_path)
    with server:
        connection = HttpConnection(server.address)
        assert connection.request("/file").text == FILE
        most = allow(server.reactor(), 1)

        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: log_of(server, "is ready") == 1, "there is another one")
        wait_until(lambda: STARVED in server.output(), "it is said")
        assert connection.request("/").status == 200, "who is connected is served meanwhile"
        (tmp_path / "more").touch()
        server.signal(signal.SIGHUP)
        wait_until(lambda: len(server.events("start")) == 5, "the new workers have started")
        assert connection.request("/").status == 200
        waiting = HttpConnection(server.address)  # the kernel accepts for us

        allow(server.reactor(), most)
        assert waiting.request("/").status == 200
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
        wait_for_both_workers(ports)
        assert log_of(server, STARVED) == 1


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_a_file_that_cannot_be_passed_on_fails_alone(mode, tmp_path):
    with Server("descriptors.php", mode, env={"MORE": str(tmp_path / "more")}) as server:
        # In process mode the worker opens the file, and the reactor cannot take it.
        starved = server.reactor() if mode == "process" else Process(server.worker_pids()[0])
        connection = HttpConnection(server.address)
        worker = connection.request("/").text
        most = allow(starved, 1)
        for _ in range(2):
            assert connection.request("/file").status == (503 if mode == "process" else 500)
            assert connection.request("/").text == worker
        said = r"a file was not sent: no descriptor is left for it \(raise the limit of open files\)" if mode == "process" \
            else r"The file \"\S+\" cannot be sent: Too many open files"
        wait_until(lambda: log_of(server, said), "the log says why")
        allow(starved, most)
        sent = connection.request("/file")
        assert sent.text == FILE and sent.header("worker") == worker


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_a_body_that_cannot_be_passed_on_fails_alone(mode, tmp_path):
    body = b"x" * 200_000  # it goes into a file
    with Server("descriptors.php", mode, env={"MORE": str(tmp_path / "more")}) as server:
        worker = Process(server.worker_pids()[0])
        connection = HttpConnection(server.address)
        assert connection.request("/length", "POST", body=body).text == "200000"
        most = allow(worker, 1)
        assert connection.request("/").status == 200
        connection.send(format_request("/length", method="POST", body=body))
        assert connection.read().status == 503
        said = "no descriptor is left for its body" if mode == "process" else "Too many open files"
        wait_until(lambda: log_of(server, said), "the log says why")
        allow(worker, most)
        # Who could not keep the body has closed the connection.
        with HttpConnection(server.address) as another:
            assert another.request("/length", "POST", body=body).text == "200000"
        assert server.worker_pids() == [worker.pid]


def test_a_stream_that_cannot_go_on_is_told_to_the_handler(tmp_path):
    with Server("descriptors.php", env={"MORE": str(tmp_path / "more")}) as server:
        worker = Process(server.worker_pids()[0])
        connection = HttpConnection(server.address)
        connection.send(format_request("/stream", method="POST", headers={"Content-Length": str(4 << 20)}) + b"x")
        server.wait_event("reading")
        most = allow(worker, 1)
        connection.send(b"x" * (1 << 20))
        assert connection.read().status == 500
        assert log_of(server, "The body cannot be received: this process has no descriptor left")
        allow(worker, most)
        with HttpConnection(server.address) as another:
            assert another.request("/stream", "POST", body=b"x" * (4 << 20)).text == str(4 << 20)
        assert server.worker_pids() == [worker.pid]


@pytest.mark.parametrize("mode", MODES)
def test_a_request_for_a_process_of_its_own_fails_alone(mode, tmp_path):
    with Server("descriptors.php", mode, env={"MORE": str(tmp_path / "more"), "PROCESSES": "2"}) as server:
        connection = HttpConnection(server.address)
        wait_until(lambda: len(titled(server, "request process")) == 2, "there are processes")
        starved = {process: allow(process, 1) for process in titled(server, "request process")}
        assert connection.request("/apart", "POST", body=b"x").status == 502
        wait_until(lambda: log_of(server, "a request is lost: no descriptor is left for it"), "the log says why")
        for process, most in starved.items():
            allow(process, most)
        assert connection.request("/apart", "POST", body=b"x").status == 200
        worker = Process(int(connection.request("/").text))
        most = allow(worker, 1)
        assert connection.request("/apart", "POST", body=b"x").status == 503
        wait_until(lambda: log_of(server, "it cannot be handed to a process: Too many open files"), "the log says why")
        allow(worker, most)
        assert connection.request("/apart", "POST", body=b"x").status == 200


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_an_order_to_fork_waits_for_the_generation(mode, tmp_path):
    server, ports = with_two_ports(mode, tmp_path)
    with server:
        [generation] = titled(server, "generation 1")
        most = allow(generation, 1)
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: log_of(server, r"generation 1\[\d+\] warning: no descriptors are left for what another process sends"), "it is said")
        wait_until(lambda: server.accepts(ports[0]), "the other worker serves")
        assert len(server.worker_pids()) == 1
        allow(generation, most)
        wait_until(lambda: len(server.worker_pids()) == 2, "there is another worker")
        wait_for_both_workers(ports[:1])
        assert log_of(server, "no descriptors are left") == 1


@pytest.mark.slow
@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_a_master_without_descriptors_tries_again(mode, tmp_path):
    server, ports = with_two_ports(mode, tmp_path)
    with server:
        master = Process(server.process.pid)
        most = allow(master, 1)
        server.signal(signal.SIGHUP)
        wait_until(lambda: log_of(server, "cannot reload: Too many open files"), "the reload is refused")
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: log_of(server, "cannot make a control channel for a worker: Too many open files"), "it is said")
        allow(master, most)
        wait_until(lambda: len(server.worker_pids()) == 2, "there is another worker", LONG_WAIT_S)
        wait_for_both_workers(ports[:1])


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_a_boot_waits_for_the_master(mode, tmp_path):
    server, ports = with_two_ports(mode, tmp_path)
    server.extra_env["COUNTERS"] = "2"
    with server:
        master = Process(server.process.pid)
        # For the channel to the new boot, whose other end is closed, and one of the two memories that come by it.
        most = allow_more(server, master, 2)
        server.signal(signal.SIGHUP)
        wait_until(lambda: log_of(server, r"master\[\d+\] warning: no descriptors are left for what another process sends"), "it is said")
        wait_for_both_workers(ports[:1])
        allow(master, most)
        wait_until(lambda: log_of(server, "generation 2 has taken over"), "the reload goes on")
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
        wait_for_both_workers(ports[:1])


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_a_reload_that_cannot_open_its_listeners_changes_nothing(mode, tmp_path):
    server, ports = with_two_ports(mode, tmp_path)
    with server:
        master = Process(server.process.pid)
        before = server.worker_pids()
        (tmp_path / "more").touch()
        # For the channel to the new boot, whose other end is closed, and one of the two sockets.
        most = allow_more(server, master, 2)
        server.signal(signal.SIGHUP)
        wait_until(lambda: log_of(server, f"the reload has failed: Cannot listen on 127.0.0.1:{ports[1]}: Too many open files"), "it is said")
        assert server.worker_pids() == before and not server.accepts(ports[1])
        wait_for_both_workers(ports[:1])
        allow(master, most)
        server.signal(signal.SIGHUP)
        wait_until(lambda: log_of(server, "generation 3 has taken over"), "the next reload succeeds")
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
        wait_for_both_workers(ports)


@pytest.mark.slow
def test_routes_that_the_reactor_cannot_be_told_wait(tmp_path):
    script = tmp_path / "script.php"
    script.write_text((SERVERS / "lifecycle.php").read_text())
    broken = tmp_path / "broken"
    # So many routes do not fit into a socket: they travel in a file.
    with Server(script, workers=2, env={"ROUTES": "1000", "BROKEN": str(broken)}) as server:
        master = Process(server.process.pid)
        broken.write_text("second waits")
        release(script, "two")
        server.signal(signal.SIGHUP)
        server.wait_event("boot-broken", worker=1)
        most = allow(master, 1)
        broken.unlink()
        wait_until(lambda: log_of(server, "generation 2 cannot take over, as the reactor cannot be told"), "it is said")
        assert log_of(server, r"master\[\d+\] error: a message of \d+ bytes cannot go from process to process: Too many open files")
        assert current(server)["release"] == "one"
        allow(master, most)
        wait_until(lambda: current(server)["release"] == "two", "the new generation serves", LONG_WAIT_S)
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")


@pytest.mark.slow
@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_an_order_that_the_master_cannot_send_is_given_again(mode):
    # So many routes do not fit into a socket: the order to fork travels in a file.
    with Server("lifecycle.php", mode, workers=2, env={"ROUTES": "1000"}) as server:
        master = Process(server.process.pid)
        # The channels of a new worker take all descriptors, and that of the one which dies, and none is left for the file.
        most = allow_more(server, master, 3 if mode == "process" else 1)
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: log_of(server, r"master\[\d+\] error: a message of \d+ bytes cannot go from process to process: Too many open files"), "it is said")
        allow(master, most)
        wait_until(lambda: len(server.worker_pids()) == 2, "there is another worker", LONG_WAIT_S)
