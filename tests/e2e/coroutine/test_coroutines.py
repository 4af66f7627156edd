"""One worker serves many requests at a time while their handlers wait in plain, blocking PHP."""

import http.server
import os
import signal
import threading
import time

import pytest

from harness import MODES, Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import TEXT, RawWebSocket, frame

COUNT = 20
STALL_S = 0.3


@pytest.fixture
def server(mode, capsys):
    with Server("coroutines.php", mode) as server:
        yield server


@pytest.fixture(scope="module")
def slow_port():
    """An HTTP server that answers after a while, with what it was asked for."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            time.sleep(STALL_S)
            self.send_response(200)
            self.end_headers()
            try:
                self.wfile.write(self.path[1:].encode())
            except ConnectionError:
                pass  # who asked has seen enough

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as slow:
        slow.request_queue_size = 128
        threading.Thread(target=slow.serve_forever, daemon=True).start()
        yield slow.server_address[1]
        slow.shutdown()


def at_once(server, paths):
    """Sends all of them before it reads an answer; the answers, and the seconds it took."""
    connections = [HttpConnection(server.address) for _ in paths]
    start = time.monotonic()
    for connection, path in zip(connections, paths):
        connection.send(format_request(path))
    answers = [connection.read() for connection in connections]
    return answers, time.monotonic() - start


@pytest.mark.parametrize("call", ["/usleep?ms=300&", "/fetch?", "/stream?", "/select?"])
def test_calls_that_wait_do_so_together(server, slow_port, call):
    answers, seconds = at_once(server, [f"{call}port={slow_port}&mark=m{number:02}" for number in range(COUNT)])
    assert {answer.status for answer in answers} == {200}
    expected = ["1ready"] * COUNT if "select" in call else [f"m{number:02}" for number in range(COUNT)]
    assert [answer.text for answer in answers] == expected
    assert STALL_S <= seconds < STALL_S * COUNT / 2, "not one after the other"
    # The worker has to have had many of them in hand, however slow this machine is.
    assert max(event["at_once"] for event in server.events("begun")) > COUNT / 2


def test_handlers_end_in_any_order(server):
    delays = [(number * 7) % COUNT * 20 for number in range(COUNT)]
    answers, _ = at_once(server, [f"/usleep?ms={ms}&mark={ms}" for ms in delays])
    assert [answer.text for answer in answers] == [str(ms) for ms in delays]
    # And what came after them is served as well, many times over.
    for number in range(200):
        assert get(server, f"/usleep?mark={number}").text == str(number)


def test_messages_of_one_connection_keep_their_order_while_others_overtake(server):
    slow, quick = RawWebSocket(server), RawWebSocket(server)
    delays = [500, 0, 20, 1]
    slow.send(b"".join(frame(TEXT, str(ms).encode()) for ms in delays))
    server.wait_event("slept-for", ms=500)
    quick.send(frame(TEXT, b"0"))
    assert quick.read_frame()[2] == b"0"
    assert not server.events("sent"), "the slow one still waits"
    assert [slow.read_frame()[2] for _ in delays] == [str(ms).encode() for ms in delays]
    slow.close()
    quick.close()
    wait_until(lambda: len(server.events("closed")) == 2, "both have ended")


def test_coroutines_within_a_handler(server):
    answers, seconds = at_once(server, ["/all?ms=300"] * COUNT)
    assert {answer.text for answer in answers} == {"[1,2]"}
    assert seconds < STALL_S * COUNT


def test_exception_after_a_sleep(server):
    answers, _ = at_once(server, ["/throw?ms=50", "/usleep?ms=100&mark=other"])
    assert [answer.status for answer in answers] == [500, 200]
    assert "after a sleep" in server.output()


@pytest.mark.both_modes
def test_exit_after_a_sleep_ends_the_worker(server, mode):
    pid = get(server, "/pid").text
    connection = HttpConnection(server.address)
    connection.send(format_request("/exit?ms=50"))
    wait_until(lambda: len(server.events("start")) == 2, "the worker is replaced")
    wait_until(lambda: get(server, "/pid").text != pid, "the new one serves")
    if mode == "process":
        assert connection.read().status == 502


@pytest.mark.both_modes
def test_killed_worker_costs_what_it_had_in_hand(server, mode):
    connections = [HttpConnection(server.address) for _ in range(5)]
    for connection in connections:
        connection.send(format_request("/usleep?ms=600000"))
    wait_until(lambda: len(server.events("begun")) == 5, "all have begun")
    os.kill(server.worker_pids()[0], signal.SIGKILL)
    wait_until(lambda: len(server.events("start")) == 2, "the worker is replaced")
    for connection in connections if mode == "process" else ():
        assert connection.read().status == 502
        assert connection.request("/usleep?mark=again").text == "again"


def test_what_sleeps_is_finished_before_the_end(server):
    connections = [HttpConnection(server.address) for _ in range(5)]
    for connection in connections:
        connection.send(format_request("/usleep?ms=700&mark=whole"))
    wait_until(lambda: len(server.events("begun")) == 5, "all have begun")
    server.signal(signal.SIGTERM)
    for connection in connections:
        assert connection.read().text == "whole"
    assert server.wait() == 0
    assert server.events("background-ended") and server.events("stopped-after-sleep")


def test_client_that_goes_away_meanwhile(server):
    connection = HttpConnection(server.address)
    connection.send(format_request("/usleep?ms=200"))
    server.wait_event("begun")
    connection.close()
    answers, _ = at_once(server, ["/usleep?ms=400&mark=other"] * 3)
    assert {answer.text for answer in answers} == {"other"}


def test_worker_that_waits_uses_no_processor(server):
    connections = [HttpConnection(server.address) for _ in range(5)]
    for connection in connections:
        connection.send(format_request("/usleep?ms=1500"))
    wait_until(lambda: len(server.events("begun")) == 5, "all have begun")
    def ticks():
        fields = Process(server.worker_pids()[0]).stat()
        return int(fields[11]) + int(fields[12])
    before = ticks()
    for connection in connections:
        assert connection.read().status == 200
    assert (ticks() - before) / os.sysconf("SC_CLK_TCK") < 0.5


@pytest.mark.parametrize("mode", MODES)
def test_without_coroutines_it_is_one_after_the_other(mode, tmp_path):
    (tmp_path / "off.ini").write_text("sluice.coroutines = 0\n")
    with Server("plain_sleep.php", mode, env={"PHP_INI_SCAN_DIR": f":{tmp_path}"}) as server:
        answers, seconds = at_once(server, ["/?ms=100"] * 5)
        assert {answer.text for answer in answers} == {"1"}
        assert seconds >= 0.5
