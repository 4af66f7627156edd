"""Spans of requests arrive at a collector of OpenTelemetry, and a collector that does not answer keeps nobody waiting."""

import signal

import pytest

from admin import TOKEN, admin
from collector import Collector
from harness import Server, free_ports, wait_until
from http_client import get
from metrics_text import Metrics

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"


def traced(mode, port, **env):
    return Server("tracing.php", mode, workers=1, ports=2 if "ADMIN" in env else 1, env={
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_SERVICE_NAME": "shop", "TOKEN": TOKEN} | env)


@pytest.fixture
def collector():
    with Collector() as collector:
        yield collector


def wait_spans(collector, count, **wanted):
    def find():
        spans = [span for span in collector.spans() if wanted.items() <= span.items()]
        return len(spans) >= count and spans
    return wait_until(find, f"{count} spans with {wanted} have arrived")


def test_the_spans_of_a_request(mode, collector):
    with traced(mode, collector.port) as server:
        get(server, "/items/7", headers={"traceparent": PARENT})
        wait_spans(collector, 1, name="sleep")
        spans = {span["name"]: span for span in collector.spans()}
        path, headers, _, _ = collector.requests[0]
    assert path == "/v1/traces" and headers["Content-Type"] == "application/x-protobuf" and headers["X-Api-Key"] == "secret"
    assert set(spans) == {"GET /items/{id}", "wait for a worker", "handler", "sleep"}
    request, queue, handler, sleep = (spans[name] for name in ("GET /items/{id}", "wait for a worker", "handler", "sleep"))
    assert {span["trace"] for span in spans.values()} == {TRACE} and {span["service"] for span in spans.values()} == {"shop"}
    assert len({span["span"] for span in spans.values()} | {SPAN}) == 5
    assert request["parent"] == SPAN and request["kind"] == 2 and not request["failed"]
    assert request["attributes"]["http.route"] == "/items/{id}" and request["attributes"]["http.response.status_code"] == 200
    assert request["attributes"]["url.path"] == "/items/7"
    assert queue["parent"] == handler["parent"] == request["span"] and sleep["parent"] == handler["span"]
    assert request["start"] == queue["start"] <= queue["end"] == handler["start"] <= sleep["start"]
    assert sleep["end"] - sleep["start"] >= 3_000_000 and sleep["end"] <= handler["end"] == request["end"]


def test_the_callers_decision_is_followed_and_else_the_ratio_decides(mode, collector):
    with traced(mode, collector.port, OTEL_TRACES_SAMPLER="parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG="0") as server:
        ids = get(server, "/").json()
        assert ids["sampled"] is False and ids["decided"] is True
        assert get(server, "/", headers={"traceparent": PARENT[:-1] + "0"}).json()["sampled"] is False
        assert get(server, "/", headers={"traceparent": PARENT}).json()["sampled"] is True
        wait_spans(collector, 1, kind=2)
        assert [span["trace"] for span in collector.spans() if span["kind"] == 2] == [TRACE]
    with traced(mode, collector.port) as server:
        ids = get(server, "/").json()
        assert ids["sampled"] is True
        assert wait_spans(collector, 1, trace=ids["trace"], kind=2)[0]["span"] == ids["span"]


@pytest.mark.parametrize("driver", ["pdo", "prepared", "mysqli"])
def test_a_query_is_a_span_below_the_handler(mode, collector, mariadb, driver):
    with traced(mode, collector.port, DB_PORT=str(mariadb.port)) as server:
        assert get(server, f"/query/{driver}", headers={"traceparent": PARENT}).json()[1] == "of the client"
        wait_spans(collector, 1, name="GET /query/{driver}")
        spans = collector.spans()
    handler, = (span for span in spans if span["name"] == "handler")
    query, = (span for span in spans if "SLEEP" in span["attributes"].get("db.query.text", ""))
    assert (query["trace"], query["parent"], query["name"], query["kind"]) == (TRACE, handler["span"], "SELECT", 3)
    assert query["attributes"] == {
        "db.system.name": "mysql", "db.query.text": "SELECT SLEEP(?), ? FROM information_schema.tables LIMIT ?", "server.address": "127.0.0.1",
        "server.port": mariadb.port, "sluice.wait.kind": "mysql"}
    assert handler["start"] <= query["start"] < query["end"] <= handler["end"]


def test_a_sampler_that_follows_no_caller(mode, collector):
    with traced(mode, collector.port, OTEL_TRACES_SAMPLER="always_off") as server:
        assert get(server, "/", headers={"traceparent": PARENT}).json()["sampled"] is False
    assert collector.requests == []
    with traced(mode, collector.port, OTEL_TRACES_SAMPLER="traceidratio") as server:
        assert get(server, "/", headers={"traceparent": PARENT[:-1] + "0"}).json()["sampled"] is True
        assert wait_spans(collector, 1, trace=TRACE, kind=2)[0]["parent"] == SPAN


def test_headers_and_attributes_of_the_environment(mode, collector):
    variables = {"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20x%3D,x-api-key=of-the-environment",
                 "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment.name=staging%2C2"}
    with traced(mode, collector.port, **variables) as server:
        get(server, "/")
        request, = wait_spans(collector, 1, name="GET")
        _, headers, _, _ = collector.requests[0]
    assert headers["Authorization"] == "Bearer x=" and headers["X-Api-Key"] == "secret" and "x-api-key" not in headers
    assert request["service"] == "shop" and request["resource"]["deployment.environment.name"] == "staging,2"


def test_a_failed_request_is_an_error(mode, collector):
    with traced(mode, collector.port) as server:
        get(server, "/fail")
        assert wait_spans(collector, 1, name="GET /fail")[0]["failed"] is True


def test_a_message_is_sent_again_when_the_collector_asks_for_it(mode):
    with Collector([503, 429]) as collector, traced(mode, collector.port) as server:
        get(server, "/items/7")
        assert len(wait_spans(collector, 1, name="handler")) == 1
        assert [status for _, _, _, status in collector.requests] == [503, 429, 200]


def test_what_no_collector_takes_is_dropped_and_counted(mode):
    with Collector([400]) as collector, traced(mode, collector.port, ADMIN="1") as server:
        get(server, "/")

        def dropped():
            figures = Metrics(admin(server, "/metrics").text)
            return figures.value("sluice_traces_dropped_total"), figures.value("sluice_traces_total")

        wait_until(lambda: dropped() == (1, 1), "what the collector has refused is counted")
        assert "takes no traces: it answers with 400" in server.output()


def test_a_collector_that_is_not_there_keeps_nobody_waiting(mode):
    port, = free_ports(1)
    with traced(mode, port, ADMIN="1") as server:
        for _ in range(200):
            assert get(server, "/").status == 200
        assert admin(server, "/livez").status == 200
        wait_until(lambda: "sluice_traces_dropped_total 0\n" not in admin(server, "/metrics").text, "traces are dropped and counted")


def test_the_last_spans_arrive_as_the_server_ends(mode, collector):
    with traced(mode, collector.port) as server:
        get(server, "/items/7")
        server.told_to_stop = True
        server.signal(signal.SIGTERM)
        server.wait()
    assert {span["name"] for span in collector.spans()} >= {"GET /items/{id}", "handler"}


def test_disabled_by_the_environment(mode, collector):
    with traced(mode, collector.port, OTEL_SDK_DISABLED="true") as server:
        assert get(server, "/").json()["sampled"] is False
        assert not [process for process in server.processes() if "observer" in process.title()]
    assert collector.requests == []
