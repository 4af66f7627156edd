"""What PHP says by itself goes to the server's log, with who said it and what was handled."""

import re
import signal

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, get
from websocket_client import TEXT, RawWebSocket, frame


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def server(mode, log, tmp_path):
    changes = tmp_path / "changes.php"
    changes.touch()
    with Server("php_messages.php", mode, ports=2, env={"LOG_FILE": str(log), "CHANGES": str(changes)}) as server:
        server.changes = changes
        yield server


def wait_for_line(log, pattern):
    return wait_until(lambda: re.search(rf"^\d{{4}}-\d\d-\d\d [\d:.]+ {pattern}", log.read_text(), re.MULTILINE), f"{pattern} is in the log")


def test_in_an_http_handler(server, log):
    assert get(server, "/warning?a=b").text == "fine"
    wait_for_line(log, r"worker 0\[\d+\] warning: In an HTTP handler, GET /warning, request 1 of 127\.0\.0\.1:\d+: "
                       r"PHP Warning:  a warning in .*php_messages\.php on line \d+ trace_id=[0-9a-f]{32} span_id=[0-9a-f]{16}$")


def test_in_handlers_of_connections(server, log):
    with RawWebSocket(server, "/chat") as client:
        client.send(frame(TEXT, b"over there"))
        assert client.read_frame()[2] == b"over there"
    wait_for_line(log, r"worker 0\[\d+\] warning: In a WebSocket handler, connection \d+: PHP Warning:  over there in ")
    with HttpConnection(("127.0.0.1", server.ports[1])) as client:
        client.send(b"on a line\n")
        assert client.take_until(b"\n") == b"on a line"
    wait_for_line(log, r"worker 0\[\d+\] warning: In a TCP handler, connection \d+: PHP Warning:  on a line in ")


def test_outside_of_handlers(server, log):
    wait_for_line(log, r"worker 0\[\d+\] info: PHP Notice:  at the start in ")
    assert get(server, "/spawned").text == "fine"
    wait_for_line(log, r"worker 0\[\d+\] warning: PHP Warning:  in a task in ")


def test_what_ends_a_worker(server, log):
    server.may_fail = True
    with HttpConnection(server.address) as client:
        client.send(b"GET /fatal HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for_line(log, r"worker 0\[\d+\] error: In an HTTP handler, GET /fatal, request 1 of .*: PHP Fatal error:  the end in ")
    assert get(server, "/").text == "fine", "there is another one"


def test_what_fails_a_reload(server, log):
    server.changes.write_text("<?php this is not PHP")
    server.signal(signal.SIGHUP)
    wait_for_line(log, r"generation 2\[\d+\] error: PHP Parse error:  syntax error.* in .*changes\.php on line 1$")
    wait_for_line(log, r"master\[\d+\] error: the reload has failed: ")
    assert get(server, "/").text == "fine"
