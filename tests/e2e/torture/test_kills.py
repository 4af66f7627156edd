"""Workers, services and processes for one request die while clients do everything that these have a part in: nothing is lost in silence, done
twice or left behind."""

import contextlib
import os
import random
import signal

import pytest

from busy_server import BusyServer, busy_server
from call_trace import TRACED, why_not_traced
from harness import wait_until
from kills import KINDS, Kills, atomic_stores

pytestmark = pytest.mark.slow

TORTURE = "SLUICE_TORTURE" in os.environ
# After so many pieces of work of each client without a new place of a store, the test takes all places for found.
QUIET_ROUNDS = 200 if TORTURE else 15
PLACES_A_RELOAD = 50
# Of a worker, which ends after so many.
REQUESTS = 300
RANDOM_KILLS = 1000 if TORTURE else 25
# The functions in which no worker stores atomically to shared memory. Other processes do, or they do so to memory of one process.
# Nor are there scripts with processes of their own here.
OTHERS = ("CanaryCells::", "Script", "Ticks::", "Master::", "OutMemory::", "ProfileDesk::ask", "ReactorProcess::", "RefCounted::", "RingConsumer::commit_for_producer",
          "RingProducer::await_taken", "SharedLayout::carry_over", "SharedLayout::reset_", "StallWatch::", "TaskQueue::", "TraceExporter::", "ask",
          "handle_signals", "on_interrupt")
# This load has its workers log nothing.
OF_LOGS = ("log::",)
# In process mode a reactor's; there a worker's ~TemporaryFiles() stores nothing.
REACTORS = ("AddressTable::", "Attachments::", "BodyRing::sleep_until_half_free", "BodyRing::wrote", "CommandInlet::", "ConnectionCells::",
            "InlinePort::", "Reactor::", "RequestCells::observe", "TemporaryFiles::~TemporaryFiles", "UdpListeners::")
# In base mode there is none to take messages from.
OF_RINGS = ("RingConsumer::must_ring", "RingConsumer::publish_taken", "RingPort::", "set_record_bytes")
# Metrics of the application, whose processes are killed at random in tests/unit/shared/metric_registry_test.cc, and its checks: this load has neither.
OF_METRICS = ("MetricRegistry::", "ReadinessCells::", "std::__atomic_impl::__fetch_add_flt")
# Profiles and notes of requests, which are asked for or kept with an admin listener alone: this load has none.
OF_OBSERVERS = ("ProfileDesk::give_answer", "Profiler::", "RequestCell::", "RequestRecorder::")
NOT_A_WORKERS = {"process": OTHERS + OF_LOGS + OF_METRICS + OF_OBSERVERS + REACTORS, "base": OTHERS + OF_LOGS + OF_METRICS + OF_OBSERVERS + OF_RINGS}
OF_OTHER_KINDS = {
    "service": ("Doorbell::", "Generation::become_worker", "Outbox::", "PortBase::set_coroutines", "RingConsumer::free_until", "RingProducer::comm",
                "put_in_order", "zim_Sluice_Shared_Counter_add"),
    "request process": ("put_in_order", "zim_Sluice_Shared_Counter_"),
}
# Single stores, by their number in their function, that are not always reached.
BY_CHANCE = {
    "BodyRing::sleep_until_filled 2": "the other end has just written",
    "BodyRing::sleep_until_half_free 2": "the other end has just taken",
}


def is_reached(kind, mode, store):
    """Whether the load has a use for it."""
    if kind == "worker":
        return store not in BY_CHANCE and not store.startswith(NOT_A_WORKERS[mode])
    return store.startswith(OF_OTHER_KINDS[kind])


@pytest.mark.skipif(bool(why_not_traced()), reason=str(why_not_traced()))
def test_a_kill_before_each_store_to_shared_memory(mode, tmp_path):
    kills = Kills(tmp_path / "kills")
    with busy_server(mode, tmp_path, php=TRACED / "php", env={"SLUICE_KILLS": str(kills.path), "RECYCLE": str(REQUESTS)}) as server:
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

        wait_until(no_place_is_new, "processes have been killed in all places", 900)
        kills.enable(False)
        busy.finish()
        # Those that are left are killed as they end.
        kills.enable()
    atomic = atomic_stores(TRACED / "sluice.so")
    for kind in KINDS:
        ways = [way for other, way in kills.places() if other == kind]
        visited = {atomic[address] for way in ways for address in way if address in atomic}
        print(f"each {kind}: killed in {len(ways)} places, before {len({way[0] for way in ways})} stores; {len(visited)} atomic ones")
        missed = {store for store in atomic.values() if is_reached(kind, mode, store)} - visited
        assert not missed, f"no {kind} was killed before the atomic stores {sorted(missed)}"


def victims(server, kind):
    return [process for process in server.processes() if process.title().startswith(f"sluice: {kind}")]


def test_random_kills(mode, tmp_path):
    with busy_server(mode, tmp_path) as server:
        busy = BusyServer(server)
        for _ in range(RANDOM_KILLS):
            since, pieces, starts = busy.rounds(), random.randrange(3), len(server.events("start"))
            wait_until(lambda: busy.has_done(pieces, since), "the clients go on")
            kind = random.choice(KINDS)
            with contextlib.suppress(ProcessLookupError):  # a process for one request ends by itself
                random.choice(wait_until(lambda: victims(server, kind), f"a {kind} lives")).kill()
            if kind == "worker":
                wait_until(lambda: len(server.events("start")) > starts, "another worker has begun")
        busy.finish()
        assert busy.lost() > 0, "no worker died at work"
