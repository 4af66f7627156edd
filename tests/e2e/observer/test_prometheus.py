"""Debian's Prometheus scrapes the admin listener and answers queries; its promtool finds nothing to object to in the whole page."""

import json
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

from admin import TOKEN, admin, wait_until_ready
from debian_applications import unpacked
from harness import Server, free_ports, wait_until
from http_client import get

CONFIG = """
scrape_configs:
  - job_name: sluice
    scrape_interval: 250ms
    scrape_timeout: 250ms
    authorization: {{credentials: {token}}}
    static_configs: [{{targets: ['127.0.0.1:{port}']}}]
"""


@pytest.fixture(scope="module")
def prometheus_root():
    return unpacked("prometheus")


@pytest.fixture
def promtool(prometheus_root):
    """In the package of prometheus, or, from Debian 13 on, in one of its own."""
    own = prometheus_root / "usr/bin/promtool"
    return own if own.exists() else unpacked("promtool") / "usr/bin/promtool"


@pytest.fixture
def server(mode, tmp_path):
    labels = tmp_path / "labels"
    labels.write_text(json.dumps(["a"]))
    with Server("application_metrics.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN, "LABELS": str(labels)}) as running:
        wait_until_ready(running)
        yield running


@pytest.fixture
def prometheus(prometheus_root, server, tmp_path):
    """Scrapes the server; a function that asks its API."""
    [port] = free_ports(1)
    config = tmp_path / "prometheus.yml"
    config.write_text(CONFIG.format(token=TOKEN, port=server.ports[1]))
    log = open(tmp_path / "prometheus.log", "w")
    process = subprocess.Popen([prometheus_root / "usr/bin/prometheus", f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'data'}",
                                f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn", "--enable-feature=exemplar-storage"], stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path)

    def ask(path, **parameters):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}", timeout=15) as answer:
            told = json.load(answer)
        assert told["status"] == "success", told
        return told["data"]

    def is_up():
        assert process.poll() is None, (tmp_path / "prometheus.log").read_text()
        try:
            return value(ask, "up") == 1
        except OSError:
            return False

    try:
        wait_until(is_up, "Prometheus has scraped the server")
        yield ask
    finally:
        process.terminate()
        process.wait(15)
        log.close()


def value(ask, query):
    """The only value of a query; None: it has none."""
    result = ask("query", query=query)["result"]
    assert len(result) <= 1, result
    return float(result[0]["value"][1]) if result else None


def test_it_scrapes_and_answers(server, prometheus):
    for number in range(20):
        get(server, f"/order?country={'DE' if number % 2 else 'FR'}")
        get(server, f"/observe?table=users&seconds={number / 4}")
    wait_until(lambda: value(prometheus, 'sum(sluice_http_requests_total{route="/order",status="2xx"})') == 20, "all requests are known")
    wait_until(lambda: value(prometheus, 'shop_orders_total{country="DE"}') == 10, "all orders are known")
    wait_until(lambda: value(prometheus, "shop_query_seconds_count") == 20, "all values are known")
    # Of 0, 0.25 … 4.75 half are up to 2.25, and three are up to 0.5.
    assert value(prometheus, "histogram_quantile(0.15, shop_query_seconds_bucket)") == pytest.approx(0.5)
    assert value(prometheus, "histogram_quantile(0.25, shop_query_seconds_bucket)") == pytest.approx(1)
    assert value(prometheus, "sluice_workers") == 2
    [target] = prometheus("targets")["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")
    metadata = prometheus("metadata")
    assert metadata["shop_open_carts"] == [{"type": "gauge", "help": "Open carts.", "unit": ""}]
    # It asks for OpenMetrics, whose families of counters are named without _total.
    assert metadata["shop_orders"] == [{"type": "counter", "help": "Orders.\nWith a \\ and \"quotes\".", "unit": ""}]
    assert metadata["sluice_received_bytes"][0]["unit"] == "bytes"


def test_it_keeps_exemplars(server, prometheus):
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    get(server, "/slow", headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})

    def told():
        return prometheus("query_exemplars", query='sluice_http_handler_seconds_bucket{route="/slow"}', start=time.time() - 3600, end=time.time() + 60)

    [series] = wait_until(told, "the exemplar is known")
    exemplar = series["exemplars"][0]
    assert exemplar["labels"]["trace_id"] == trace and float(exemplar["value"]) >= 0.02
    assert float(series["seriesLabels"]["le"]) >= float(exemplar["value"])


def test_promtool_finds_nothing_wrong(server, promtool):
    for path in ("/order", "/observe?table=users&seconds=1", "/few?id=1", "/changed", "/gauge?do=inc", "/missing"):
        get(server, path)
    page = admin(server, "/metrics").text
    said = subprocess.run([promtool, "check", "metrics"], input=page, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
