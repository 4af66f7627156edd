"""Who has subscribed to a topic, on all reactors and workers, with what is attached to each."""

import contextlib
import os
import signal

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get
from test_attachments import SERVER, act, opened


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_all_subscribers_are_listed(server, limit):
    with contextlib.ExitStack() as stack:
        entered = {}
        for number in range(8):
            client, told = opened(server, f"user {number}" if number % 2 else "")
            stack.enter_context(client)
            if number != 5:
                assert act(client, "enter room")["did"] == "Sent"
                entered[told["id"]] = told["data"]

        def listed():
            return get(server, f"/list?limit={limit}").json()

        wait_until(lambda: len(listed()) == len(entered), "all have been heard of")
        assert listed() == [[number, entered[number]] for number in sorted(entered)]
    wait_until(lambda: listed() == [], "all have gone")


def test_bad_arguments(server):
    assert get(server, "/bad").json() == [
        "ValueError: Sluice\\Server::listSubscribers(): Argument #1 ($topic) must be between 1 and 255 bytes long, 0 given",
        "ValueError: Sluice\\Server::listSubscribers(): Argument #2 ($limit) must be between 1 and 10000, 0 given",
        "ValueError: Sluice\\Server::listSubscribers(): Argument #2 ($limit) must be between 1 and 10000, 10001 given",
        "ValueError: Sluice\\Server::listSubscribers(): Argument #3 ($after) must not be negative, -1 given",
    ]


@pytest.mark.both_modes
def test_a_worker_that_dies_has_answered(mode, tmp_path):
    """In base mode a worker that computes does not answer, and one that dies then never will: no question waits for it for half a minute."""
    if mode == "process":
        pytest.skip("in process mode reactors answer, and they do not die alone")
    with Server(mode=mode, env={"LET_GO": str(tmp_path / "never")}, **SERVER) as server, contextlib.ExitStack() as stack:
        # The kernel chooses which worker accepts a connection.
        by_worker = {}
        while len(by_worker) < 2:
            connection = stack.enter_context(HttpConnection(server.address))
            by_worker[connection.request("/data?id=1").json()["pid"]] = connection
        client, _ = opened(server, "eve")
        stack.enter_context(client)
        asker = act(client, "enter room")["pid"]
        held, = by_worker.keys() - {asker}
        by_worker[held].send(format_request("/hold"))
        assert server.wait_event("holds")["pid"] == held
        by_worker[asker].send(format_request("/count"))
        by_worker[asker].socket.settimeout(0.3)
        with pytest.raises(TimeoutError):
            by_worker[asker].read()
        by_worker[asker].socket.settimeout(10)
        os.kill(held, signal.SIGKILL)
        assert by_worker[asker].read().json() == 1
