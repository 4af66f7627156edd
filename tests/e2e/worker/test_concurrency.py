"""A site or route may say how many of its requests a worker handles at a time; further requests wait for their turn."""

import concurrent.futures

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get

SERVER = dict(script="concurrency.php", ports=2)


def at_once(server, *paths):
    with concurrent.futures.ThreadPoolExecutor(len(paths)) as pool:
        return list(pool.map(lambda path: get(server, path), paths))


def ask(server, path, name):
    """A connection that waits for its answer; its request has reached the worker when the next one is sent."""
    connection = HttpConnection(server.address)
    connection.send(format_request(f"{path}?name={name}"))
    return connection


@pytest.mark.parametrize("path, most", [("/one", 1), ("/", 2), ("/route", 2)])
def test_no_more_at_a_time(server, path, most):
    get(server, "/most")
    assert [response.status for response in at_once(server, *[f"{path}?us=3000"] * 12)] == [200] * 12
    assert get(server, "/most").json() == most


def test_a_site_and_its_routes_share(server):
    get(server, "/most")
    at_once(server, *["/", "/route"] * 4)
    assert get(server, "/most").json() == 2
    at_once(server, *["/any"] * 12)
    assert get(server, "/most").json() > 2


def test_they_wait_in_order(server):
    clients = []
    for number in range(6):
        clients.append(ask(server, "/one", f"order-{number}"))
        # The first request runs; only the reactor knows of the others, and takes one connection after the other.
        wait_until(lambda: server.events("begun"), "the first one has begun")
    for client in clients:
        assert client.read().status == 200
        client.close()
    begun = [event["name"] for event in server.events("begun") if str(event["name"]).startswith("order-")]
    assert sorted(begun) == [f"order-{number}" for number in range(6)] and begun[0] == "order-0"


def test_a_deadline_goes_on_while_one_waits(server):
    first = ask(server, "/bounded", "first&us=400000")
    server.wait_event("begun", name="first")
    second = ask(server, "/bounded", "second&us=400000")
    third = ask(server, "/bounded", "third")
    assert first.read().status == 200
    assert {second.read().status, third.read().status} >= {504}
    for client in (first, second, third):
        client.close()
    assert get(server, "/bounded").status == 200


def test_who_goes_away_gives_its_place(server):
    let_go = server.folder / "let-go"
    let_go.unlink(missing_ok=True)
    first = ask(server, "/one", f"holds&until={let_go}")
    server.wait_event("begun", name="holds")
    gone = ask(server, "/one", "gone")
    wait_until(lambda: get(server, "/stats").json()["connections"] == 3, "it has come")
    gone.close()
    wait_until(lambda: get(server, "/stats").json()["connections"] == 2, "it has gone")
    assert get(server, "/stats").status == 200  # so the worker has been told
    last = ask(server, "/one", "last")
    let_go.touch()
    assert first.read().status == 200 and last.read().status == 200
    assert not [event for event in server.events("begun") if event["name"] == "gone"]
    first.close(), last.close()


def test_exceptions_give_their_turn(server):
    assert [response.status for response in at_once(server, *["/one?us=100&throw"] * 6)] == [500] * 6
    assert get(server, "/one").status == 200


def test_a_free_worker_goes_before_one_that_has_no_turn():
    with Server("concurrency.php", "process", workers=2, ports=2) as server:
        for _ in range(5):
            pids = {response.json()[1] for response in at_once(server, "/one?us=50000", "/one?us=50000")}
            assert len(pids) == 2
