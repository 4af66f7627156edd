"""What the metrics tell of pools that have a name."""

import contextlib
import os
import signal

import pytest

from harness import wait_until
from http_client import format_request
from traffic import Client, scrape, traffic_server


@pytest.fixture
def server(mode):
    with traffic_server(mode) as running:
        yield running


def told(server, pool="patient"):
    metrics = scrape(server)
    of_worker = {"pool": pool, "worker": "0"}
    return {
        "idle": metrics.value("sluice_pool_items", state="idle", **of_worker), "in_use": metrics.value("sluice_pool_items", state="in_use", **of_worker),
        "max": metrics.value("sluice_pool_max_items", **of_worker), "waiting": metrics.value("sluice_pool_waiting", **of_worker),
        "timeouts": metrics.value("sluice_pool_timeouts_total", pool=pool),
    }


def figures(max, idle=0, in_use=0, waiting=0, timeouts=0):
    return {"idle": idle, "in_use": in_use, "max": max, "waiting": waiting, "timeouts": timeouts}


def asks(stack, server, pool, until):
    client = stack.enter_context(Client(server))
    client.send(format_request(f"/pool?pool={pool}&until={until}"))
    return client


def test_a_pool_is_told_by_its_name(server):
    assert told(server) == figures(2)
    assert told(server, "impatient") == figures(1)
    assert not any("nameless" in dict(labels).values() for _, labels in scrape(server).samples)
    go = server.folder / "go"
    with contextlib.ExitStack() as stack:
        clients = [asks(stack, server, "patient", go) for _ in range(3)]
        wait_until(lambda: told(server) == figures(2, in_use=2, waiting=1), "one waits")
        go.touch()
        assert [client.read().text for client in clients] == ["used"] * 3
        wait_until(lambda: told(server) == figures(2, idle=2), "both items are free")
    assert told(server, "impatient") == figures(1)


def test_waits_that_end_in_vain_are_counted(server):
    go = server.folder / "go"
    with contextlib.ExitStack() as stack:
        first = asks(stack, server, "impatient", go)
        server.wait_event("held")
        for times in (1, 2):
            assert asks(stack, server, "impatient", go).read().status == 503
            assert told(server, "impatient")["timeouts"] == times
        go.touch()
        assert first.read().text == "used"
        wait_until(lambda: told(server, "impatient") == figures(1, idle=1, timeouts=2), "the item is free")


def test_the_next_worker_tells_of_its_own(server):
    with contextlib.ExitStack() as stack:
        asks(stack, server, "patient", server.folder / "never")
        wait_until(lambda: told(server) == figures(2, in_use=1), "it is in use")
        started = len(server.events("start"))
        os.kill(server.worker_pids()[0], signal.SIGKILL)
        wait_until(lambda: len(server.events("start")) > started, "another worker has started")
        wait_until(lambda: told(server) == figures(2), "it has begun anew")
