"""An application that keeps what it gets until memory_limit leaves no room: its worker is replaced, and the server serves."""

import json

import pytest

from harness import Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request
from limit_drivers import KIB

KEPT = 256 * KIB


def answers(server, path="/", **request):
    """The status that a client gets within a short wait; 0: none."""
    try:
        with HttpConnection(server.address, timeout=1) as client:
            return client.request(path, **request).status
    except (ClosedEarly, OSError):
        return 0


@pytest.mark.both_modes
def test_a_worker_without_memory_is_replaced(mode, capsys):
    with Server("limits.php", mode, ports=4, settings=["memory_limit=24M"], env={"LIMITS": json.dumps({"lentBytes": 0})}) as server:
        first = server.worker_pids()

        def keeping_more_replaces_it():
            answers(server, "/keep", method="POST", body=b"x" * KEPT)
            return not set(first) & set(server.worker_pids())

        wait_until(keeping_more_replaces_it, "the worker without memory is replaced", 60)
        wait_until(lambda: answers(server) == 200, "requests are served again")
        assert [answers(server) for _ in range(10)] == [200] * 10
        if mode == "base":
            assert "there is no room for further messages" in server.output()
            assert "has asked to be replaced" in server.output()


def test_memory_that_comes_back_ends_the_shortage(capsys):
    """Memory that only cycles refer to is collected first. (In process mode PHP ends the worker, as it ends any script.)"""
    mode = "base"
    with Server("limits.php", mode, ports=4, settings=["memory_limit=24M"], env={"LIMITS": json.dumps({"lentBytes": 0})}) as server:
        first = server.worker_pids()
        for _ in range(200):
            assert answers(server, "/cycle", method="POST", body=b"x" * KEPT) == 200
        assert server.worker_pids() == first


def test_who_waits_for_a_worker_that_is_replaced_is_answered(capsys):
    """No memory comes free any more: each client gets 503 when the worker is told to end, not when its own patience is over."""
    limits = {"lentBytes": 0, "shutdownSeconds": 1000.0, "headSeconds": 1000.0, "keepAliveSeconds": 1000.0}
    with Server("limits.php", "base", ports=4, settings=["memory_limit=24M"], env={"LIMITS": json.dumps(limits)}) as server:
        first = server.worker_pids()

        def keeping_more_uses_it_up():
            answers(server, "/keep", method="POST", body=b"x" * KEPT)
            return "there is no room for further messages" in server.output()

        wait_until(keeping_more_uses_it_up, "memory is used up", 60)
        waiting = []

        def one_more():
            client = HttpConnection(server.address)
            client.send(format_request("/") if len(waiting) % 2 else format_request("/bytes", "POST", body=b"x" * 5000))
            waiting.append(client)
            return set(server.worker_pids()) - set(first)

        wait_until(one_more, "another worker takes over")
        statuses = {client.read().status for client in waiting[:-5]}
        assert 503 in statuses and statuses <= {200, 503}, statuses
        wait_until(lambda: not set(server.worker_pids()) & set(first), "the worker that was replaced has ended")
