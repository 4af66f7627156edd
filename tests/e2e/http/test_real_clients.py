"""Clients that people measure and ask with: ab, wrk, curl, openssl. None of their requests may fail."""

import hashlib
import os
import re
import subprocess

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http_client import get

SERVER = dict(script="http.php", workers=2, reactors=2)


def run(*command, **more):
    result = subprocess.run([str(word) for word in command], capture_output=True, timeout=4 * DEADLINE_S, **more)
    assert result.returncode == 0, (command, result.stdout[-2000:], result.stderr[-2000:])
    return result.stdout


def of_ab(text, name):
    found = re.search(rf"^{name}: +(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("options", [["-k"], [], ["-k", "-c", "1"], ["-i"]])
def test_ab(server, options):
    text = run("ab", "-q", "-n", 2000, "-c", 50, "-s", int(DEADLINE_S), *options, f"{server.url}/hello").decode()
    assert of_ab(text, "Complete requests") == 2000
    assert of_ab(text, "Failed requests") == 0, text
    assert of_ab(text, "Non-2xx responses") == 0, text
    if "-k" in options:
        assert of_ab(text, "Keep-Alive requests") == 2000, text


def test_ab_posts(server, tmp_path):
    body = tmp_path / "body"
    body.write_bytes(os.urandom(20_000))
    text = run("ab", "-q", "-k", "-n", 500, "-c", 20, "-s", int(DEADLINE_S), "-T", "application/octet-stream", "-p", body,
               f"{server.url}/hash").decode()
    assert (of_ab(text, "Complete requests"), of_ab(text, "Failed requests")) == (500, 0), text
    assert of_ab(text, "Non-2xx responses") == 0, text


@pytest.mark.parametrize("target", ["/hello", "/stream", "/stream-big"])
def test_wrk(server, target):
    text = run("wrk", "-t", 2, "-c", 20, "-d", "1s", "--timeout", f"{int(DEADLINE_S)}s", f"{server.url}{target}").decode()
    assert int(re.search(r"(\d+) requests in", text)[1]) > 0, text
    assert "Non-2xx" not in text and "Socket errors" not in text, text


def test_wrk_on_connections_that_end_now_and_then(mode):
    """keepAliveRequests closes them all the while; what is closed is opened again, and nothing fails."""
    with Server("limits.php", mode, ports=4, workers=2, env={"LIMITS": '{"keepAliveRequests": 10}'}) as server:
        text = run("wrk", "-t", 2, "-c", 20, "-d", "1s", "--timeout", f"{int(DEADLINE_S)}s", server.url).decode()
        assert int(re.search(r"(\d+) requests in", text)[1]) > 100, text
        assert "Non-2xx" not in text and "Socket errors" not in text, text


def test_curl_many_at_once(server):
    text = run("curl", "-sS", "--fail", "-Z", "--parallel-max", 20, "-w", "%{http_code}\n", "-o", "/dev/null",
               f"{server.url}/hello?n=[1-100]").decode()
    assert text.split() == ["200"] * 100


def test_curl_uploads(server, tmp_path):
    body = tmp_path / "body"
    body.write_bytes(os.urandom(5_000_000))
    expected = hashlib.sha256(body.read_bytes()).hexdigest()
    for how in (["--data-binary", f"@{body}"], ["-T", body], ["-T", "-"]):
        with open(body, "rb") as source:
            answer = run("curl", "-sS", "--fail", *how, f"{server.url}/hash", stdin=source).decode()
        assert f'"sha256":"{expected}"' in answer, how


def test_curl_through_the_proxy_protocol(mode):
    """curl can speak it, as if it were a proxy."""
    with Server("limits.php", mode, ports=4, env={"LIMITS": "{}"}) as server:
        assert run("curl", "-sS", "--fail", "--haproxy-protocol", f"http://127.0.0.1:{server.ports[2]}/") == b"OK"


def test_openssl_speaks_http_over_tls(mode, tmp_path):
    certificates = Certificates(tmp_path)
    for name in ("one", "two", "client"):
        certificates.make(name, f"{name}.example", "127.0.0.1")
    with Server("tls.php", mode, ports=4, env={"CERTIFICATES": str(tmp_path)}) as server:
        said = run("openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile", tmp_path / "ca.pem", "-connect",
                   f"127.0.0.1:{server.ports[0]}", "-servername", "one.example",
                   input=b"GET / HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 200 OK\r\n") and said.endswith(b"hello")


def test_the_server_is_well_after_all_of_them(server):
    wait_until(lambda: get(server, "/stats").json()["arenaBytes"] == 0, "nothing is held any more")
