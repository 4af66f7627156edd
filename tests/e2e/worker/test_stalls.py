"""A call that holds a worker for too long is logged, with where it stands, and counted."""

import re

import pytest

from harness import Process, Server, wait_until
from http_client import get

HELD = re.compile(r"A call has held everything else up for [\d.]+ s now, and goes on \(stallSeconds\); it stands in (.*)")
LET_GO = re.compile(r"The call that held everything else up has let go after ([\d.]+) s")


@pytest.fixture
def server(mode):
    # Short enough for a test, and longer than a busy machine makes anybody else wait.
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
