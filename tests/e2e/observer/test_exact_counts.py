"""What a client has counted is what requests_total says, to the last request, whatever dies or is reloaded meanwhile; and no counter
goes backwards when the observer dies."""

import itertools
import os
import re
import signal
import threading
from collections import Counter

import pytest

from admin import TOKEN, admin, observer_of, wait_until_ready
from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection
from metrics_text import Metrics

REQUESTS, KILLS, RELOADS = (1_000_000, 50, 20) if "SLUICE_TORTURE" in os.environ else (100_000, 10, 5)
OBSERVER_KILLS = 100
HEAD = re.compile(rb"HTTP/1\.1 (\d)\d\d [^\r]*\r\n(?:[^\r]+\r\n)*?Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n", re.IGNORECASE)
MANY = (b"GET /items/7", b"POST /items/8", b"GET /missing", b"GET /", b"GET /items/9", b"DELETE /items/7", b"GET /", b"GET /items/7")


class CountingClient(threading.Thread):
    """Sends requests, all of `lines` at a time over one connection, and counts each answer, until it is told to stop. What has no answer
    when a connection ends is not counted, and not sent again."""

    def __init__(self, address, lines):
        super().__init__()
        self.address, self.together = address, len(lines)
        self.batch = b"".join(b"%b HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" % line for line in lines)
        self.seen, self.unanswered = Counter(), 0
        self.stop = threading.Event()
        self.error = None

    def run(self):
        try:
            while not self.stop.is_set():
                with HttpConnection(self.address) as connection:
                    while not self.stop.is_set() and self.exchange(connection):
                        pass
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.error = error

    def exchange(self, connection):
        """False when the connection has ended."""
        connection.send(self.batch)
        missing, at = self.together, 0
        while missing:
            head = HEAD.match(connection.buffer, at)
            if head and head.end() + int(head[2]) <= len(connection.buffer):
                self.seen[head[1].decode() + "xx"] += 1
                missing, at = missing - 1, head.end() + int(head[2])
                continue
            connection.buffer, at = connection.buffer[at:], 0
            if not connection.receive():
                assert not connection.buffer, f"half an answer: {connection.buffer!r}"
                self.unanswered += missing
                return False
        connection.buffer = connection.buffer[at:]
        return True


def scrape(server):
    return Metrics(admin(server, "/metrics").text)


def by_class(metrics):
    counted = Counter()
    for (name, labels), value in metrics.samples.items():
        if name == "sluice_http_requests_total" and value:
            counted[dict(labels)["status"]] += int(value)
    return counted


@pytest.mark.slow
@pytest.mark.torture
def test_what_clients_have_counted_is_what_the_metrics_say():
    """In process mode, where a worker takes no connection with it when it is killed."""
    with Server("observed.php", workers=3, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        # Some of the slow requests have a worker that is killed.
        clients = [CountingClient(server.address, MANY * 4) for _ in range(4)] + [CountingClient(server.address, [b"GET /slow"]) for _ in range(6)]

        def answered():
            for client in clients:
                if client.error:
                    raise client.error
            return sum(client.seen.total() for client in clients)

        for client in clients:
            client.start()
        try:
            events = sorted([(number / KILLS, "kill") for number in range(KILLS)] + [(number / RELOADS, "reload") for number in range(RELOADS)])
            for reloads, (share, event) in zip(itertools.accumulate(event == "reload" for _, event in events), events):
                wait_until(lambda share=share: answered() >= share * REQUESTS, "clients are served", 20 * DEADLINE_S)
                if event == "reload":
                    server.signal(signal.SIGHUP)
                    wait_until(lambda reloads=reloads: scrape(server).value("sluice_reloads_total", result="success") == reloads, "the reload is over")
                    continue
                started = len(server.events("start"))
                os.kill(server.worker_pids()[-1], signal.SIGKILL)  # of the generation that serves: another one takes its place
                wait_until(lambda started=started: len(server.events("start")) > started, "another worker has started")
            wait_until(lambda: answered() >= REQUESTS, "all requests are answered", 20 * DEADLINE_S)
        finally:
            for client in clients:
                client.stop.set()
            for client in clients:
                client.join()
        answered()
        seen = sum((client.seen for client in clients), Counter())
        metrics = scrape(server)
        print(f"{dict(seen)} answered, {sum(client.unanswered for client in clients)} not, {KILLS} kills, {RELOADS} reloads")
        assert by_class(metrics) == seen
        # One that is killed before it is ready has another cause.
        assert metrics.value("sluice_worker_ends_total", cause="killed") + metrics.value("sluice_worker_ends_total", cause="not_ready") == KILLS
        assert seen["2xx"] > 0 and seen["4xx"] > 0
        assert metrics.value("sluice_http_requests_cancelled_total") == 0


def counters(metrics):
    """All that only grows: counters, and what histograms count."""
    return {key: value for key, value in metrics.samples.items() if key[0].endswith(("_total", "_bucket", "_count", "_sum"))}


@pytest.mark.slow
def test_no_counter_goes_backwards_however_often_the_observer_dies():
    with Server("observed.php", workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        clients = [CountingClient(server.address, MANY), CountingClient(server.address, [b"GET /slow"])]
        for client in clients:
            client.start()
        try:
            before = {}
            for kills in range(1, OBSERVER_KILLS + 1):
                old = wait_until(lambda: observer_of(server), "an observer lives")
                old.kill()
                wait_until(lambda old=old: not old.is_alive(), "it is dead")
                # Whoever comes while there is none waits for the next one.
                after = scrape(server)
                now = counters(after)
                assert {key: (value, now.get(key)) for key, value in before.items() if now.get(key, -1) < value} == {}
                before = now
                wait_until(lambda kills=kills: scrape(server).value("sluice_observer_starts_total") == kills + 1, "the next one serves")
        finally:
            for client in clients:
                client.stop.set()
            for client in clients:
                client.join()
        assert [client.error for client in clients] == [None, None]
        assert by_class(scrape(server)) == sum((client.seen for client in clients), Counter())
