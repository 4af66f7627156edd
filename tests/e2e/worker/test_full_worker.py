"""A worker with as many handlers as it may have, or with slow ones, and those who wait for it."""

import concurrent.futures
import threading

import pytest

from harness import Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import CLOSE, PING, PONG, TEXT, RawWebSocket, frame

SERVER = dict(script="full_worker.php", env={"COROUTINES": "2"})

CROWD, STRANGER = "127.0.0.2", "127.0.0.3"
# What may lie in the worker's queue before anybody knows that it is slow (QueueLimit::kFirst).
MOST_AHEAD = 32


def ask(server, path, source=CROWD):
    connection = HttpConnection(server.address, source=source)
    connection.send(format_request(path))
    return connection


def held(server, gate):
    """A request that keeps the worker until the gate is there."""
    begun = len(server.events("/hold"))
    connection = ask(server, f"/hold?until={gate}")
    wait_until(lambda: len(server.events("/hold")) > begun, "the worker is held")
    return connection


@pytest.mark.both_modes
def test_it_sleeps_beside_those_who_wait_for_it(server, tmp_path):
    begun = len(server.events("/wait"))
    # All are there before it has its two handlers.
    crowd = [held(server, tmp_path / "gate"), *(ask(server, path) for path in ["/wait"] * 2 + ["/"] * 5)]
    if server.mode == "process":
        server.let_reactor_hear_all()
    (tmp_path / "gate").touch()
    wait_until(lambda: len(server.events("/wait")) == begun + 2, "both have begun")
    worker = Process(server.worker_pids()[0])

    def sleeps():
        return all(worker.stat()[0] == b"S" for _ in range(200))

    wait_until(sleeps, "the worker sleeps")
    holder, cancelled, other, *waiting = crowd
    cancelled.close()
    assert [connection.read().status for connection in [holder, *waiting]] == [200] * 6
    wait_until(sleeps, "the worker sleeps again")
    for connection in [holder, other, *waiting]:
        connection.close()


def test_control_frames_are_answered_while_all_workers_are_full(server, process_mode_only, tmp_path):
    one, other = RawWebSocket(server, "/ws"), RawWebSocket(server, "/ws")
    crowd = [held(server, tmp_path / "gate"), *(ask(server, "/") for _ in range(4 * MOST_AHEAD))]
    server.let_reactor_hear_all()
    one.send(frame(PING, b"still there?") + frame(PONG, b"unasked"))
    assert one.read_frame() == (True, PONG, b"still there?")
    other.send(frame(CLOSE, b"\x03\xe8"))
    assert other.read_close()[0] == 1000
    one.send(frame(TEXT, b"after the others"))
    (tmp_path / "gate").touch()
    assert one.read_frame()[:2] == (True, TEXT)
    for connection in [*crowd, one, other]:
        connection.close()


@pytest.mark.both_modes
def test_a_message_does_not_wait_for_all_those_of_another(mode, tmp_path):
    with Server("full_worker.php", mode) as server:
        crowd = [RawWebSocket(server, "/ws", host=2) for _ in range(20)]
        stranger = RawWebSocket(server, "/ws", host=3)
        before = get(server, "/").json()
        for connection in crowd:
            connection.send(frame(TEXT, b"slow") * 100)
        # They are on, and cost what they cost.
        crowd[0].read_frame()
        stranger.send(frame(TEXT, b"quick"))
        assert int(stranger.read_frame()[2]) - before < 500
        assert ask(server, "/", STRANGER).read().json() - before < 1000
        for connection in crowd:
            answers = [int(connection.read_frame()[2]) for _ in range(99 if connection is crowd[0] else 100)]
            assert answers == sorted(answers)
            connection.close()
        stranger.close()


@pytest.mark.both_modes
def test_who_asks_once_does_not_wait_for_all_slow_ones_of_another(mode, tmp_path):
    with Server("full_worker.php", mode) as server:
        gate = tmp_path / "gate"
        before = get(server, "/").json()
        crowd = [held(server, gate)]
        crowd += [ask(server, "/slow") for _ in range(8 * MOST_AHEAD)]
        stranger = ask(server, "/", STRANGER)
        if server.mode == "process":
            server.let_reactor_hear_all()
        gate.touch()
        # As many again, twice over, where a worker whose clock stands still for a while is taken for a quick one.
        assert stranger.read().json() - before < 4 * MOST_AHEAD
        assert sorted(connection.read().json() - before for connection in crowd)[-1] == 2 + 8 * MOST_AHEAD
        for connection in [*crowd, stranger]:
            connection.close()


def test_strangers_have_turns_beside_those_who_are_known(mode):
    with Server("full_worker.php", mode) as server:
        known = [f"127.0.1.{number}" for number in range(1, 13)]
        all_asked, stopped = threading.Barrier(len(known) + 1), threading.Event()

        def ask_on(source):
            with HttpConnection(server.address, source=source) as connection:
                connection.request("/slow")  # which makes it known
                all_asked.wait()
                while not stopped.is_set():
                    connection.request("/slow")

        with concurrent.futures.ThreadPoolExecutor(len(known)) as pool:
            crowd = [pool.submit(ask_on, source) for source in known]
            try:
                all_asked.wait()
                for number in range(1, 6):
                    with HttpConnection(server.address, source=f"127.0.2.{number}") as stranger:
                        assert stranger.request("/").status == 200
            finally:
                stopped.set()
            for one in crowd:
                one.result()
