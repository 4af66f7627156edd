"""A handler whose client has gone, or that takes too long, is cancelled where it waits."""

import socket
import struct
import threading

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request, get

PLAIN, WITH_DEADLINE, GOES_ON = range(3)


@pytest.fixture
def server(mode, capsys):
    with Server("cancellation.php", mode, ports=3) as server:
        yield server


@pytest.fixture(scope="module")
def silent_port():
    """A server that accepts and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        kept = []

        def accept():
            try:
                while True:
                    kept.append(listener.accept()[0])
            except OSError:
                pass

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        for connection in kept:
            connection.close()


def connect(server, endpoint):
    return HttpConnection(("127.0.0.1", server.ports[endpoint]))


def ask(server, endpoint, path):
    connection = connect(server, endpoint)
    connection.send(format_request(path))
    server.wait_event("begun")
    return connection


@pytest.mark.parametrize("way", ["usleep", "sleep", "fread", "fetch", "select"])
def test_client_that_goes_away_cancels_what_waits(server, silent_port, way):
    ask(server, PLAIN, f"/wait?in={way}&port={silent_port}").close()
    assert server.wait_event("cancelled")["message"] == "The client has closed its connection"
    server.wait_event("cleaned-up")
    assert not server.events("not-cancelled")
    # The client's business, not the application's mistake.
    assert "CancelledError" not in server.output()
    assert get(server, "/hello").text == "hello"


@pytest.mark.parametrize("way", ["usleep", "sleep", "all"])
def test_frameworks_that_catch_exceptions_let_it_through(server, way):
    connection = ask(server, PLAIN, f"/framework?in={way}")
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.read().status == 503
    server.wait_event("cancelled")
    assert not server.events("swallowed")


def test_reset_connection_cancels(server):
    connection = ask(server, PLAIN, "/wait")
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    server.wait_event("cancelled")


def test_client_that_closes_its_side_only_is_told(server):
    connection = ask(server, PLAIN, "/wait")
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.read().status == 503
    server.wait_event("cleaned-up")


def test_handler_may_answer_a_half_closed_client(server):
    connection = ask(server, PLAIN, "/catch")
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.read().text == "caught"
    server.wait_event("cleaned-up")


def test_children_that_are_waited_for_end_with_it(server):
    ask(server, PLAIN, "/wait?in=all").close()
    server.wait_event("child-ended")
    server.wait_event("cancelled")


def test_spawned_tasks_go_on(server):
    connection = ask(server, PLAIN, "/wait?in=await")
    server.wait_event("spawned")
    connection.close()
    server.wait_event("cancelled")
    assert not server.events("spawned-done")
    server.wait_event("spawned-done")


def test_shielded_work_is_completed(server):
    connection = ask(server, PLAIN, "/shield")
    connection.close()
    assert server.wait_event("after-shield")["result"] == "kept"
    server.wait_event("cancelled")
    assert [event["event"] for event in server.events() if "shield" in event["event"]] == [
        "shielded-done", "after-shield"]


def test_a_site_may_go_on_without_its_clients(server):
    ask(server, GOES_ON, "/shield?in=nothing").close()
    server.wait_event("cleaned-up")
    connection = ask(server, GOES_ON, "/begun")
    connection.close()
    wait_until(lambda: len(server.events("cleaned-up")) == 2, "the second has ended")
    assert not server.events("cancelled")


def test_one_of_many_goes_away(server):
    connections = [connect(server, PLAIN) for _ in range(20)]
    for connection in connections:
        connection.send(format_request(f"/until?until={server.folder}/let-go"))
    wait_until(lambda: len(server.events("begun")) == 20, "all have begun")
    for connection in connections[::2]:
        connection.close()
    wait_until(lambda: len(server.events("cancelled")) == 10, "the others were cancelled")
    (server.folder / "let-go").touch()
    assert {connection.read().text for connection in connections[1::2]} == {"partwhole"}


def test_request_over_its_deadline(server):
    connection = ask(server, WITH_DEADLINE, "/wait")
    answer = connection.read()
    assert answer.status == 504 and "longer than this site allows" in answer.text
    assert "requestSeconds" in server.wait_event("cancelled")["message"]
    server.wait_event("cleaned-up")
    # The connection stays, and the next request has a deadline of its own.
    assert connection.request("/hello").text == "hello"
    assert connection.request("/wait").status == 504


@pytest.mark.parametrize("way", ["sleep", "fread", "fetch", "select", "all"])
def test_deadline_reaches_into_what_waits(server, silent_port, way):
    connection = ask(server, WITH_DEADLINE, f"/wait?in={way}&port={silent_port}")
    assert connection.read().status == 504
    assert "requestSeconds" in server.wait_event("cancelled")["message"]
    server.wait_event("cleaned-up")
    assert not server.events("not-cancelled")


@pytest.mark.parametrize("end", ["handler", "deferred", "classic"])
def test_a_handler_that_swallows_its_cancellation_is_ended(server, end):
    worker = get(server, "/worker").text
    with ask(server, PLAIN, "/classic" if end == "classic" else f"/swallow?end={end}"):
        pass
    if end != "deferred":
        assert server.wait_event("swallowed")["class"] == "Sluice\\Coroutine\\CancelledError"
    server.wait_event("ended")
    assert "still waits, in usleep() at " in server.output()
    assert get(server, "/worker").text == worker, "the worker goes on"
    wait_until(lambda: get(server, "/coroutines").text == "1", "nothing of the handler is left")


def test_deadline_leaves_what_is_shielded_alone(server):
    connection = ask(server, WITH_DEADLINE, "/shield")
    assert connection.read().status == 504
    assert server.wait_event("after-shield")["result"] == "kept"
    server.wait_event("cancelled")
    server.wait_event("cleaned-up")


@pytest.mark.both_modes
def test_deadline_does_not_wait_for_a_busy_worker(server, mode):
    if mode == "base":
        pytest.skip("the reactor is the worker, and waits with it")
    connection = ask(server, WITH_DEADLINE, "/spin")
    assert connection.read().status == 504
    assert not server.events("cancelled"), "nothing has suspended yet"
    server.wait_event("cancelled")


def test_late_answer_is_for_nobody(server):
    connection = ask(server, WITH_DEADLINE, "/catch")
    assert connection.read().status == 504
    assert server.wait_event("delivery")["name"] == "Closed"
    assert connection.request("/hello").text == "hello"


def test_response_that_has_begun_has_no_deadline(server):
    assert ask(server, WITH_DEADLINE, "/begun").read().text == "partwhole"
    assert not server.events("cancelled")


def test_site_without_a_deadline_under_limits_that_have_one(server):
    assert ask(server, PLAIN, "/begun").read().text == "partwhole"
