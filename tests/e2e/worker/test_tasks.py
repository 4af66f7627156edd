"""Pools of processes for tasks: results and exceptions come back, each task is run once or reported, and a task that nobody waits for is ended."""

import json
import re
import signal
import threading
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest

from harness import SERVERS, Process, Server, needs_memory_limit, wait_until
from http_client import HttpConnection, get


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.php"
    path.write_text((SERVERS / "tasks.php").read_text())
    return path


@pytest.fixture
def hold(tmp_path):
    path = tmp_path / "hold"
    path.touch()
    return path


@contextmanager
def start(mode, script, hold, **env):
    with Server(script, mode, workers=2, env={"HOLD": str(hold)} | env) as server:
        server.wait_event("asked", result="from a service")
        wait_until(lambda: stats(server)["workers"] == 2, "the pool is there")
        yield server
        hold.unlink(missing_ok=True)


@pytest.fixture
def server(mode, script, hold):
    with start(mode, script, hold) as server:
        yield server


def run(server, task, payload=None, **more):
    return get(server, "/run?" + urlencode({"task": task, "payload": json.dumps(payload)} | more)).json()


class Running(threading.Thread):
    """A call that waits for its task."""

    def __init__(self, server, task, payload=None, **more):
        super().__init__(daemon=True)
        self.arguments, self.answer = ((server, task, payload), more), None
        self.start()

    def run(self):
        self.answer = run(*self.arguments[0], **self.arguments[1])

    def result(self):
        wait_until(lambda: not self.is_alive(), "the call has come back")
        return self.answer


def stats(server):
    return get(server, "/stats").json()


def test_results_and_exceptions_come_back(server):
    for payload in ["text", 1.5, None, [1, [2, "x" * 1000]], True]:
        assert run(server, "echo", payload) == {"result": payload}
    failed = run(server, "throw")
    assert failed["exception"] == "Sluice\\TaskFailedException" and failed["class"] == "DomainException"
    assert failed["message"] == "of the task" and failed["code"] == 7 and "script.php" in failed["trace"]
    assert "Serialization of 'Closure' is not allowed" in run(server, "closure")["message"]
    unknown = run(server, "nothing")
    assert unknown["exception"] == "Sluice\\TaskRefusedException" and 'no task "nothing"' in unknown["message"] and '"echo"' in unknown["message"]
    assert "between 0 and 1e9" in run(server, "echo", timeout=-1)["message"]
    assert run(server, "pid")["result"] not in server.worker_pids()


def test_many_at_once(server):
    assert get(server, "/many").text == "0 wrong"


def test_computing_is_no_stall(server):
    assert run(server, "compute", 1.5) == {"result": "computed"}
    assert "holds" not in server.output() and "Error" not in server.output()


def test_no_more_wait_than_may_and_the_most_urgent_go_first(server, hold):
    running = [Running(server, "hold", f"first {number}") for number in range(2)]
    wait_until(lambda: len(server.events("holds")) == 2, "both processes are busy")
    waiting = {}
    for priority in (-1, 0, 5):
        waiting[priority] = Running(server, "hold", f"priority {priority}", priority=priority)
        wait_until(lambda: stats(server)["waiting"] == len(waiting), "it waits")
    refused = run(server, "echo", "one more")
    assert refused["exception"] == "Sluice\\TaskRefusedException" and "3 tasks wait" in refused["message"]
    assert (stats(server)["running"], stats(server)["waiting"], stats(server)["refused"]) == (2, 3, 1)
    held = hold.with_name("hold.first 1")
    held.touch()
    hold.unlink()
    assert running[0].result()["result"] == "first 0 of one"
    # One process is left for them.
    assert waiting[-1].result() == {"result": "priority -1 of one"}
    assert [event["mark"] for event in server.events("holds")][2:] == ["priority 5", "priority 0", "priority -1"]
    held.unlink()
    assert running[1].result()["result"] == "first 1 of one"
    wait_until(lambda: stats(server)["done"] == 6, "all are done, the service's among them")


