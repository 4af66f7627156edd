"""An application's own metrics: declared in PHP, exact over workers, their deaths and reloads, and shown at /metrics as the formats demand."""

import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from admin import TOKEN, admin, kill_observer, wait_until_ready
from harness import Process, Server, wait_until
from http_client import ClosedEarly, get
from metrics_text import Metrics

OPENMETRICS = "application/openmetrics-text;version=1.0.0"


@pytest.fixture
def labels(tmp_path):
    file = tmp_path / "labels"
    file.write_text(json.dumps(["a"]))
    return file


@pytest.fixture
def server(mode, labels):
    with Server("application_metrics.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN, "LABELS": str(labels)}) as running:
        wait_until_ready(running)
        yield running


def scrape(server):
    return Metrics(admin(server, "/metrics").text)


def reload(server):
    """Returns when the new generation serves, and nobody of the old one is left."""
    old = server.worker_pids()
    reloads = scrape(server).value("sluice_reloads_total", result="success")
    server.signal(signal.SIGHUP)
    wait_until(lambda: scrape(server).value("sluice_reloads_total", result="success") == reloads + 1, "the reload is over")
    wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")


def test_all_workers_count_in_one_metric(server):
    with ThreadPoolExecutor(8) as clients:
        pids = list(clients.map(lambda number: get(server, f"/order?country={'FR' if number % 4 else 'DE'}").json(), range(100)))
    assert len(set(pids)) == 2
    metrics = scrape(server)
    assert metrics.value("shop_orders_total", country="DE", kind="book") == 25
    assert metrics.value("shop_orders_total", country="FR", kind="book") == 75
    assert metrics.value("shop_plain_total") == 100
    assert metrics.value("shop_starts_total") == 2


def test_a_gauge_and_a_histogram_are_one_for_all_workers(server):
    for path in ("set&by=7.5", "inc", "inc", "dec"):
        get(server, f"/gauge?do={path}")
    for seconds in (0.5, 0.6, 9):
        get(server, f"/observe?table=users&seconds={seconds}")
    metrics = scrape(server)
    assert metrics.value("shop_open_carts") == 8.5
    assert [metrics.value("shop_query_seconds_bucket", table="users", le=bound) for bound in ("0.5", "1", "2.5", "+Inf")] == [1, 2, 2, 3]
    assert metrics.value("shop_query_seconds_sum", table="users") == pytest.approx(10.1)


def test_what_is_declared_is_shown_before_anything_is_counted(server):
    metrics = scrape(server)
    assert metrics.types["shop_orders_total"] == metrics.types["shop_plain_total"] == "counter"
    assert metrics.types["shop_open_carts"] == "gauge"
    assert metrics.types["shop_query_seconds"] == "histogram"
    assert metrics.value("shop_orders_total", country="DE", kind="book") == 0
    assert metrics.value("shop_plain_total") == metrics.value("shop_open_carts") == 0
    assert metrics.value("sluice_application_metric_overflows_total") == 0


def test_texts_are_escaped_in_both_formats(server):
    get(server, "/order?country=%22%5C%0A%C3%A9&kind=")
    for accept in ("text/plain", OPENMETRICS):
        text = admin(server, "/metrics", Accept=accept).text
        metrics = Metrics(text, openmetrics=accept == OPENMETRICS)
        assert metrics.value("shop_orders_total", country='"\\\né', kind="") == 1
        assert "# HELP shop_orders" in text and "Orders.\\nWith a \\\\ and" in text


def test_pools_of_tasks_are_told_by_name(server):
    assert all(scrape(server).value("sluice_task_pool_tasks_total", pool="mail", result=result) == 0 for result in ("done", "failed", "cancelled", "lost", "refused"))
    assert [get(server, f"/task?name={name}").json() for name in ("double", "double", "fail")] == [42, 42, "failed"]
    metrics = scrape(server)
    assert metrics.value("sluice_task_pool_tasks_total", pool="mail", result="done") == 2
    assert metrics.value("sluice_task_pool_tasks_total", pool="mail", result="failed") == 1
    wait_until(lambda: scrape(server).value("sluice_task_pool_processes", pool="mail") == 1, "the pool has told of its process")
    assert metrics.value("sluice_task_pool_tasks_waiting", pool="mail") == 0


@pytest.mark.parametrize("enabled", [0, 1])
def test_the_opcode_cache_is_told(mode, labels, enabled):
    with Server("application_metrics.php", mode, workers=1, ports=2, env={"TOKEN": TOKEN, "LABELS": str(labels)},
                settings=(f"opcache.enable_cli={enabled}",)) as running:
        wait_until_ready(running)
        metrics = scrape(running)
        assert metrics.value("sluice_opcache_enabled") == enabled
        assert (metrics.value("sluice_opcache_scripts") >= 1) == (enabled == 1)
        assert (metrics.value("sluice_opcache_memory_bytes", state="used") > 0) == (enabled == 1)


def test_collections_of_garbage_are_counted(server):
    before = scrape(server)
    assert get(server, "/garbage").json() >= 100
    after = scrape(server)
    assert after.value("sluice_garbage_collections_total") > before.value("sluice_garbage_collections_total")
    assert after.value("sluice_garbage_collected_total") >= before.value("sluice_garbage_collected_total") + 100
    assert after.value("sluice_garbage_collection_seconds_total") > before.value("sluice_garbage_collection_seconds_total")


def test_sets_of_labels_are_bounded(server):
    for number in range(25):
        get(server, f"/few?id={number}")
    metrics = scrape(server)
    assert metrics.value("shop_few_total", id="_other") == 15
    assert metrics.value("shop_few_total") == 25
    assert metrics.value("sluice_application_metric_overflows_total") == 15
    assert server.output().count("the metric shop_few has no room for another set of label values (at most 10,") == 1


def test_a_reload_keeps_counts_and_may_change_labels(server, labels):
    get(server, "/order")
    get(server, "/changed")
    assert scrape(server).value("shop_changed_total", a="x") == 1
    reload(server)
    get(server, "/order")
    get(server, "/changed")
    metrics = scrape(server)
    assert metrics.value("shop_plain_total") == 2
    assert metrics.value("shop_changed_total", a="x") == 2
    assert metrics.value("shop_starts_total") == 4
    labels.write_text(json.dumps(["a", "b"]))
    reload(server)
    get(server, "/changed")
    metrics = scrape(server)
    assert metrics.value("shop_plain_total") == 2
    assert metrics.value("shop_changed_total") == metrics.value("shop_changed_total", a="x", b="x") == 1


def test_a_reload_that_fails_changes_no_metric(server, labels):
    get(server, "/changed")
    labels.write_text(json.dumps(["not a name"]))
    server.signal(signal.SIGHUP)
    wait_until(lambda: scrape(server).value("sluice_reloads_total", result="failure") == 1, "the reload has failed")
    assert "must be names of 1 to 128 letters, digits and underscores" in server.output()
    get(server, "/changed")
    assert scrape(server).value("shop_changed_total", a="x") == 2


@pytest.mark.both_modes
def test_counts_are_exact_over_kills_and_reloads(mode, tmp_path):
    """In base mode a worker that is killed takes its clients with it: it may have counted what they have not read."""
    labels = tmp_path / "labels"
    labels.write_text(json.dumps(["a"]))
    with Server("application_metrics.php", mode, workers=3, ports=2, env={"TOKEN": TOKEN, "LABELS": str(labels)}) as server:
        wait_until_ready(server)
        done, broken, lock, stop = 0, 0, threading.Lock(), threading.Event()

        def ask_all_the_time():
            nonlocal done, broken
            while not stop.is_set():
                try:
                    status = get(server, "/order").status
                except (ClosedEarly, OSError):
                    status = None
                with lock:
                    done += status == 200
                    broken += status != 200

        clients = [threading.Thread(target=ask_all_the_time) for _ in range(4)]
        for client in clients:
            client.start()
        try:
            for round_ in range(3):
                started = len(server.events("start"))
                os.kill(server.worker_pids()[-1], signal.SIGKILL)
                wait_until(lambda: len(server.events("start")) > started, "another worker has started")
                kill_observer(server)
                if round_ % 2:
                    server.signal(signal.SIGHUP)
                    wait_until(lambda: scrape(server).value("sluice_reloads_total", result="success") == 1, "the reload is over")
                before = done
                wait_until(lambda: done > before + 50, "clients were served")
        finally:
            stop.set()
            for client in clients:
                client.join()
        metrics = scrape(server)
        for name in ("shop_plain_total", "shop_orders_total"):
            assert done <= metrics.value(name) <= done + broken
        wait_until(lambda: scrape(server).value("shop_starts_total") == len(server.events("start")), "each start was counted")
