"""How many coroutines a worker has is bounded and counted; timers see what who started them has seen."""

import signal
import socket

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get

MOST = 5


@pytest.fixture
def server(mode, capsys):
    with Server("coroutine_limits.php", mode) as server:
        # It runs in a coroutine of its own, and would count beside five handlers.
        server.wait_event("timer-of-start")
        yield server


def test_a_worker_at_its_cap_takes_no_further_message(server):
    with socket.create_server(("127.0.0.1", 0), backlog=64) as upstream:
        upstream.settimeout(60)
        clients = [HttpConnection(server.address) for _ in range(3 * MOST)]
        for client in clients:
            client.send(format_request(f"/hold?port={upstream.getsockname()[1]}"))
        served = 0
        while served < len(clients):
            at_once = min(MOST, len(clients) - served)
            held = [upstream.accept()[0] for _ in range(at_once)]
            assert len(server.events("begun")) <= served + MOST
            for connection in held:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\nheld")
                connection.close()
            served += at_once
        assert [client.read().text for client in clients] == ["held"] * len(clients)
    figures = get(server, "/stats").json()
    assert figures["worker"] == {"live": 1, "peak": MOST, "pooled": 1, "limit": MOST}, "of two this one is in use"
    wait_until(lambda: get(server, "/stats").json()["server"]["peakCoroutines"] == MOST, "the server's figures follow")
    assert get(server, "/stats").json()["server"]["pooledStacks"] in (1, 2)


def test_a_client_that_goes_away_makes_room_at_the_cap(server):
    """Its cancellation passes by the requests that wait before it; one that has not begun is not lost either."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as upstream:
        clients = [HttpConnection(server.address) for _ in range(2 * MOST)]
        for client in clients:
            client.send(format_request(f"/hold?port={upstream.getsockname()[1]}"))
        wait_until(lambda: len(server.events("begun")) == MOST, "the worker is at its cap")
        with HttpConnection(server.address) as last:
            last.send(format_request("/stats"))
            for client in clients:
                client.close()
            assert last.read().json()["worker"]["peak"] == MOST


def test_spawn_beyond_the_cap_names_the_option(server):
    count, message = get(server, "/spawn").json()
    assert count == MOST - 1
    assert message.startswith(f"There are {MOST} coroutines, and Limits::$coroutines allows no more")
    assert get(server, "/stats").json()["worker"]["live"] <= MOST


def test_context_values_of_timers_and_of_start_and_stop(server):
    assert get(server, "/timer?user=ada").json() == ["nobody", "ada", "ada", "changed since"]
    assert get(server, "/timer?user=bob").json() == ["nobody", "bob", "bob", "changed since"]
    server.wait_event("timer-of-start", user="of the start")
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    server.wait_event("stop-sees", user="nobody")
