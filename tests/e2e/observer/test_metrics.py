"""/metrics: what is counted, exactly, and that it is written as the formats demand."""

import http.client
import os
import signal
import socket
import threading
from collections import Counter

import pytest

from admin import TOKEN, admin, kill_observer, wait_until_ready
from harness import Server, wait_until
from metrics_text import Metrics

OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"


@pytest.fixture
def observed(mode):
    with Server("observed.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        yield server


def scrape(server):
    answer = admin(server, "/metrics")
    assert answer.status == 200
    return Metrics(answer.text)


def send(server, path, method="GET", body=None):
    """Returns the status, or None when the connection broke."""
    connection = http.client.HTTPConnection("127.0.0.1", server.ports[0], timeout=15)
    try:
        connection.request(method, path, body=body)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except (ConnectionError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def test_every_family_is_there_from_the_start(observed):
    metrics = scrape(observed)
    # The application has none of what these tell by its name.
    of_names = {family for family in metrics.types if family.startswith("sluice_shared_")}
    assert of_names and all(any(key[0].startswith(family.removesuffix("_total")) for key in metrics.samples) for family in set(metrics.types) - of_names)
    for route in ("*", "/items/{id}", "/slow"):
        assert metrics.value("sluice_http_requests_total", route=route) == 0
        assert metrics.value("sluice_http_wait_seconds_count", route=route) == 0
    assert metrics.value("sluice_workers") == 2
    assert metrics.value("sluice_start_time_seconds") > 1_700_000_000
    assert metrics.value("sluice_limit_bytes", limit="arenaBytes") == 256 << 20
    assert metrics.value("sluice_limit_places", limit="coroutines") == 10_000
    assert metrics.value("sluice_garbage_collections_total") is not None


def test_requests_are_counted_by_route_method_and_class(observed):
    sent = [("/items/7", "GET", 200), ("/items/8", "GET", 200), ("/items/7", "POST", 201), ("/missing", "GET", 404), ("/fail", "GET", 500), ("/", "PURGE", 200),
            ("/items/9", "DELETE", 405)]
    for path, method, status in sent:
        assert send(observed, path, method) == status
    metrics = scrape(observed)

    def requests(**labels):
        return metrics.value("sluice_http_requests_total", **labels)

    assert requests(route="/items/{id}", method="GET", status="2xx") == 2
    assert requests(route="/items/{id}", method="POST", status="2xx") == 1
    assert requests(route="/missing", method="GET", status="4xx") == 1
    assert requests(route="/fail", method="GET", status="5xx") == 1
    assert requests(route="*", method="_OTHER", status="2xx") + requests(status="4xx", method="DELETE") == 2
    assert requests() == len(sent)
    # The route that has no place for DELETE has no handler that ran.
    assert metrics.value("sluice_http_handler_seconds_count") == len(sent) - 1
    assert metrics.value("sluice_http_wait_seconds_count") == len(sent) - 1
    assert "/items/7" not in admin(observed, "/metrics").text


def test_malformed_requests_are_counted(observed):
    with socket.create_connection(observed.address) as client:
        client.sendall(b"GET / HTTP/1.1\r\nno colon\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")
    assert scrape(observed).value("sluice_http_requests_total", method="_OTHER", status="4xx") == 1


def test_times_are_told_in_their_buckets(observed):
    assert send(observed, "/slow") == 200
    metrics = scrape(observed)
    for name in ("sluice_http_handler_seconds", "sluice_http_first_byte_seconds"):
        assert metrics.value(f"{name}_bucket", route="/slow", le="0.05") == 0
        assert metrics.value(f"{name}_bucket", route="/slow", le="+Inf") == 1
        assert metrics.value(f"{name}_sum", route="/slow") >= 0.06


def test_both_formats_are_valid(observed):
    send(observed, "/")
    plain, opened = admin(observed, "/metrics"), admin(observed, "/metrics", Accept=OPENMETRICS)
    assert plain.fields["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert opened.fields["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    assert Metrics(opened.text, openmetrics=True).samples.keys() == Metrics(plain.text).samples.keys()


def test_lines_that_come_again_and_again_are_counted(observed):
    def dropped():
        metrics = scrape(observed)
        return {f"{log} {reason}": metrics.value("sluice_log_lines_dropped_total", log=log, reason=reason)
                for log, reason in (("server", "repeated"), ("server", "not_taken"), ("access", "not_taken"))}

    assert dropped() == {"server repeated": 0, "server not_taken": 0, "access not_taken": 0}
    assert send(observed, "/log") == 200
    # A line with a count is none of them.
    written = sum("again and again" in line and "the line before came" not in line for line in observed.output().split("\n"))
    assert 0 < written < 500
    assert dropped() == {"server repeated": 500 - written, "server not_taken": 0, "access not_taken": 0}


def test_what_waits_for_a_worker_lies_in_its_ring():
    """In process mode; in base mode a reactor hands requests to its own worker without one."""
    with Server("observed.php", workers=1, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        wait_until(lambda: scrape(server).value("sluice_ring_bytes") == 0, "the worker has taken all")
        assert scrape(server).value("sluice_limit_bytes", limit="ringBytes") == 1 << 20
        assert scrape(server).value("sluice_client_share_bytes", limit="queuedTotalBytes") > 1 << 20
        with socket.create_connection(server.address) as spinning, socket.create_connection(server.address) as waiting:
            spinning.sendall(b"GET /spin HTTP/1.1\r\nHost: x\r\n\r\n")
            server.wait_event("spins")
            taken = scrape(server).value("sluice_ring_bytes", direction="to_worker")
            waiting.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            wait_until(lambda: scrape(server).value("sluice_ring_bytes", direction="to_worker") > taken, "the request lies in the ring")
            metrics = scrape(server)
            assert metrics.value("sluice_ring_fullest_bytes", direction="to_worker") == metrics.value("sluice_ring_bytes", direction="to_worker")
            os.kill(server.worker_pids()[0], signal.SIGKILL)
        wait_until(lambda: len(server.events("start")) == 2, "another worker has started")


@pytest.mark.both_modes
def test_the_count_is_exact_over_kills_and_reloads(mode):
    """In base mode a worker that is killed takes its clients with it: what it has answered, and they have not read, is all that may differ."""
    with Server("observed.php", mode, workers=3, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        seen, lock, stop = Counter(), threading.Lock(), threading.Event()

        def ask_all_the_time(number):
            while not stop.is_set():
                status = send(server, f"/items/{number}")
                with lock:
                    seen[status] += 1

        clients = [threading.Thread(target=ask_all_the_time, args=(number,)) for number in range(4)]
        for client in clients:
            client.start()
        try:
            for round_ in range(4):
                started = len(server.events("start"))
                victim = server.worker_pids()[-1]  # of the generation that serves: another one takes its place
                os.kill(victim, signal.SIGKILL)
                wait_until(lambda: len(server.events("start")) > started, "another worker has started")
                kill_observer(server)
                if round_ % 2:
                    server.signal(signal.SIGHUP)
                    wait_until(lambda: scrape(server).value("sluice_reloads_total", result="success") == round_ // 2 + 1, "the reload is over")
                before = sum(seen.values())
                wait_until(lambda: sum(seen.values()) > before + 50, "clients were served")
        finally:
            stop.set()
            for client in clients:
                client.join()
        metrics = scrape(server)
        counted = Counter()
        for (name, labels), value in metrics.samples.items():
            if name == "sluice_http_requests_total":
                counted[dict(labels)["status"]] += value
        by_class = Counter()
        for status, count in seen.items():
            by_class[f"{status // 100}xx" if status else "broken"] += count
        broken = by_class.pop("broken", 0)
        assert by_class["2xx"] > 200
        if mode == "process":
            assert broken == 0
        for one in ("2xx", "4xx", "5xx"):
            assert by_class[one] <= counted[one] <= by_class[one] + broken
        assert sum(counted.values()) <= sum(by_class.values()) + broken
        assert metrics.value("sluice_worker_ends_total", cause="killed") == 4
        assert metrics.value("sluice_observer_starts_total") == 5
