"""Reloading: new code for new requests, while old ones and their connections go on."""

import re
import signal
import time

import pytest

from harness import DEADLINE_S, MODES, Process, wait_until
from http_client import HttpConnection, format_request, get
from lifecycle import Load, current, release, start
from websocket_client import CLOSE, TEXT, RawWebSocket, frame


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, None], ids=["SIGHUP", "SIGUSR1", "from-a-worker"])
def test_reload_runs_the_changed_script(script, mode, number):
    with start(script, mode) as server:
        before = current(server)
        assert (before["release"], before["generation"]) == ("one", 1)
        old = server.worker_pids()
        release(script, "two")
        if number is None:
            get(server, "/reload")
        else:
            server.signal(number)
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")
        wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")
        after = current(server)
        assert (after["release"], after["generation"]) == ("two", 2)


@pytest.mark.parametrize("mode", MODES)
def test_reload_under_load_fails_no_request(script, mode):
    with start(script, mode) as server, Load(server) as load:
        for name in ("two", "three"):
            release(script, name)
            server.signal(signal.SIGHUP)
            wait_until(lambda: name in load.releases or load.failures, f"release {name} is served")
            served = load.served
            wait_until(lambda: load.served > served + 100 or load.failures, "more is served")
        assert not load.failures, load.failures


def test_websockets_stay_connected_through_reloads_under_load(script):
    with start(script, "process") as server, Load(server, clients=2) as load:
        clients = [RawWebSocket(server) for _ in range(20)]
        for name in ("two", "three"):
            release(script, name)
            server.signal(signal.SIGHUP)
            answered = 0
            deadline = time.monotonic() + DEADLINE_S
            waiting = set(clients)
            while waiting:
                assert time.monotonic() < deadline, "some client never reaches the new code"
                for number, client in enumerate(clients):
                    client.send(frame(TEXT, f"{name} {number} {answered}".encode()))
                    _, opcode, payload = client.read_frame()
                    said, _, text = payload.decode().split(":", 2)
                    assert (opcode, text) == (TEXT, f"{name} {number} {answered}"), payload
                    if said == name:
                        waiting.discard(client)
                answered += 1
        assert not load.failures, load.failures
        assert not server.events("close")
        for client in clients:
            client.close()


def test_new_limits_hold_for_the_next_messages_of_open_websockets(script):
    with start(script, "process") as server:
        client = RawWebSocket(server)
        client.send(frame(TEXT, b"x" * 2000))
        assert client.read_frame()[1] == TEXT
        changed = script.read_text().replace("messageBytes: 8 << 20", "messageBytes: 1000")
        assert changed != script.read_text()
        script.write_text(changed)
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")
        client.send(frame(TEXT, b"x" * 1000))
        assert client.read_frame()[1] == TEXT
        client.send(frame(TEXT, b"x" * 1001))
        _, opcode, payload = client.read_frame()
        assert (opcode, payload[:2]) == (CLOSE, (1009).to_bytes(2, "big")), payload


def test_a_running_request_outlives_a_reload(script):
    with start(script, "process", workers=1) as server, HttpConnection(server.address) as slow:
        slow.send(format_request("/sleep?ms=700"))
        server.wait_event("sleeping")
        release(script, "two")
        server.signal(signal.SIGHUP)
        assert slow.read().text == "slept one"
        wait_until(lambda: current(server)["release"] == "two", "the new code is served")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text,error", [
    ("<?php this is not PHP", "Parse error"),
    ("<?php throw new RuntimeException('no database');", "no database"),
    ("<?php exit(4);", ""),
], ids=["parse-error", "exception", "exit"])
def test_a_reload_that_fails_leaves_the_old_code_serving(script, mode, text, error):
    with start(script, mode) as server:
        old, good = server.worker_pids(), script.read_text()
        before = len(server.output())
        script.write_text(text)
        server.signal(signal.SIGHUP)
        said = wait_until(
            lambda: error in (new := server.output()[before:]) and "reload" in new.lower() and new,
            "the failure is told")
        assert current(server)["release"] == "one"
        assert server.worker_pids() == old, said
        script.write_text(good)
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: current(server)["release"] == "two", "the mended code is served")


def test_an_old_generation_that_has_no_worker_left_does_not_hold_up_the_next_reload(script, mode):
    """Its only worker has been killed, and cannot be started again, at the moment of the change."""
    broken, hold = script.parent / "broken", script.parent / "hold"
    with start(script, mode, workers=1, env={"BROKEN": str(broken)}) as server:
        hold.touch()
        release(script, "two")
        begin = "$broken = getenv('BROKEN');"
        script.write_text(script.read_text().replace(begin, f"wait_for_end_of('{hold}'); $broken = false;"))
        server.signal(signal.SIGHUP)
        broken.write_text("throw")
        Process(server.worker_pids()[0]).kill()
        wait_until(lambda: re.search(r"trying again in ([4-9]\d\d|\d{4,}) ms", server.output()), "its start has failed some times")
        hold.unlink()
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")
        assert current(server)["release"] == "two"
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 3 has taken over" in server.output(), "the next reload is not held up")


@pytest.mark.parametrize("mode", MODES)
def test_a_worker_that_has_just_died_is_told_nothing_by_a_reload(script, mode):
    with start(script, mode) as server:
        generation = next(process for process in server.processes() if process.title().startswith("sluice: generation 1"))
        dead = Process(server.worker_pids()[0])
        # The master hears from the generation how its workers have ended.
        generation.kill(signal.SIGSTOP)
        dead.kill()
        wait_until(lambda: not dead.is_alive(), "the worker is dead")
        release(script, "two")
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code has taken over")
        generation.kill(signal.SIGCONT)
        wait_until(lambda: not generation.is_alive(), "the old generation has ended")
        assert "error:" not in server.output()
