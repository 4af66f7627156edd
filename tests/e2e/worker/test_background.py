"""What was spawned, and outlives its request, has shutdownSeconds to come to its end when its worker is to end; then it is cancelled."""

import signal
import time
from contextlib import contextmanager

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get


@contextmanager
def begun(mode, path, shutdown_seconds):
    with Server("background.php", mode, env={"SHUTDOWN_SECONDS": str(shutdown_seconds)}) as server:
        assert get(server, path).text == "serving"
        server.wait_event("begun")
        yield server


def names(server):
    return [event["event"] for event in server.events() if event["event"] not in ("start", "stop")]


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGHUP], ids=["stop", "reload"])
def test_it_may_finish(mode, order):
    with begun(mode, "/finite", 60) as server:
        server.signal(order)
        wait_until(lambda: "worker-stops" in names(server), "the worker ends")
        assert names(server) == ["begun", "finished", "worker-stops"]
        assert server.events("finished")[0]["was_stopping"] is True
        if order == signal.SIGTERM:
            assert server.wait() == 0
        assert "does not end" not in server.output()


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGHUP], ids=["stop", "reload"])
def test_it_is_cancelled_after_that(mode, order):
    with begun(mode, "/endless", 1) as server:
        told = time.monotonic()
        server.signal(order)
        wait_until(lambda: "worker-stops" in names(server), "the worker ends")
        assert names(server) == ["begun", "cleaned-up", "worker-stops"]
        assert time.monotonic() - told >= 1
        if order == signal.SIGTERM:
            assert server.wait() == 0
        assert "does not end" not in server.output()


def test_who_asks_is_told_at_once(mode):
    with begun(mode, "/asks", 60) as server:
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert names(server) == ["begun", "has-asked", "worker-stops"]


def test_nobody_is_patient_after_an_interrupt(mode):
    with begun(mode, "/endless", 60) as server:
        server.signal(signal.SIGINT)
        assert server.wait() == 0
        assert names(server) == ["begun", "cleaned-up", "worker-stops"]


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGHUP], ids=["stop", "reload"])
def test_a_handler_may_wait_for_the_end(mode, order):
    with Server("background.php", mode, env={"SHUTDOWN_SECONDS": "600"}) as server, HttpConnection(server.address) as client:
        client.send(format_request("/stream"))
        assert server.wait_event("begun")["in_time"] is False
        server.signal(order)
        assert client.read().text == "data: the worker ends\n\n"
        assert server.wait_event("ends")["asked_again"] is True
        server.wait_event("worker-stops")
        assert "does not end" not in server.output()
