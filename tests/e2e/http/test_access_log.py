"""The access log: a line for each request, whatever becomes of it, and never at a client's mercy or expense."""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import threading
from contextlib import contextmanager

import pytest

from harness import SERVERS, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import handshake

TIME = r"\[\d\d/[A-Z][a-z][a-z]/\d{4}:\d\d:\d\d:\d\d \+0000\]"


@contextmanager
def logging(mode, tmp_path, format="Json", log=None, **more):
    """A server and the path of its log."""
    path = log or str(tmp_path / "access.log")
    env = {"LOG": path, "FORMAT": format} | more.pop("env", {})
    with Server("access_log.php", mode=mode, env=env, **more) as server:
        yield server, path


def lines_of(path):
    try:
        with open(path) as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def wait_lines(path, count):
    return wait_until(lambda: len(lines_of(path)) >= count and lines_of(path), f"{count} lines are in {path}")


def wait_entry(path, **fields):
    """The first entry of a JSON log with these fields."""
    def find():
        entries = [json.loads(line) for line in lines_of(path)]
        return next((entry for entry in entries if fields.items() <= entry.items()), None)
    return wait_until(find, f"the log has {fields}")


# --- formats ---


def test_common(mode, tmp_path):
    with logging(mode, tmp_path, "Common") as (server, path):
        get(server, "/a?b=1", headers={"Referer": "http://r/", "User-Agent": "u"})
        get(server, "/nothing")
        first, second = wait_lines(path, 2)
        assert re.fullmatch(rf'127\.0\.0\.1 - - {TIME} "GET /a\?b=1 HTTP/1\.1" 200 5', first)
        assert re.fullmatch(rf'127\.0\.0\.1 - - {TIME} "GET /nothing HTTP/1\.1" 204 -', second)


def test_combined(mode, tmp_path):
    with logging(mode, tmp_path, "Combined") as (server, path):
        get(server, "/", headers={"Referer": "http://r/", "User-Agent": "u"})
        get(server, "/")
        first, second = wait_lines(path, 2)
        assert re.fullmatch(rf'127\.0\.0\.1 - - {TIME} "GET / HTTP/1\.1" 200 5 "http://r/" "u"', first)
        assert second.endswith('200 5 "-" "-"')


def test_json(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        with HttpConnection(server.address) as connection:
            peer = "%s:%d" % connection.socket.getsockname()
            connection.request("/a?b=1", headers={"Referer": "http://r/", "User-Agent": "u", "X-Request-Id": "id-7"})
        entry = json.loads(wait_lines(path, 1)[0])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("time"))
        assert entry.pop("duration_us") >= 0
        assert re.fullmatch("[0-9a-f]{32}", entry.pop("trace_id")) and re.fullmatch("[0-9a-f]{16}", entry.pop("span_id"))
        assert entry == {"peer": peer, "method": "GET", "target": "/a?b=1", "protocol": "HTTP/1.1", "status": 200, "bytes": 5,
                         "complete": True, "host": "test.example", "referer": "http://r/", "user_agent": "u",
                         "request_id": "id-7"}