@pytest.mark.parametrize("task", ["exit", pytest.param("leak", marks=needs_memory_limit)])
def test_one_whose_process_dies_is_reported_and_not_tried_again(server, task):
    lost = run(server, task)
    assert lost["exception"] == "Sluice\\TaskLostException" and f'process of the task "{task}" has died' in lost["message"]
    assert run(server, "echo", "others go on") == {"result": "others go on"}
    wait_until(lambda: len(server.events("boots")) == 3, "there is another process")
    assert stats(server)["lost"] == 1


def test_one_that_is_killed(server, hold):
    call = Running(server, "hold", "x")
    Process(server.wait_event("holds")["pid"]).kill()
    assert call.result()["exception"] == "Sluice\\TaskLostException"


def test_its_time_is_over(server):
    late = run(server, "sleep", timeout=0.2)
    assert late["exception"] == "Sluice\\Coroutine\\TimeoutException" and '"sleep" has not ended within 0.2 s' in late["message"]
    server.wait_event("woken")
    pid = server.wait_event("sleeps")["pid"]
    late = run(server, "spin", timeout=0.2)
    spinning = server.wait_event("spins")["pid"]
    wait_until(lambda: not Process(spinning).is_alive(), "one that does not listen is killed")
    wait_until(lambda: stats(server)["workers"] == 2, "there is another one")
    assert pid == spinning or Process(pid).is_alive()
    assert stats(server)["cancelled"] == 2


def test_a_client_that_goes_ends_its_task(server):
    client = HttpConnection(server.address)
    client.socket.sendall(b"GET /run?task=sleep HTTP/1.1\r\nHost: x\r\n\r\n")
    server.wait_event("sleeps")
    client.close()
    server.wait_event("woken")


def test_one_that_waits_is_cancelled(server, hold):
    running = [Running(server, "hold", "x") for _ in range(2)]
    wait_until(lambda: len(server.events("holds")) == 2, "both processes are busy")
    assert run(server, "hold", "never", timeout=0.1)["exception"] == "Sluice\\Coroutine\\TimeoutException"
    hold.unlink()
    for call in running:
        call.result()
    assert run(server, "echo", 1) == {"result": 1}
    assert "never" not in [event["mark"] for event in server.events("holds")]


def test_a_caller_that_dies_ends_its_tasks(server):
    with HttpConnection(server.address) as client:
        client.socket.sendall(b"GET /run?task=sleep HTTP/1.1\r\nHost: x\r\n\r\n")
        server.wait_event("sleeps")
        for pid in server.worker_pids():
            Process(pid).kill()
        server.wait_event("woken")


def queue_of(server):
    return next(process for process in server.processes() if "pool tasks.queue 0" in process.title())


def test_the_banner_tells_pools_from_workers(server):
    said = wait_until(lambda: "reload:" in server.output() and server.output(), "the banner is there")
    workers = re.search(r"workers((?: \d+)+)\n", said)[1].split()
    pool = re.search(r"\n  pool tasks((?: \d+)+)\n", said)[1].split()
    assert {int(pid) for pid in workers} == set(server.worker_pids())
    assert {process.pid for process in server.processes() if "sluice: pool tasks " in process.title()} == {int(pid) for pid in pool}


def test_ps_shows_what_a_pool_does(server, hold):
    call = Running(server, "hold", "x")
    wait_until(lambda: queue_of(server).title().endswith("(1 running, 0 waiting, 1 done, 0 failed, 0 cancelled, 0 lost, 0 refused)"), "the title is that of the figures")
    hold.unlink()
    call.result()
    wait_until(lambda: "(0 running, 0 waiting, 2 done," in queue_of(server).title(), "the title follows")


def test_the_death_of_the_queue_is_reported(server, hold):
    call = Running(server, "hold", "x")
    server.wait_event("holds")
    queue_of(server).kill()
    assert "nobody knows what has become" in call.result()["message"]
    hold.unlink()
    assert run(server, "echo", "again") == {"result": "again"}


def reload(server, script):
    script.write_text(script.read_text().replace("RELEASE = 'one'", "RELEASE = 'two'"))
    server.signal(signal.SIGHUP)
    wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")


def test_a_reload_brings_new_code_and_ends_what_has_begun(server, script, hold):
    call = Running(server, "hold", "x")
    old = server.wait_event("holds")["pid"]
    reload(server, script)
    assert run(server, "echo", "meanwhile") == {"result": "meanwhile"}
    hold.unlink()
    # In base mode the connection goes with its worker, unless the worker could wait.
    assert call.result() == {"result": "x of one"}
    wait_until(lambda: not Process(old).is_alive(), "the old pool has ended")
    assert run(server, "hold", "y") == {"result": "y of two"}


