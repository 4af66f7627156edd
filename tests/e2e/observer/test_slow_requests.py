"""Which requests were slow or have failed, each with its timeline: what operators ask first."""

import os
import signal
import time

import pytest

from admin import TOKEN, admin, observer_of, wait_until_ready
from harness import Server, wait_until
from http_client import HttpConnection, get

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"


@pytest.fixture
def observed(mode):
    with Server("slow_requests.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        yield server


def slow(server, kind="slow", query="", **wanted):
    """The first noted request with these values."""
    def find():
        requests = admin(server, f"/debug/slow{query}").json()[kind]
        return next((request for request in requests if wanted.items() <= request.items()), None)
    return wait_until(find, f"a {kind} request with {wanted} is noted")


def test_a_slow_request_has_its_timeline(observed):
    began = time.time()
    get(observed, "/sleep/30?secret=1", headers={"traceparent": PARENT})
    request = slow(observed, path="/sleep/30")
    assert {name: request[name] for name in ("method", "route", "status", "bytes", "traceId", "parentSpanId", "sampled", "cancelled")} == {
        "method": "GET", "route": "/sleep/{ms}", "status": 200, "bytes": 9, "traceId": TRACE, "parentSpanId": SPAN, "sampled": True,
        "cancelled": False}
    assert request["worker"] in (0, 1) and began - 1 < request["began"] < time.time()
    assert request["ran"] >= request["suspended"] >= 0.03 > request["firstByte"] - request["queued"]
    wait, = request["waits"]
    assert wait["kind"] == "sleep" and 0.03 <= wait["seconds"] <= request["ran"] and wait["at"] + wait["seconds"] <= request["ran"]


def test_waits_say_for_what(observed):
    get(observed, "/upstream")
    request = slow(observed, path="/upstream")
    port = observed.ports[0]
    assert any(wait["kind"] == "http" and wait.get("target") == f"127.0.0.1:{port}" for wait in request["waits"]), request["waits"]
    upstream = slow(observed, path="/sleep/20")
    assert upstream["traceId"] == request["traceId"] and upstream["parentSpanId"] == request["spanId"]


def test_waits_of_spawned_coroutines_are_the_requests(observed):
    get(observed, "/tasks")
    waits = slow(observed, path="/tasks")["waits"]
    assert [wait["kind"] for wait in waits].count("sleep") == 2


def test_what_computes_was_not_suspended(observed):
    get(observed, "/compute")
    request = slow(observed, path="/compute")
    assert request["ran"] >= 0.02 and request["suspended"] < request["ran"] / 2 and request["waits"] == []


def test_failed_requests_are_kept_apart(observed):
    for path, status in (("/fail", 500), ("/refuse", 503)):
        assert get(observed, path).status == status
        assert slow(observed, "failed", path=path)["status"] == status
    assert get(observed, "/sleep/5").status == 200
    assert all(request["status"] >= 500 for request in admin(observed, "/debug/slow").json()["failed"])


def test_one_request_by_its_ids(observed):
    with HttpConnection(observed.address) as connection:
        for ms in (5, 6, 7):
            connection.request(f"/sleep/{ms}")
    request = slow(observed, path="/sleep/6")
    for id in (request["traceId"], request["spanId"]):
        found = admin(observed, f"/debug/slow?id={id}").json()
        assert [one["path"] for one in found["slow"]] == ["/sleep/6"] and found["failed"] == []
    assert admin(observed, "/debug/slow?id=" + "0" * 32).json() == {"slow": [], "failed": []}


def test_the_list_is_bounded_sorted_and_outlives_workers_and_the_observer(observed):
    with HttpConnection(observed.address) as connection:
        for ms in range(2, 40):
            connection.request(f"/sleep/{ms}")
    slow(observed, path="/sleep/39")
    old = observer_of(observed)
    old.kill()
    wait_until(lambda: observer_of(observed) not in (None, old), "there is another observer")
    for worker in observed.worker_pids():
        os.kill(worker, signal.SIGKILL)
    observed.may_fail = True
    wait_until_ready(observed)
    found = admin(observed, "/debug/slow").json()["slow"]
    assert 16 <= len(found) <= 32
    totals = [request["queued"] + request["ran"] for request in found]
    # Which is the slowest, a busy machine decides.
    assert totals == sorted(totals, reverse=True) and "/sleep/39" in [request["path"] for request in found]


def test_only_with_the_token(observed):
    assert admin(observed, "/debug/slow", token=None).status == 401
