"""Exemplars: the requests by which whoever looks at a bucket finds one that has counted there."""

import json
import time

import pytest

from admin import TOKEN, admin, wait_until_ready
from collector import Collector
from harness import Server, wait_until
from http_client import get
from metrics_text import Metrics

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
OPENMETRICS = "application/openmetrics-text;version=1.0.0"


def exemplars(server, name="sluice_http_handler_seconds_bucket", **labels):
    """Of the buckets with these labels, by their bounds."""
    metrics = Metrics(admin(server, "/metrics", Accept=OPENMETRICS).text, openmetrics=True)
    return {dict(its)["le"]: told for (one, its), told in metrics.exemplars.items() if one == name and labels.items() <= dict(its).items()}


def parent(trace, flags="01"):
    return {"traceparent": f"00-{trace}-{SPAN}-{flags}"}


@pytest.fixture
def server(mode):
    with Server("observed.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as running:
        wait_until_ready(running)
        yield running


def test_a_slow_request_is_found_by_the_bucket_it_has_counted_in(server):
    assert exemplars(server, route="/slow") == {}
    before = time.time()
    assert get(server, "/slow", headers=parent(TRACE)).text == "slow"
    wait_until(lambda: exemplars(server, route="/slow"), "the request is noted")
    [(bound, (labels, value, at))] = exemplars(server, route="/slow").items()
    assert labels["trace_id"] == TRACE and len(labels["span_id"]) == 16 and labels["span_id"] != SPAN
    assert float(bound) >= 0.06 and value >= 0.06
    assert before <= at <= time.time() + 1
    [noted] = json.loads(admin(server, f"/debug/slow?id={labels['span_id']}").text)["slow"]
    assert noted["ran"] == value and noted["route"] == "/slow"
    [(_, (waited, _, _))] = exemplars(server, "sluice_http_wait_seconds_bucket", route="/slow").items()
    assert waited == labels
    assert " # {" not in admin(server, "/metrics").text


def test_a_failed_request_is_one(server):
    get(server, "/fail", headers=parent(TRACE))
    wait_until(lambda: [labels["trace_id"] for labels, _, _ in exemplars(server, route="/fail").values()] == [TRACE], "the request is noted")


def test_one_that_a_collector_knows_comes_first(mode):
    traces = ["a" * 32, "b" * 32, "c" * 32]
    with Collector() as collector:
        env = {"TOKEN": TOKEN, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
               "OTEL_TRACES_SAMPLER_ARG": "0", "ADMIN": "1"}
        with Server("tracing.php", mode, workers=1, ports=2, env=env) as server:
            wait_until_ready(server)

            def seen():
                return {labels["trace_id"] for labels, _, _ in exemplars(server, route="/items/{id}").values()}

            for trace, flags in zip(traces, ("01", "01", "00")):
                get(server, "/items/7", headers=parent(trace, flags))
                wait_until(lambda trace=trace: trace in noted(server), "the request is noted")
            # In its bucket it is the latest of the sampled; the last one is in the same, unless that has taken longer.
            assert traces[1] in seen()


def noted(server):
    return {one["traceId"] for one in json.loads(admin(server, "/debug/slow").text)["slow"]}