def test_a_service_gets_its_result_across_a_reload(mode, script, hold):
    hold.with_name("hold.by-service").touch()
    with start(mode, script, hold) as server:
        server.wait_event("holds", mark="by-service")
        reload(server, script)
        assert run(server, "echo", "meanwhile") == {"result": "meanwhile"}
        assert len(server.events("asked")) == 1  # its successor waits
        hold.unlink()
        hold.with_name("hold.by-service").unlink()
        server.wait_event("answered", result="by-service of one")
        wait_until(lambda: len(server.events("asked")) == 2, "the new code's service has begun")


def test_an_old_pool_is_kept_whole_while_it_is_used(server, script, hold):
    first = [Running(server, "hold", f"first {number}") for number in range(2)]
    wait_until(lambda: len(server.events("holds")) == 2, "both processes are busy")
    waiting = Running(server, "hold", "waits")
    wait_until(lambda: stats(server)["waiting"] == 1, "it waits")
    reload(server, script)
    for event in server.events("holds"):
        Process(event["pid"]).kill()
    assert {call.result()["exception"] for call in first} == {"Sluice\\TaskLostException"}
    hold.unlink()
    assert waiting.result() == {"result": "waits of one"}
    new_code_answers(server)
    server.signal(signal.SIGHUP)
    wait_until(lambda: "generation 3 has taken over" in server.output(), "the old pool has ended")


def fails_to_reload(server):
    wait_until(lambda: "the reload has failed" in server.output(), "the reload is over")
    assert "taken over" not in server.output()
    assert run(server, "hold", "still", priority=1) == {"result": "still of one"}


def new_code_answers(server):
    wait_until(lambda: "has taken over" in server.output(), "the new code serves")
    # In base mode a worker that has been told to end may still accept what comes until it hears of that.
    wait_until(lambda: run(server, "hold", "y") == {"result": "y of two"}, "the new code answers")


def test_a_pool_that_cannot_begin_fails_the_reload(server, script, hold):
    hold.unlink()
    broken = hold.with_name("hold.broken")
    broken.touch()
    script.write_text(script.read_text().replace("RELEASE = 'one'", "RELEASE = 'two'"))
    server.signal(signal.SIGHUP)
    fails_to_reload(server)
    assert "this pool cannot begin" in server.output()
    broken.unlink()
    server.signal(signal.SIGHUP)
    new_code_answers(server)


def test_a_pool_that_hangs_fails_the_reload_in_time(mode, script, hold):
    with start(mode, script, hold, BOOT_SECONDS="2") as server:
        hold.unlink()
        hangs = hold.with_name("hold.hangs")
        hangs.touch()
        server.signal(signal.SIGHUP)
        fails_to_reload(server)
        assert "was not ready within 2000 ms (bootSeconds); killing it" in server.output()
        hangs.unlink()
        server.signal(signal.SIGHUP)
        wait_until(lambda: "has taken over" in server.output(), "the mended code serves")


def test_stopping_ends_what_has_begun(server, hold):
    call = Running(server, "hold", "x")
    server.wait_event("holds")
    server.signal(signal.SIGTERM)
    wait_until(lambda: re.search("stopping: what has begun", server.output()), "it stops")
    hold.unlink()
    assert call.result() == {"result": "x of one"}
    assert server.wait() == 0


def test_a_pool_is_kept_whole_while_the_server_stops(server, hold):
    first = [Running(server, "hold", f"first {number}") for number in range(2)]
    wait_until(lambda: len(server.events("holds")) == 2, "both processes are busy")
    waiting = Running(server, "hold", "waits")
    wait_until(lambda: stats(server)["waiting"] == 1, "it waits")
    server.signal(signal.SIGTERM)
    wait_until(lambda: re.search("stopping: what has begun", server.output()), "it stops")
    for event in server.events("holds"):
        Process(event["pid"]).kill()
    hold.unlink()
    assert waiting.result() == {"result": "waits of one"}
    assert server.wait() == 0
