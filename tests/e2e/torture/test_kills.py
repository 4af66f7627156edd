"""Workers die while clients do everything that a worker has a part in: nothing is lost in silence, done twice or left behind."""

import os
import random
import signal

import pytest

from busy_clients import BusyServer
from call_trace import TRACED, short_name, why_not_traced
from harness import Server, wait_until
from kills import Kills, names_of

TORTURE = "SLUICE_TORTURE" in os.environ
# After so many pieces of work of each client without a new place of a store, the test takes all places for found.
QUIET_ROUNDS = 200 if TORTURE else 25
RANDOM_KILLS = 1000 if TORTURE else 25


@pytest.fixture
def begun_file(tmp_path):
    file = tmp_path / "begun"
    file.touch()
    return file


@pytest.mark.skipif(bool(why_not_traced()), reason=str(why_not_traced()))
def test_a_kill_before_each_store_to_shared_memory(mode, tmp_path, begun_file):
    kills = Kills(tmp_path / "kills")
    env = {"SLUICE_KILLS": str(kills.path), "BEGUN": str(begun_file)}
    with Server("busy.php", mode, workers=2, ports=2, php=TRACED / "php", env=env) as server:
        busy = BusyServer(server, begun_file, connection_may_end=mode == "base")
        seen, since = 0, busy.rounds()
        kills.enable()

        def no_place_is_new():
            nonlocal seen, since
            if kills.count() != seen:
                seen, since = kills.count(), busy.rounds()
            return busy.has_done(QUIET_ROUNDS, since)

        wait_until(no_place_is_new, "workers have been killed in all places", 900)
        kills.enable(False)
        busy.finish()
        print(f"workers were killed in {kills.count()} places")
    # The test does not list the places of stores, but relies on these functions being among them.
    visited = {short_name(name) for name in names_of(TRACED / "sluice.so", {place for way in kills.places() for place in way}).values()}
    required = {
        "process": {"RingPort::take", "RingPort::give_space_back", "RingPort::submit", "RingPort::begins", "RingPort::set_aside",
                    "RingPort::ask_all", "Outbox::push", "Outbox::commit", "MessageStrings::settle"},
        "base": {"InlinePort::submit_here", "InlinePort::submit_to_peer", "ConnectionCells::begin", "WebSocketSession::begin"},
    }[mode]
    assert required <= visited, "\n".join(sorted(visited))


def test_random_kills(mode, begun_file):
    with Server("busy.php", mode, workers=2, ports=2, env={"BEGUN": str(begun_file)}) as server:
        busy = BusyServer(server, begun_file, connection_may_end=mode == "base")
        for count in range(1, RANDOM_KILLS + 1):
            since, pieces = busy.rounds(), random.randrange(3)
            wait_until(lambda: busy.has_done(pieces, since), "the clients go on")
            os.kill(random.choice(wait_until(server.worker_pids, "a worker lives")), signal.SIGKILL)
            wait_until(lambda: len(server.events("start")) >= 2 + count, "another worker has begun")
        busy.finish()
        assert busy.lost() > 0, "no worker died at work"
