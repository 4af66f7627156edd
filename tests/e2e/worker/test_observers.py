"""onRequest, onResponse and onError: who is told of what, and that a failing one harms nobody."""

import concurrent.futures
import re
import socket

import pytest
import websockets.exceptions

from harness import Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get
from websocket_client import asynchronous, connect, handshake


@pytest.fixture
def server(mode):
    """A new server for each test, for the tests count what is reported."""
    with Server("observers.php", mode, workers=1, reactors=1, ports=2) as server:
        yield server


def test_requests_and_responses_are_told(server):
    assert get(server, "/hello?trace=7").status == 202
    seen = server.wait_event("response")
    assert seen == {"event": "response", "path": "/hello", "status": 202, "ended": True, "in_time": True, "trace": "7"}
    assert [event["event"] for event in server.events() if event.get("path")] == ["request", "second", "response"]


def test_an_exception_is_told_with_its_request_when_the_client_is_answered(server):
    with HttpConnection(server.address) as connection:
        for _ in range(2):
            response = connection.request("/throw?trace=9&message=told")
            assert (response.status, response.text) == (500, "500 Internal Server Error\n")
        port = connection.socket.getsockname()[1]
    error = server.wait_event("error")
    assert (error["message"], error["path"], error["trace"]) == ("told", "/throw", "9")
    assert server.wait_event("response")["status"] == 500
    wait_until(lambda: len(server.events("error")) == 2, "both are told")
    lines = re.findall(r"In (an HTTP handler, .*?): RuntimeException: told", server.output())
    assert lines == [f"an HTTP handler, GET /throw, request {number} of 127.0.0.1:{port}" for number in (1, 2)]


def test_errors_at_the_same_time_keep_their_requests(server):
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda number: get(server, f"/throw?trace={number}&message={number}"), range(20)))
    wait_until(lambda: len(server.events("error")) == 20, "all are told")
    assert sorted(int(event["trace"]) for event in server.events("error")) == list(range(20))
    assert all(event["trace"] == event["message"] and event["path"] == "/throw" for event in server.events("error"))


@pytest.mark.parametrize("path, message", [("/spawn", "in a spawned coroutine"), ("/timer", "in a timer")])
def test_errors_without_a_request(server, path, message):
    assert get(server, path).status == 200
    error = server.wait_event("error")
    assert (error["message"], error["path"]) == (message, None)


def test_errors_of_other_protocols(server):
    with socket.create_connection(("127.0.0.1", server.ports[1]), timeout=10) as connection:
        connection.sendall(b"line\n")
        assert connection.recv(100) == b""
    error = server.wait_event("error")
    assert (error["message"], error["path"]) == ("in a TCP handler: line", None)


def test_the_client_is_answered_before_anybody_is_told(server):
    assert get(server, "/throw?message=slow").status == 500
    assert not server.events("error")
    assert server.wait_event("error")["path"] == "/throw"


def test_errors_of_a_handshake_come_with_its_request(server):
    with HttpConnection(server.address) as connection:
        connection.send(handshake("/socket?refuse=1"))
        assert connection.read().status == 500
        assert not server.events("error")
    error = server.wait_event("error")
    assert (error["message"], error["path"]) == ("slow: in a handshake", "/socket")
    assert re.search(r"In a WebSocket handshake handler, GET /socket, request 1 of 127\.0\.0\.1:\d+: RuntimeException: slow", server.output())


@asynchronous
async def test_errors_of_a_websocket(server):
    async with connect(server, "/socket") as socket_:
        await socket_.send("x")
        with pytest.raises(websockets.exceptions.ConnectionClosed):
            await socket_.recv()
        assert not server.events("error")
        assert socket_.close_code == 1011
    error = server.wait_event("error")
    assert (error["message"], error["path"]) == ("slow: in a WebSocket handler", None)


def test_the_clients_mistake_is_no_error(server):
    assert get(server, "/bad").status == 400
    assert server.wait_event("response")["status"] == 400
    assert not server.events("error")


def test_what_observers_throw_is_logged_and_harms_nobody(server):
    assert get(server, "/hello?observer=throw").status == 202
    server.wait_event("response")
    assert server.events("second")
    assert "In an onRequest callback: LogicException: the observer fails" in server.output()
    wait_until(lambda: "In an onResponse callback: LogicException: the observer of responses fails" in server.output(), "it is logged")
    assert not server.events("error")
    assert get(server, "/throw?observer=throw").status == 500
    server.wait_event("error")
    wait_until(lambda: "In an onError callback: LogicException: the observer of errors fails" in server.output(), "it is logged")
    assert get(server, "/hello").status == 202


def test_a_client_that_leaves_is_no_error(server):
    connection = HttpConnection(server.address)
    connection.send(format_request("/wait"))
    server.wait_event("begun")
    connection.close()
    assert server.wait_event("response")["path"] == "/wait"
    assert not server.events("error")


def test_a_client_that_leaves_while_an_observer_waits(server):
    connection = HttpConnection(server.address)
    connection.send(format_request("/hello?observer=wait"))
    server.wait_event("request")
    connection.close()
    server.wait_event("response")
    assert not server.events("second") and not server.events("error")
    assert get(server, "/hello").status == 202


def test_a_response_that_is_kept_has_not_ended(server):
    with HttpConnection(server.address) as connection:
        connection.send(format_request("/kept"))
        assert server.wait_event("response")["ended"] is False


@pytest.mark.both_modes
def test_exit_in_an_observer_ends_the_worker(server, mode):
    before = server.wait_event("start")["pid"]
    with HttpConnection(server.address) as connection:
        if mode == "process":
            assert connection.request("/hello?observer=exit").status == 502
        else:
            with pytest.raises((ClosedEarly, ConnectionError)):
                connection.request("/hello?observer=exit")
    wait_until(lambda: len(server.events("start")) == 2, "there is a new worker")
    assert server.events("start")[1]["pid"] != before
    assert get(server, "/hello").status == 202
