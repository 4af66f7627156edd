"""Processes that somebody has stopped from outside (SIGSTOP): they cannot watch themselves, so their generation does."""

import ctypes
import os
import re
import signal

import pytest

from harness import Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from lifecycle import current, release, start
from websocket_client import TEXT, RawWebSocket, frame

KILL_S = {"KILL_SECONDS": "0.5"}
# ptrace(2), and __WALL of waitpid(2).
ATTACH, DETACH, ALL_THREADS = 16, 17, 0x40000000


def told(pid, keeps="messages"):
    """What the log says when a process stays stopped."""
    return f"(pid {pid}, generation 1) has been stopped from outside (SIGSTOP) and keeps its {keeps}: kill -CONT {pid} lets it go on"


def is_said(server, text):
    wait_until(lambda: text in server.output(), f"the log says: {text}")


def is_killed(server, name, pid):
    wait_until(lambda: not Process(pid).is_alive(), "it is killed")
    assert re.search(rf"{name} \(pid {pid}, generation 1\) has been stopped \(SIGSTOP\) for \d+\.\d s \(killSeconds\); killing it", server.output())


def stop(pid):
    Process(pid).kill(signal.SIGSTOP)
    wait_until(lambda: not Process(pid).is_alive() or Process(pid).stat()[:1] == [b"T"], "it is stopped")


# -- Workers


def ask_for_workers(server):
    clients = [HttpConnection(server.address) for _ in range(10)]
    for client in clients:
        client.send(format_request("/worker"))
    return clients


def another_answers(clients, victim):
    for client in clients:
        answer = client.read()
        assert (answer.status, answer.json()["pid"] != victim) == (200, True)
        client.close()


def test_what_waits_for_a_worker_that_stays_stopped_goes_to_another(script):
    with start(script, "process", workers=1, env=KILL_S) as server:
        websocket, unlucky = RawWebSocket(server), HttpConnection(server.address)
        unlucky.send(format_request("/sleep?ms=600000"))
        victim = server.wait_event("sleeping")["pid"]
        stop(victim)
        others = ask_for_workers(server)
        websocket.send(frame(TEXT, b"queued"))
        assert unlucky.read().status == 502
        another_answers(others, victim)
        assert websocket.read_frame() == (True, TEXT, b"one:6:queued")
        assert unlucky.request("/worker").status == 200, "the connection itself goes on"
        websocket.close()
        unlucky.close()
        is_killed(server, "worker 0", victim)
        output = server.output()
        assert told(victim) + ", or it is killed once it has been stopped for 0.5 s (killSeconds)" in output
        assert f"worker 0 (pid {victim}, generation 1) was killed by signal 9 (Killed); a new one takes its place" in output


def test_clients_of_a_base_mode_worker_that_stays_stopped_reach_another(script):
    with start(script, "base", workers=1, env=KILL_S) as server:
        unlucky = HttpConnection(server.address)
        unlucky.send(format_request("/sleep?ms=600000"))
        victim = server.wait_event("sleeping")["pid"]
        stop(victim)
        others = ask_for_workers(server)
        assert unlucky.at_end()
        another_answers(others, victim)
        is_killed(server, "worker 0", victim)
        assert told(victim) in server.output()


def test_one_that_goes_on_in_time_loses_nothing(script, mode):
    with start(script, mode, workers=1) as server:
        begun = HttpConnection(server.address)
        begun.send(format_request("/sleep?ms=300"))
        pid = server.wait_event("sleeping")["pid"]
        for times in (1, 2):
            stop(pid)
            others = [HttpConnection(server.address) for _ in range(10)]
            for other in others:
                other.send(format_request("/worker"))
            wait_until(lambda: server.output().count(told(pid)) == times, "the log names it")
            Process(pid).kill(signal.SIGCONT)
            for other in others:
                answer = other.read()
                assert (answer.status, answer.json()["pid"]) == (200, pid)
                other.close()
            # Of a stop that follows at once the kernel tells, and no more of what was before it.
            wait_until(lambda: server.output().count(f"worker 0 (pid {pid}, generation 1) goes on, after it was stopped for") == times, "the log says so")
        assert begun.read().text == "slept one"
        begun.close()
        assert "or it is killed once it has been stopped for 60.0 s (killSeconds)" in server.output()
        assert server.worker_pids() == [pid] and "killing it" not in server.output()


