"""Crowds of greedy clients beside one that behaves: all of its requests succeed, and memory stays bounded. The long form
(make torture) measures, too, and writes the table of docs/reliability.md when SLUICE_WRITE_RELIABILITY is set."""

import contextlib
import json
import os
import re
import statistics
import time
from pathlib import Path

import pytest

from greedy_clients import KINDS, MIB, Crowd
from harness import MODES, ROOT, Server, wait_until
from limit_drivers import Client, stats

pytestmark = pytest.mark.slow

TORTURE = "SLUICE_TORTURE" in os.environ
COUNTS = [10, 100, 1000, 10_000] if TORTURE else [100]
REQUESTS = 400 if TORTURE else 40
# The p99 of so many runs: one alone tells of a machine's hiccup as often as of the crowd.
RUNS = 5 if TORTURE else 1
# These limits bound what any crowd may cost.
LIMITS = {"arenaBytes": 64 * MIB, "queuedTotalBytes": 64 * MIB, "outBytes": 16 * MIB, "messageBytes": 4 * MIB, "bodyBytes": 4 * MIB}
MOST_MEMORY_MIB = 300
PAGE = ROOT / "docs/reliability.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def memory_mib(server):
    """The memory of all the server's processes; what they share counts once."""
    sizes = []
    for process in server.processes():
        try:
            sizes.append(int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{process.pid}/smaps_rollup").read_text(), re.MULTILINE)[1]))
        except (OSError, TypeError):
            pass  # the process has just ended
    return sum(sizes) / 1024


@contextlib.contextmanager
def first_to_run():
    """While it measures, this process gets a CPU as soon as it wants one, where that is allowed: its own turn on one is not the server's doing."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


class Victim:
    """A client that behaves: it asks, sends bodies, reads long answers, comes again with a new connection, and measures how long each answer takes."""

    def __init__(self, server):
        self.server, self.p99s_ms, self.memory = server, [], 0.0

    def work(self, requests, runs=1):
        for _ in range(runs):
            with first_to_run() if TORTURE else contextlib.nullcontext():
                waits = self.run(requests)
            self.p99s_ms.append(sorted(waits)[len(waits) * 99 // 100] * 1000)
        return self

    def run(self, requests):
        waits = []
        client = None
        for number in range(requests):
            begun = time.perf_counter()
            if client is None:
                client = Client(self.server, host=2)
            if number % 10 == 5:
                assert client.request("/bytes", "POST", body=b"x" * 100_000).json() == 100_000
            elif number % 10 == 7:
                assert len(client.request(f"/big?bytes={MIB}").body) == MIB
            else:
                response = client.request("/")
                assert (response.status, response.body) == (200, b"OK")
            waits.append(time.perf_counter() - begun)
            if number % 20 == 19:
                client.close()
                client = None
            if number % (requests // 4) == 0:
                self.memory = max(self.memory, memory_mib(self.server))
        if client:
            client.close()
        return waits

    def p99_ms(self):
        return statistics.median(self.p99s_ms)


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.mark.parametrize("kind", KINDS)
def test_a_crowd(mode, kind, request):
    with Server("limits.php", mode, workers=2, ports=4, env={"LIMITS": json.dumps(LIMITS)}) as server:
        Victim(server).work(40)
        idle = Victim(server).work(REQUESTS, RUNS)
        for count in COUNTS:
            with Crowd(server.address, kind, count) as crowd:
                victim = Victim(server).work(REQUESTS, RUNS)
            most_mib = MOST_MEMORY_MIB + min(count * KINDS[kind].own_mib, KINDS[kind].together_mib)
            assert victim.memory < most_mib, f"{count} of {kind} cost {victim.memory:.0f} MiB"
            if TORTURE:
                note(kind, mode, count, crowd.cost, victim, idle)
        wait_until(lambda: stats(server)["connections"] == 1, "all of them are gone", 60)


def note(kind, mode, count, cost, victim, idle):
    row = (f"| {kind} | {mode} | {count:,} | {cost['bytes_per_second'] / 1024:,.0f} KiB/s, {cost['cpu'] * 100:.0f} % | {victim.p99_ms():.1f} ms, {victim.p99_ms() / idle.p99_ms():.1f} "
           f"| {victim.memory:.0f} MiB ({idle.memory:.0f}) |")
    print(row)
    if "SLUICE_WRITE_RELIABILITY" not in os.environ:
        return
    page = PAGE.read_text()
    begin, end = page.index(BEGIN), page.index(END)
    same = row[: row.index("|", row.index(f"| {count:,} |") + 2)]
    rows = [line for line in page[begin:end].splitlines() if line.startswith("| ") and " | process | " in line or " | base | " in line]
    rows = [line for line in rows if not line.startswith(same)] + [row]
    head = ["", "| attack | mode | clients | what it costs them | victim's p99, and in those of the idle server | server's memory (idle) |", "|---|---|---|---|---|---|"]
    PAGE.write_text(page[:begin] + BEGIN + "\n".join([*head, *rows, ""]) + page[end:])
