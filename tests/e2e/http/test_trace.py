"""W3C Trace Context: what a request brings goes on, a request that brings nothing gets ids, and all who speak of it name them."""

import json
import re

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, get
from websocket_client import RawWebSocket

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"


def traced(mode, tmp_path, **env):
    return Server("trace.php", mode, workers=1, env={"LOG": str(tmp_path / "access.log")} | env)


@pytest.fixture
def server(mode, tmp_path):
    with traced(mode, tmp_path) as server:
        server.access_log = tmp_path / "access.log"
        yield server


def logged(server, count):
    def lines():
        found = [json.loads(line) for line in server.access_log.read_text().splitlines()]
        return found if len(found) >= count else None
    return wait_until(lambda: server.access_log.exists() and lines(), f"{count} lines are in the access log")


def test_a_trace_goes_on(server):
    ids = get(server, "/", headers={"traceparent": PARENT, "tracestate": "rojo=1, congo=t61", "baggage": "userId=alice;p=1, a=%20b"}).json()
    assert ids["trace"] == TRACE and ids["parent"] == SPAN and ids["sampled"] is True and ids["decided"] is True
    assert re.fullmatch("[0-9a-f]{16}", ids["span"]) and ids["span"] not in (SPAN, "0" * 16)
    assert ids["state"] == "rojo=1, congo=t61" and ids["baggage"] == {"userId": "alice", "a": " b"}
    assert ids["headers"] == {"traceparent": f"00-{TRACE}-{ids['span']}-01", "tracestate": "rojo=1, congo=t61",
                              "baggage": "userId=alice;p=1,a=%20b"}


@pytest.mark.parametrize("parent", [None, "00-" + "0" * 32 + f"-{SPAN}-01", f"ff-{TRACE}-{SPAN}-01", PARENT.upper(), PARENT + "-x"])
def test_without_a_valid_parent_a_trace_begins(server, parent):
    headers = {"tracestate": "rojo=1"} | ({"traceparent": parent} if parent else {})
    first, second = (get(server, "/", headers=headers).json() for _ in range(2))
    for ids in (first, second):
        assert re.fullmatch("[0-9a-f]{32}", ids["trace"]) and ids["trace"] not in (TRACE, "0" * 32)
        assert ids["parent"] is None and ids["sampled"] is False and ids["decided"] is False and ids["state"] == ""
        assert ids["headers"] == {"traceparent": f"00-{ids['trace']}-{ids['span']}-00"}
    assert first["trace"] != second["trace"] and first["span"] != second["span"]


def test_requests_of_one_connection_have_traces_of_their_own(server):
    with HttpConnection(server.address) as connection:
        traces = {connection.request("/").json()["trace"] for _ in range(20)}
    assert len(traces) == 20


def test_coroutines_that_a_handler_spawns_belong_to_its_trace(server):
    own, *others = get(server, "/current").json()
    assert len(others) == 3 and all(other == own for other in others)
    get(server, "/timer")
    assert server.wait_event("timer")["trace"] is None


def test_the_http_client_goes_on_with_the_trace(server):
    own, upstream = get(server, "/upstream", headers={"traceparent": PARENT, "baggage": "a=1"}).json()
    assert upstream["traceparent"] == [f"00-{TRACE}-{own['span']}-01"] and upstream["baggage"] == ["a=1"]
    assert "traceparent" not in get(server, "/upstream?off=1").json()[1]
    assert get(server, "/upstream?own=x").json()[1]["traceparent"] == ["x"]


def test_handshakes_of_the_websocket_client_go_on_with_it(server):
    own, upstream = get(server, "/upstream-websocket", headers={"traceparent": PARENT, "tracestate": "rojo=1", "baggage": "a=1"}).json()
    assert upstream["trace"] == TRACE and upstream["parent"] == own["span"] and upstream["sampled"] is True
    assert upstream["state"] == "rojo=1" and upstream["baggage"] == {"a": "1"}
    own, upstream = get(server, "/upstream-websocket?off=1", headers={"traceparent": PARENT, "baggage": "a=1"}).json()
    assert upstream["trace"] != TRACE and upstream["parent"] is None and upstream["baggage"] == []
    _, upstream = get(server, f"/upstream-websocket?own={PARENT}").json()
    assert upstream["trace"] == TRACE and upstream["parent"] == SPAN


def test_the_access_log_names_the_same_ids(server):
    with HttpConnection(server.address) as connection:
        answers = [connection.request("/", headers={"traceparent": PARENT} if index == 1 else {}).json() for index in range(3)]
        connection.send(b"no request\r\n\r\n")
        assert connection.read().status == 400
    lines = logged(server, 4)
    assert [(line["trace_id"], line["span_id"]) for line in lines[:3]] == [(ids["trace"], ids["span"]) for ids in answers]
    assert re.fullmatch("[0-9a-f]{32}", lines[3]["trace_id"])


def test_a_websocket_has_the_trace_of_its_handshake(server):
    with RawWebSocket(server, "/ws") as socket:
        ids = json.loads(socket.read_frame()[2])
    assert logged(server, 1)[0]["trace_id"] == ids["trace"]
    assert logged(server, 1)[0]["span_id"] == ids["span"]


def test_lines_of_the_log_name_the_trace(server):
    ids = get(server, "/log").json()
    names = f"trace_id={ids['trace']} span_id={ids['span']}"
    for said in ("said on purpose", "said by a task"):
        wait_until(lambda: re.search(rf"{said} {names}$", server.output(), re.MULTILINE), f"{said} is in the log with its trace")
    get(server, "/throw")
    wait_until(lambda: re.search(r"thrown on purpose.* trace_id=[0-9a-f]{32} span_id=[0-9a-f]{16}$", server.output(), re.MULTILINE),
               "the exception is in the log with its trace")


def test_lines_of_the_log_in_json_have_members_for_the_ids(mode, tmp_path):
    with traced(mode, tmp_path, LOG_FORMAT="json") as server:
        ids = get(server, "/log", headers={"traceparent": PARENT}).json()

        def said():
            lines = (json.loads(line) for line in server.output().splitlines() if line.startswith("{"))
            return next((line for line in lines if "said on purpose" in line["message"]), None)

        line = wait_until(said, "the line is in the log")
        assert (line["trace_id"], line["span_id"]) == (TRACE, ids["span"])
        assert line["message"].endswith("said on purpose")