def test_without_a_limit_it_is_told(script, mode):
    with start(script, mode, workers=1, env={"KILL_SECONDS": "0.0"}) as server:
        pid = server.worker_pids()[0]
        stop(pid)
        is_said(server, told(pid))
        assert "or it is killed" not in server.output()
        Process(pid).kill(signal.SIGCONT)
        assert current(server)["pid"] == pid


@pytest.mark.parametrize("kill_seconds", ["0.5", "60"])
def test_a_reload_does_not_wait_for_a_stopped_worker(script, mode, kill_seconds):
    with start(script, mode, workers=1, env={"KILL_SECONDS": kill_seconds}) as server:
        busy = HttpConnection(server.address)
        busy.send(format_request("/sleep?ms=600000"))
        old = server.wait_event("sleeping")["pid"]
        stop(old)
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")
        wait_until(lambda: not Process(old).is_alive(), "the old worker has ended")
        assert current(server)["release"] == "two"
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 3 has taken over" in server.output(), "the next reload is not held up")
        busy.close()


def test_a_stop_does_not_wait_for_a_stopped_worker(script, mode):
    with start(script, mode) as server:
        stop(server.worker_pids()[0])
        server.signal(signal.SIGTERM)
        assert server.wait() == 0


# -- Others


def test_services(mode):
    with Server("services.php", mode, env=KILL_S | {"DO": "serves"}) as server:
        pid = server.wait_event("began")["pid"]
        stop(pid)
        wait_until(lambda: len(server.events("began")) == 2, "it is started again")
        is_killed(server, "service steady 0", pid)
        assert told(pid, "work") in server.output()


def test_processes_for_one_request(mode):
    with Server("processes.php", mode, ports=2, env=KILL_S) as server, HttpConnection(server.address) as client:
        client.send(format_request("/handler/waits"))
        pid = server.wait_event("waits")["pid"]
        stop(pid)
        assert client.read().status == 502
        is_killed(server, "request process", pid)
        assert told(pid, "request") in server.output()
        assert get(server, "/handler/counts").status == 200


def test_a_child_that_the_script_has_forked_is_none_of_the_servers(tmp_path, script):
    child = tmp_path / "child"
    forks = f"if (RELEASE === 'two' && pcntl_fork() === 0) {{ file_put_contents('{child}', getmypid()); sleep(600); exit; }}\n$server->run();"
    script.write_text(script.read_text().replace("$server->run();", forks))
    with start(script, "process", workers=1, env=KILL_S) as server:
        # The script of a reload boots in the generation, which so has this child beside the workers.
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["release"] == "two", "the new code serves")
        worker = current(server)["pid"]
        pid = int(wait_until(lambda: child.exists() and child.read_text(), "the child has begun"))
        try:
            assert Process(pid).parent() == Process(worker).parent()
            stop(pid)
            stop(worker)
            wait_until(lambda: f"(pid {worker}, generation 2) was killed by signal 9" in server.output(), "the worker is killed")
            assert Process(pid).stat()[0] == b"T" and f"(pid {pid}," not in server.output()
        finally:
            Process(pid).kill()
        assert current(server)["release"] == "two"


def test_a_debugger_may_hold_a_worker(script, mode):
    """By ptrace(2): its stops are the debugger's business, and none of the parent's."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    with start(script, mode, env=KILL_S) as server:
        debugged, stopped = server.worker_pids()
        threads = [int(thread) for thread in os.listdir(f"/proc/{debugged}/task")]
        assert len(threads) > 1
        for thread in threads:
            if libc.ptrace(ATTACH, thread, None, None) != 0:
                pytest.skip(f"ptrace: {os.strerror(ctypes.get_errno())}")
            os.waitpid(thread, ALL_THREADS)
        assert Process(debugged).stat()[0] == b"t"
        stop(stopped)
        wait_until(lambda: not Process(stopped).is_alive(), "the other one, which was stopped later, is killed")
        assert Process(debugged).is_alive() and f"(pid {debugged}," not in server.output().replace("is ready", "")
        for thread in threads:
            assert libc.ptrace(DETACH, thread, None, None) == 0
        wait_until(lambda: current(server)["pid"] == debugged, "it goes on")
