"""A call that holds a worker for too long is logged, with where it stands, and counted."""

import re

import pytest

from harness import Process, Server, wait_until
from http_client import ClosedEarly, HttpConnection, get

HELD = re.compile(r"A call has held up all other coroutines for [\d.]+ s and goes on \(stallSeconds\). It stands in (.*)")
LET_GO = re.compile(r"The call that held up all other coroutines has ended after ([\d.]+) s")


@pytest.fixture
def server(mode):
    # 0.2 s are short enough for a test, and longer than a busy machine makes other calls wait.
    with Server("stalls.php", mode, env={"STALL": "0.2"}) as server:
        yield server


def stalls(server):
    return get(server, "/").json()["stalls"]


@pytest.mark.parametrize("path, lines", [
    ("/compute", [r"#\d+ .*stalls\.php\(\d+\): compute\(\)", r"#\d+ \[internal function\]: \{closure.*\}\(\)", r"{main}"]),
    ("/block", [r"#\d+ .*stalls\.php\(\d+\): fopen\(\)", r"#\d+ .*stalls\.php\(\d+\): block\(\)"]),
    ("/later", [r"#\d+ .*stalls\.php\(\d+\): compute\(\)"]),
])
def test_says_where_it_stands_and_how_long_it_took(server, path, lines):
    get(server, path)
    wait_until(lambda: LET_GO.search(server.output()), "the end is told of")
    assert stalls(server) == 1
    output = server.output()
    assert len(HELD.findall(output)) == len(LET_GO.findall(output)) == 1
    assert "stalls.php:" in HELD.search(output)[1]
    for line in lines:
        assert re.search(line, output), line
    get(server, path)
    wait_until(lambda: stalls(server) == 2, "the second one is counted, too")


def test_waiting_holds_nobody_up(server):
    get(server, "/wait")
    assert stalls(server) == 0
    assert not HELD.search(server.output())


def test_count_outlives_the_worker(server):
    get(server, "/compute")
    Process(server.worker_pids()[0]).kill()
    wait_until(lambda: len(server.events("start")) == 2, "another worker has started")
    assert stalls(server) == 1


def test_nobody_watches(mode):
    with Server("stalls.php", mode, env={"STALL": "0"}) as server:
        get(server, "/compute")
        get(server, "/block")
        assert stalls(server) == 0
        assert not HELD.search(server.output())


@pytest.fixture
def impatient(mode):
    with Server("stalls.php", mode, env={"STALL": "0.2", "KILL": "0.5"}) as server:
        yield server


def test_a_handler_that_loops_for_ever_is_ended_by_an_error(impatient):
    workers = impatient.worker_pids()
    assert get(impatient, "/for-ever").status == 500
    output = impatient.output()
    assert "longer than Limits::$killSeconds allows" in output and "stalls.php" in output
    assert get(impatient, "/").status == 200
    assert impatient.worker_pids() == workers, "the worker lives on"
    assert get(impatient, "/for-ever").status == 500, "and so it does the next time"


@pytest.mark.both_modes
@pytest.mark.parametrize("path", ["/for-ever-and-ever", "/open-for-ever"])
def test_a_worker_whose_handler_does_not_end_is_killed(impatient, path):
    workers = impatient.worker_pids()
    with HttpConnection(impatient.address) as client:
        try:
            assert (client.request(path).status, impatient.mode) == (502, "process")
        except ClosedEarly:
            assert impatient.mode == "base"
    assert "does not end (killSeconds): this process is killed. The call stood in" in impatient.output()
    wait_until(lambda: len(impatient.events("start")) == 2, "another worker has started")
    assert get(impatient, "/").status == 200
    assert impatient.worker_pids() != workers
    assert len(impatient.events("caught")) == (path == "/for-ever-and-ever")


def test_who_takes_as_long_as_is_allowed_is_left_alone(mode):
    with Server("stalls.php", mode, env={"STALL": "0.2", "KILL": "0"}) as server:
        assert get(server, "/compute").status == 200
        assert get(server, "/block").status == 200
