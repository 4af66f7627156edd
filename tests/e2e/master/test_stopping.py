"""Stopping a server: by signals and by a worker, with and without work in progress."""

import signal
import time

import pytest

from harness import MODES, wait_until
from http_client import HttpConnection, format_request, get
from lifecycle import current, release, start
from websocket_client import TEXT, RawWebSocket, frame


# What the log says when shutdownSeconds were over before everything had come to its end.
DRAIN_FAILED = "not everything has drained"


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_sigterm_lets_a_running_request_finish(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=500"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM)
        response = slow.read()
        assert response.text == "slept one"
        if mode == "process":  # in base mode the worker was in its handler when the signal came
            assert response.header("connection") == "close"
        assert slow.at_end()
        slow.close()
        assert server.wait() == 0
        server.assert_nothing_left()
        assert DRAIN_FAILED not in server.output()


def test_sigterm_before_all_workers_are_ready(script, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("second waits")
    with start(script, "process", workers=2, announces=False, env={"BROKEN": str(broken)}) as server:
        server.wait_event("boot-broken", worker=1)
        with HttpConnection(server.address) as slow:
            slow.send(format_request("/sleep?ms=500"))
            server.wait_event("sleeping")
            server.signal(signal.SIGTERM)
            wait_until(lambda: "stopping" in server.output(), "the master stops")
            broken.unlink()
            assert slow.read().text == "slept one"
        assert server.wait() == 0


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_closes_idle_connections_at_once(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as used, HttpConnection(server.address) as fresh:
        assert used.request("/worker").status == 200
        server.signal(signal.SIGTERM)
        for connection in (used, fresh):
            assert connection.at_end()
            connection.close()
        assert server.wait() == 0
        assert DRAIN_FAILED not in server.output()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_says_goodbye_to_websockets(script, mode):
    with start(script, mode) as server, RawWebSocket(server) as client:
        client.send(frame(TEXT, b"slow"))
        server.wait_event("slow")
        server.signal(signal.SIGTERM)
        assert client.read_frame() == (True, TEXT, b"one:4:slow")
        assert client.read_close()[0] == 1001
        client.close()
        assert server.wait() == 0


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_does_not_wait_for_ever(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as stuck:
        stuck.send(format_request("/spin"))
        server.wait_event("spinning")
        server.signal(signal.SIGTERM)
        server.wait()
        server.assert_nothing_left()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_takes_no_new_connections(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=1000"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM)
        wait_until(lambda: not server.accepts(server.ports[0]), "the listener is closed")
        assert slow.read().text == "slept one"


@pytest.mark.parametrize("mode", MODES)
def test_sigint_stops_without_waiting_for_what_runs(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=600000"))
        server.wait_event("sleeping")
        server.signal(signal.SIGINT)
        server.wait()
        server.assert_nothing_left()


@pytest.mark.parametrize("mode", MODES)
def test_sigterm_to_all_processes_lets_a_running_request_finish(script, mode):
    """As systemd sends it to a whole control group."""
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=500"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM, whole_group=True)
        assert slow.read().text == "slept one"
        assert server.wait() == 0
        assert DRAIN_FAILED not in server.output()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_to_all_processes_of_an_idle_server_ends_it_at_once(script, mode, number):
    with start(script, mode) as server:
        server.signal(number, whole_group=True)
        assert server.wait() == 0
        # Neither anybody was waited for in vain, nor anybody killed.
        assert DRAIN_FAILED not in server.output()
        assert len(server.events("stop")) == 2


@pytest.mark.parametrize("mode", MODES)
def test_who_asks_again_and_again_gets_the_same_answer(script, mode):
    """Also while PHP ends after run() has returned."""
    with start(script, mode) as server:
        while server.process.poll() is None:
            server.signal(signal.SIGTERM)
            time.sleep(0.0001)
        assert server.wait() == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1])
def test_reload_signal_to_all_processes_reloads(script, mode, number):
    """A closed terminal, or `systemctl kill -s HUP`, reaches workers and reactor too."""
    with start(script, mode) as server:
        release(script, "two")
        server.signal(number, whole_group=True)
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")


@pytest.mark.parametrize("mode", MODES)
def test_a_worker_can_ask_to_stop(script, mode):
    with start(script, mode) as server:
        assert get(server, "/stop").text == "asked"
        assert server.wait() == 0
        assert len(server.events("stop")) == 2


@pytest.mark.both_modes
@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("mode", MODES)
def test_a_second_signal_means_now(script, mode, second):
    script.write_text(script.read_text().replace("shutdownSeconds: 2.0", "shutdownSeconds: 1000.0"))
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=600000"))
        server.wait_event("sleeping")
        server.signal(signal.SIGTERM)
        wait_until(lambda: "stopping: what has begun is finished first" in server.output(), "it drains")
        server.signal(second)
        assert server.wait() == 0
        assert "stopping now, as asked again" in server.output()
        server.assert_nothing_left()


@pytest.mark.parametrize("mode", MODES)
def test_one_signal_after_its_own_stop_is_not_a_second_one(script, mode):
    with start(script, mode) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=500"))
        server.wait_event("sleeping")
        assert get(server, "/stop").text == "asked"
        wait_until(lambda: "stopping: what has begun is finished first" in server.output(), "it drains")
        server.signal(signal.SIGTERM)
        assert slow.read().text == "slept one"
        assert server.wait() == 0