def test_the_route_that_matched(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        for target in ("/users/7?a=b", "/users", "/users/8"):
            get(server, target)
        with HttpConnection(server.address) as connection:
            connection.send(format_request("/rooms/one", headers={
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}))
            routes = {entry["target"]: entry.get("route") for entry in map(json.loads, wait_lines(path, 4))}
        assert routes == {"/users/7?a=b": "/users/{id}", "/users": None, "/users/8": "/users/{id}", "/rooms/one": "/rooms/{room}"}


def test_clients_cannot_break_a_line_or_forge_one(mode, tmp_path):
    forged = 'x" 200 5 "-" "-\\'
    for format in ("Combined", "Json"):
        with logging(mode, tmp_path / format, format, log=str(tmp_path / f"{format}.log")) as (server, path):
            with HttpConnection(server.address) as connection:
                connection.send(b"GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: " + forged.encode() + b"\ta\xc2\x9b\xff\r\n\r\n")
                assert connection.read().status == 200
            with HttpConnection(server.address) as connection:
                connection.send(b"GET /\x1b[2J\" HTTP/1.1\nx: y\r\n\r\n")
                assert connection.read().status == 400
            lines = wait_lines(path, 2)
            assert len(lines) == 2
            if format == "Json":
                assert [json.loads(line)["status"] for line in lines] == [200, 400]
                assert json.loads(lines[0])["user_agent"].startswith(forged)
            else:
                assert lines[0].endswith(r'"-" "x\x22 200 5 \x22-\x22 \x22-\x5c\x09a\xc2\x9b\xff"')
                assert r'"GET /\x1b[2J\x22 HTTP/1.1" 400 ' in lines[1]
            assert all(line.isprintable() for line in lines)


# --- what is logged ---


def test_what_was_sent(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        size = os.path.getsize(SERVERS / "access_log.php")
        expected = []
        with HttpConnection(server.address) as connection:
            for target, method, status, sent in [
                ("/", "GET", 200, 5), ("/", "HEAD", 200, 0), ("/parts", "GET", 200, 6), ("/file", "GET", 200, size),
                ("/file", "HEAD", 200, 0), ("/nothing", "GET", 204, 0), ("/throw", "GET", 500, 26),
                ("/big?bytes=3000000", "GET", 200, 3_000_000),
            ]:
                assert connection.request(target, method=method).status == status
                expected.append((method, target, status, sent, True))
        with HttpConnection(server.address) as connection:
            connection.send(b"GET / HTTP/1.0\r\n\r\n")
            connection.take_all()
        entries = [json.loads(line) for line in wait_lines(path, len(expected) + 1)]
        assert [(e["method"], e["target"], e["status"], e["bytes"], e["complete"]) for e in entries[:-1]] == expected
        assert (entries[-1]["protocol"], entries[-1]["bytes"], "host" in entries[-1]) == ("HTTP/1.0", 5, False)


def test_pipelined_requests_each_have_a_line(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        with HttpConnection(server.address) as connection:
            connection.send(b"".join(format_request(f"/{number}") for number in range(20)))
            for _ in range(20):
                assert connection.read().status == 200
        entries = [json.loads(line) for line in wait_lines(path, 20)]
        assert [entry["target"] for entry in entries] == [f"/{number}" for number in range(20)]


def test_errors_that_reach_no_handler(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        for request, status, fields in [
            (b"nonsense\r\n\r\n", 400, {"method": "", "target": "nonsense"}),
            (b"GET / HTTP/1.1\r\n\r\n", 400, {"target": "GET / HTTP/1.1"}),
            (b"GET / HTTP/1.1\r\nHost: a\r\nx: " + b"y" * 3000 + b"\r\n\r\n", 431, {"target": "GET / HTTP/1.1"}),
            (b"GET /late HTTP/1.1\r\nHost", 408, {"target": "GET /late HTTP/1.1"}),
        ]:
            with HttpConnection(server.address) as connection:
                connection.send(request)
                response = connection.read()
                assert response.status == status
                entry = wait_entry(path, status=status, **fields)
                assert (entry["bytes"], entry["protocol"]) == (len(response.body), "")
        assert get(server, "/slow").status == 504
        assert wait_entry(path, status=504)["target"] == "/slow"


def test_a_worker_that_dies(mode, process_mode_only, tmp_path):
    with logging(mode, tmp_path, workers=2) as (server, path):
        assert get(server, "/die").status == 502
        assert wait_entry(path, status=502)["target"] == "/die"


def test_websocket_handshakes(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        for target, fields, status in [
            ("/ws", {}, 101), ("/asked", {}, 101), ("/asked?refuse=1", {}, 401), ("/ws", {"sec_websocket_version": "12"}, 426),
        ]:
            with HttpConnection(server.address) as connection:
                connection.send(handshake(target, **fields))
                assert connection.read().status == status
                wait_entry(path, status=status, target=target, method="GET")
        assert len(lines_of(path)) == 4


# --- clients that leave ---


def test_a_client_that_leaves_in_the_middle(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        with HttpConnection(server.address) as connection:
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            connection.send(format_request("/big?bytes=50000000"))
            connection.read_head()
            connection.take(100_000)
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        entry = wait_entry(path, target="/big?bytes=50000000")
        assert (entry["status"], entry["complete"]) == (200, False)
        assert 100_000 <= entry["bytes"] < 50_000_000


@pytest.mark.parametrize("reset", [True, False])
def test_a_client_that_leaves_before_the_answer(mode, tmp_path, reset):
    with logging(mode, tmp_path) as (server, path):
        with HttpConnection(server.address) as connection:
            connection.send(format_request("/slow"))
            server.wait_event("slow")
            if reset:
                connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        entry = wait_entry(path, target="/slow")
        assert (entry["status"], entry["bytes"], entry["complete"]) == (499, 0, False)


# --- files ---


def test_a_log_that_was_renamed_is_opened_anew(mode, tmp_path):
    with logging(mode, tmp_path, workers=2) as (server, path):
        for number, signal_number in enumerate((signal.SIGUSR1, signal.SIGHUP)):
            get(server, f"/old/{number}")
            wait_entry(path, target=f"/old/{number}")
            os.rename(path, f"{path}.{number}")
            server.signal(signal_number)
            wait_until(lambda: os.path.exists(path), "the log is opened anew")
            get(server, f"/new/{number}")
            wait_entry(path, target=f"/new/{number}")
            wait_until(lambda: len(server.events("start")) == 2 * (number + 2), "the reload is over")
        targets = [json.loads(line)["target"] for name in (f"{path}.0", f"{path}.1", path) for line in lines_of(name)]
        assert targets == ["/old/0", "/new/0", "/old/1", "/new/1"]


def test_many_write_one_file(mode, tmp_path):
    with logging(mode, tmp_path, workers=4, reactors=3) as (server, path):
        def ask(index):
            with HttpConnection(server.address) as connection:
                for number in range(50):
                    assert connection.request(f"/{index}/{number}").status == 200
        threads = [threading.Thread(target=ask, args=(index,)) for index in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = [json.loads(line) for line in wait_lines(path, 800)]
        assert {entry["target"] for entry in entries} == {f"/{index}/{number}" for index in range(16) for number in range(50)}
        assert len(entries) == 800


def test_lines_for_a_reader_that_does_not_come_are_dropped_and_counted(mode, tmp_path):
    fifo = str(tmp_path / "fifo")
    os.mkfifo(fifo)
    with logging(mode, tmp_path, log=fifo, env={"LOG_BYTES": "20000"}) as (server, path):
        with HttpConnection(server.address) as connection:
            # What fits into a pipe and what may wait are some 85 KiB, and a line has more than 200 bytes.
            for number in range(1000):
                assert connection.request(f"/{number}", headers={"User-Agent": "x" * 100}).status == 200
        wait_until(lambda: "lines were dropped so far (accessLogBytes: 20000)" in server.output(), "the losses are told")
        assert get(server, "/").status == 200


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_standard_streams(mode, tmp_path, stream):
    with logging(mode, tmp_path, "Common", log=f"php://{stream}") as (server, _):
        get(server, "/there")
        place = server.folder / {"stdout": "out", "stderr": "err"}[stream]
        wait_until(lambda: '"GET /there HTTP/1.1" 200 5' in place.read_text(), f"the line is on {stream}")


def test_what_is_under_way_is_logged_when_the_server_stops(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        for number in range(20):
            get(server, f"/{number}")
        server.signal(signal.SIGTERM)
        server.wait()
        assert len(lines_of(path)) == 20


def test_curl_is_logged_as_what_it_is(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        subprocess.run(["curl", "-sS", "-A", "tester", f"{server.url}/curl"], check=True, capture_output=True, timeout=60)
        assert wait_entry(path, target="/curl")["user_agent"] == "tester"


# --- HTTP/2 ---


def test_each_stream_has_a_line(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        size = os.path.getsize(SERVERS / "access_log.php")
        targets = {"/": 5, "/parts": 6, "/file": size, "/nothing": 0, "/throw": 26, "/big?bytes=3000000": 3_000_000}
        subprocess.run(["nghttp", "-n", "-H", "user-agent: tester", *(server.url + target for target in targets)], check=True,
                       stdout=subprocess.DEVNULL, timeout=60)
        entries = {entry["target"]: entry for entry in map(json.loads, wait_lines(path, len(targets)))}
        assert {target: entry["bytes"] for target, entry in entries.items()} == targets
        for entry in entries.values():
            assert (entry["protocol"], entry["user_agent"], entry["complete"]) == ("HTTP/2.0", "tester", True), entry
            assert entry["peer"].startswith("127.0.0.1:") and entry["host"] == "127.0.0.1:%d" % server.ports[0]


def test_a_stream_that_the_client_gives_up(mode, tmp_path):
    with logging(mode, tmp_path) as (server, path):
        curl = subprocess.Popen(["curl", "-sS", "--http2-prior-knowledge", f"{server.url}/slow"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        server.wait_event("slow")
        curl.kill()
        curl.wait()
        entry = wait_entry(path, target="/slow")
        assert (entry["status"], entry["complete"], entry["protocol"]) == (499, False, "HTTP/2.0")
