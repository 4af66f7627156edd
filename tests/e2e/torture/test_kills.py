"""Workers die while clients do everything that a worker has a part in: nothing is lost in silence, done twice or left behind."""

import os
import random
import signal

import pytest

from busy_server import BusyServer, busy_server
from call_trace import TRACED, short_name, why_not_traced
from harness import wait_until
from kills import Kills, functions_that_store, names_of

TORTURE = "SLUICE_TORTURE" in os.environ
# After so many pieces of work of each client without a new place of a store, the test takes all places for found.
QUIET_ROUNDS = 200 if TORTURE else 15
PLACES_A_RELOAD = 50
RANDOM_KILLS = 1000 if TORTURE else 25
# What a worker stores to shared memory by.
BOTH = ("BodyRing::", "Doorbell::", "Outbox::", "PortBase::", "RingConsumer::", "RingProducer::", "TemporaryFiles::", "count_submitted")
STORES_OF = {
    "process": (*BOTH, "RingPort::"),
    "base": (*BOTH, "AddressTable::", "Attachments::", "CommandInlet::", "ConnectionCells::", "InlinePort::", "Reactor::", "UdpListeners::"),
}
# The other end's, those of a worker that ends or stalls, and those for datagrams that find no room.
NOT_VISITED = {
    "process": {"BodyRing::sleep_until_half_free", "BodyRing::wrote", "PortBase::count_stall", "RingConsumer::commit_for_producer",
                "RingProducer::await_taken", "TemporaryFiles::~TemporaryFiles"},
    "base": {"PortBase::count_stall", "RingConsumer::commit_for_producer", "RingConsumer::owes_ring", "RingConsumer::publish_taken",
             "RingProducer::await_taken", "TemporaryFiles::~TemporaryFiles", "UdpListeners::drop", "UdpListeners::publish"},
}


@pytest.mark.skipif(bool(why_not_traced()), reason=str(why_not_traced()))
def test_a_kill_before_each_store_to_shared_memory(mode, tmp_path):
    kills = Kills(tmp_path / "kills")
    with busy_server(mode, tmp_path, php=TRACED / "php", env={"SLUICE_KILLS": str(kills.path)}) as server:
        busy = BusyServer(server)
        seen, since = 0, busy.rounds()
        kills.enable()

        def no_place_is_new():
            nonlocal seen, since
            if kills.count() != seen:
                # Workers begin and end by reloads, too.
                if kills.count() // PLACES_A_RELOAD != seen // PLACES_A_RELOAD:
                    server.signal(signal.SIGHUP)
                seen, since = kills.count(), busy.rounds()
            return busy.has_done(QUIET_ROUNDS, since)

        wait_until(no_place_is_new, "workers have been killed in all places", 900)
        kills.enable(False)
        busy.finish()
        print(f"workers were killed in {kills.count()} places")
    visited = {short_name(name) for name in names_of(TRACED / "sluice.so", {place for way in kills.places() for place in way}).values()}
    missed = {name for name in functions_that_store(TRACED / "sluice.so") if name.startswith(STORES_OF[mode])} - visited - NOT_VISITED[mode]
    assert not missed, missed


def test_random_kills(mode, tmp_path):
    with busy_server(mode, tmp_path) as server:
        busy = BusyServer(server)
        for _ in range(RANDOM_KILLS):
            since, pieces, starts = busy.rounds(), random.randrange(3), len(server.events("start"))
            wait_until(lambda: busy.has_done(pieces, since), "the clients go on")
            os.kill(random.choice(wait_until(server.worker_pids, "a worker lives")), signal.SIGKILL)
            wait_until(lambda: len(server.events("start")) > starts, "another worker has begun")
        busy.finish()
        assert busy.lost() > 0, "no worker died at work"
