"""Requests that come together are answered in order, each once, whatever their handlers do and whoever dies."""

import os
import random
import signal

import pytest

from harness import MODES, Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.fixture
def server(mode):
    with Server("pipelining.php", mode, workers=2) as server:
        yield server


def target(number, path="/", size=0, wait=0.0):
    return f"{path}?n={number}&bytes={size}&wait={wait}"


def open_window(connection, size=16):
    for _ in range(size.bit_length()):
        assert connection.request("/?n=first").text == "first"


def begun(server):
    return [event["n"] for event in server.events("begun") if event["n"] != "first"]


def test_a_thousand_requests_of_all_kinds(server):
    choices = random.Random(7)
    requests, expected = [], []
    for number in range(1000):
        path = choices.choices(["/", "/stream", "/later", "/goes-on"], [20, 1, 1, 1])[0]
        size = choices.choices([0, choices.randrange(1000), choices.randrange(60_000)], [10, 3, 1])[0]
        wait = choices.choices([0, 0.001, 0.005], [20, 1, 1])[0]
        method = choices.choices(["GET", "HEAD", "POST"], [20, 1, 1])[0]
        requests.append(format_request(target(number, path, size, wait), method, body=b"x" * number if method == "POST" else None))
        body = str(number).ljust(size, ".")
        expected.append("" if method == "HEAD" else f"{number} {body}" if path == "/stream" else body)
    with HttpConnection(server.address) as connection:
        sent = 0
        for number, body in enumerate(expected):
            if number == sent:
                count = choices.choice([1, 2, 16, 40, 100])
                connection.send(b"".join(requests[sent:sent + count]))
                sent = min(sent + count, len(requests))
            response = connection.read("HEAD" if requests[number].startswith(b"HEAD") else "GET")
            assert (response.status, response.text) == (200, body), number


def test_those_behind_a_waiting_handler_begin_after_it(server):
    with HttpConnection(server.address) as connection:
        open_window(connection)
        connection.send(b"".join(format_request(target(n, wait=0.05 if n == 1 else 0)) for n in range(1, 6)))
        assert [connection.read().text for _ in range(5)] == ["1", "2", "3", "4", "5"]
    assert begun(server) == ["1", "2", "3", "4", "5"]


def test_a_handler_that_goes_on_holds_up_nobody(server):
    with HttpConnection(server.address) as connection:
        open_window(connection)
        connection.send(format_request(target(1, "/goes-on", wait=1)) + format_request(target(2)) + format_request(target(3)))
        assert [connection.read().text for _ in range(3)] == ["1", "2", "3"]
        assert server.events("ended") == []


def test_without_coroutines(mode):
    with Server("pipelining.php", mode, settings=["sluice.coroutines=0"]) as server, HttpConnection(server.address) as connection:
        open_window(connection)
        connection.send(b"".join(format_request(target(n, "/later" if n % 4 == 0 else "/", wait=0.01)) for n in range(32)))
        assert [connection.read().text for _ in range(32)] == [str(n) for n in range(32)]


def test_a_worker_at_its_cap_of_coroutines(mode):
    with Server("pipelining.php", mode, env={"LIMITS": '{"coroutines": 2}'}) as server:
        connections = [HttpConnection(server.address) for _ in range(4)]
        for connection in connections:
            open_window(connection)
        for connection in connections:
            connection.send(b"".join(format_request(target(n, wait=0.003)) for n in range(40)))
        for connection in connections:
            assert [connection.read().text for _ in range(40)] == [str(n) for n in range(40)]
            connection.close()


@pytest.mark.both_modes
def test_a_worker_that_dies_loses_what_it_had_begun(server, mode):
    with HttpConnection(server.address) as connection:
        open_window(connection)
        connection.send(b"".join(format_request(target(n, "/die" if n == 3 else "/")) for n in range(1, 9)))
        if mode == "base":
            with pytest.raises(ClosedEarly):
                for _ in range(8):
                    connection.read()
            return
        answers = [connection.read() for _ in range(8)]
    assert [answer.status for answer in answers] == [200, 200, 502, 200, 200, 200, 200, 200]
    assert [answer.text for answer in answers if answer.status == 200] == ["1", "2", "4", "5", "6", "7", "8"]
    assert begun(server) == [str(n) for n in range(1, 9)], "each was begun once"


@pytest.mark.both_modes
def test_kills_while_many_pipeline(mode):
    if mode == "base":
        pytest.skip("a connection dies with its worker")
    with Server("pipelining.php", mode, workers=3) as server:
        choices = random.Random(11)
        connections = [HttpConnection(server.address) for _ in range(6)]
        lost = 0
        number = 0
        for round in range(40):
            batches = []
            for connection in connections:
                batch = list(range(number, number + choices.randrange(1, 30)))
                number = batch[-1] + 1
                batches.append(batch)
                connection.send(b"".join(format_request(target(n, wait=choices.choice([0, 0, 0, 0.002]))) for n in batch))
            if round % 8 == 4:
                os.kill(choices.choice(wait_until(server.worker_pids, "a worker runs")), signal.SIGKILL)
            for connection, batch in zip(connections, batches):
                for n in batch:
                    response = connection.read()
                    lost += response.status == 502
                    assert response.status == 502 or (response.status, response.text) == (200, str(n))
        for connection in connections:
            connection.close()
        assert lost <= 5 * len(connections), "of each connection a worker had begun one request"
        wait_until(lambda: len(server.worker_pids()) == 3, "all workers run again")


@pytest.mark.both_modes
def test_a_reload_in_between(server, mode):
    with HttpConnection(server.address) as connection:
        open_window(connection)
        for round in range(10):
            numbers = range(round * 30, round * 30 + 30)
            connection.send(b"".join(format_request(target(n, wait=0.002)) for n in numbers))
            if round == 3 and mode == "process":
                server.signal(signal.SIGHUP)
            assert [connection.read().text for _ in numbers] == [str(n) for n in numbers]


def test_a_stop_answers_what_is_in_flight(server):
    with HttpConnection(server.address) as connection:
        open_window(connection)
        connection.send(b"".join(format_request(target(n, wait=0.1)) for n in range(1, 5)))
        server.wait_event("begun", n="1")
        server.signal(signal.SIGTERM)
        answers = [connection.read() for _ in range(4)]
    assert [answer.text for answer in answers] == ["1", "2", "3", "4"]
    assert [answer.header("connection") for answer in answers] == [None, None, None, "close"]
