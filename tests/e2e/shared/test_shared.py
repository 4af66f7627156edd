"""Workers share one table, counter, lock and limiter, over reloads and deaths."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import Server, wait_until
from http_client import ClosedEarly, get

KIB = 1024


@pytest.fixture
def shape(tmp_path):
    file = tmp_path / "shape"
    file.write_text(str(64 * KIB))
    return file


@pytest.fixture
def server(mode, shape):
    with Server("shared.php", mode, workers=2, env={"SHAPE": str(shape), "SECOND": str(64 * KIB)}) as running:
        yield running


def work(server, times):
    return [get(server, "/work").json() for _ in range(times)]


def test_all_workers_count_in_one_place(server):
    with ThreadPoolExecutor(8) as clients:
        done = [answer for answers in clients.map(lambda _: work(server, 25), range(8)) for answer in answers]
    assert len({answer["pid"] for answer in done}) == 2
    assert sorted(answer["counter"] for answer in done) == list(range(1, 201))
    assert sorted(answer["table"] for answer in done) == list(range(1, 201))


def test_a_reload_keeps_what_is_shared(server):
    work(server, 5)
    for times in (6, 7):
        server.reload()
        assert work(server, 1)[0]["counter"] == times
        assert get(server, "/table").json()["work"] == times
    assert get(server, "/table").json()["booted"] == "first"


def test_a_table_of_another_size_begins_empty_and_says_so(server, shape):
    work(server, 5)
    shape.write_text(str(128 * KIB))
    server.reload()
    told = get(server, "/table").json()
    assert (told["booted"], told["work"], told["counter"]) == (None, None, 5)
    assert 'the shared "table" begins empty: it has become a table of 131072 bytes' in server.output()
    work(server, 1)
    server.reload()
    assert get(server, "/table").json()["work"] == 1, "the new one is kept from now on"


def test_a_failed_reload_changes_nothing(server, shape):
    work(server, 5)
    shape.write_text("7")
    os.kill(server.process.pid, signal.SIGHUP)
    wait_until(lambda: "must be between 65536 and" in server.output(), "the reload has failed")
    assert get(server, "/table").json()["work"] == 5
    shape.write_text(str(64 * KIB))
    server.reload()
    assert get(server, "/table").json()["work"] == 5


def test_a_worker_finds_what_was_made_before_it_and_makes_nothing(server, shape):
    made = get(server, f"/make?bytes={64 * KIB}").json()
    refusal = "Sluice\\ServerException: There is no \"{}\" that is a table of 16777216 bytes: make it before run(), so that all workers share it"
    assert made == {"table": "first", "unknown": refusal.format("unknown"), "second": refusal.format("second")}
    work(server, 1)
    shape.write_text(str(128 * KIB))
    server.reload()
    expected = {"table": None, "unknown": refusal.format("unknown"), "second": None}
    # In base mode old workers answer for a while after the reload.
    wait_until(lambda: get(server, f"/make?bytes={128 * KIB}").json() == expected, "a new worker says what it can make")


def test_a_lock_lets_one_of_all_workers_in(server):
    with ThreadPoolExecutor(8) as clients:
        done = list(clients.map(lambda _: get(server, "/inside").json(), range(60)))
    assert max(done) == 60


@pytest.mark.both_modes
def test_the_lock_of_a_dead_worker_is_free(server, mode):
    if mode == "process":
        assert get(server, "/die").status == 502
    else:
        with pytest.raises(ClosedEarly):
            get(server, "/die")
    wait_until(lambda: "was killed by signal 9" in server.output(), "its death was noticed")
    assert get(server, "/lock").json() is True


def test_a_limit_counts_for_all_workers(server):
    with ThreadPoolExecutor(8) as clients:
        allowed = list(clients.map(lambda _: get(server, "/rate").json(), range(40)))
    assert allowed.count(True) == 10


def test_a_fork_of_the_application_shares(server):
    assert get(server, "/fork").json() is True
