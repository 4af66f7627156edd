"""Streams of events that go on with what is published to topics, when their worker has handed them over."""

import contextlib
import os
import signal

import pytest

from browser import Browser, require_browser
from harness import Server, all_processes, wait_until
from http2_client import Http2Connection
from http_client import HttpConnection, format_request, get
from websocket_client import RawWebSocket

STATE = b"event: state\nid: 1\ndata: the state\n\n"


@pytest.fixture
def server(mode):
    with Server("event_topics.php", mode, workers=2) as server:
        yield server


def publish(server, text, topic="news"):
    assert get(server, f"/publish?topics={topic}", method="POST", body=text.encode()).text == "published"


def subscribers(server, topic="news"):
    return get(server, f"/subscribers?topics={topic}").json()


class Events(HttpConnection):
    """A stream of events, as HTTP/1.1 sends it."""

    def __init__(self, server, topics="news", path="/events"):
        super().__init__(server.address)
        self.send(format_request(f"{path}?topics={topics}"))
        _, status, _, fields = self.read_head()
        assert (status, dict(fields)["content-type"]) == (200, "text/event-stream")

    def chunk(self):
        size = int(self.take_until(b"\r\n"), 16)
        part = self.take(size)
        assert self.take(2) == b"\r\n"
        return part


def test_one_publish_reaches_streams_and_websockets(server):
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(Events(server, topics)) for topics in ("news", "news,more", "more")]
        assert [stream.chunk() for stream in streams] == [STATE] * 3
        socket = stack.enter_context(RawWebSocket(server, "/socket"))
        assert socket.read_frame()[2] == b"open"
        wait_until(lambda: (subscribers(server), subscribers(server, "more")) == (3, 2), "all have subscribed")
        assert get(server, "/listed?topics=news").json() == 1, "streams are no connections to send to"
        publish(server, "two\nlines")
        publish(server, "more of it", "more")
        assert streams[0].chunk() == b"data: two\ndata: lines\n\n"
        assert (streams[1].chunk(), streams[1].chunk()) == (b"data: two\ndata: lines\n\n", b"data: more of it\n\n")
        assert streams[2].chunk() == b"data: more of it\n\n"
        assert socket.read_frame()[2] == b"two\nlines"
        assert {event["delivery"] for event in server.events("handed over")} == {"Sent"}
        assert server.events("refused")[0]["with"] == r"Sluice\ServerException: The response was ended already"
    wait_until(lambda: (subscribers(server), subscribers(server, "more")) == (0, 0), "all have left")


def test_streams_of_http2(server):
    with Http2Connection(server.address) as client:
        stream = client.begin("/events?topics=news")
        other = client.begin("/events?topics=news")
        wait_until(lambda: subscribers(server) == 2, "both have subscribed")
        publish(server, "news")
        expected = (STATE + b"data: news\n\n")
        for number in (stream, other):
            while client.responses.get(number) is None or client.responses[number].body != expected:
                client.read_frame()
        client.send(3, 0, stream, (8).to_bytes(4, "big"))  # RST_STREAM: cancelled
        wait_until(lambda: subscribers(server) == 1, "one has left")
        publish(server, "on")
        while client.responses[other].body != expected + b"data: on\n\n":
            client.read_frame()


def test_what_cannot_be_handed_over(server):
    assert get(server, "/compressed", headers={"Accept-Encoding": "gzip"}).status == 200
    assert "withoutCompression()" in server.wait_event("refused")["with"]
    with HttpConnection(server.address) as connection:
        assert connection.request("/events?topics=" + "x" * 256).body == STATE
    assert server.events("refused")[-1]["with"] == \
        r"ValueError: Sluice\Http\EventStream::subscribe(): Argument #1 ($topic) must be between 1 and 255 bytes long, 256 given"
    with HttpConnection(server.address) as connection:
        assert connection.request("/events?topics=news", method="HEAD").status == 200
        assert connection.request("/pid").status == 200
    assert subscribers(server) == 0


@pytest.mark.both_modes
def test_a_stream_outlives_its_worker(mode, server):
    """In base mode the connections are the worker's own: the stream ends, and the client connects again."""
    with Events(server) as stream:
        assert stream.chunk() == STATE
        worker = server.wait_event("handed over")["pid"]
        wait_until(lambda: subscribers(server) == 1, "it has subscribed")
        server.signal(signal.SIGHUP)
        wait_until(lambda: all(process.pid != worker for process in all_processes()), "the worker has left", 30)
        if mode == "base":
            assert stream.chunk() == b""
            return
        publish(server, "after the reload")
        assert stream.chunk() == b"data: after the reload\n\n"
        os.kill(get(server, "/pid").json(), signal.SIGKILL)
        publish(server, "after a death")
        assert stream.chunk() == b"data: after a death\n\n"


def test_a_browser_with_two_streams_and_a_websocket(server):
    require_browser()
    with Browser() as browser:
        browser.driver.get(server.url)
        browser.driver.execute_script("""
            window.got = [];
            for (const name of ['a', 'b']) {
                const source = new EventSource('/events?topics=news');
                source.onmessage = event => got.push(name + ' ' + event.data + ' ' + event.lastEventId);
            }
            new WebSocket('ws://' + location.host + '/socket').onmessage = event => got.push('socket ' + event.data);
        """)
        wait_until(lambda: subscribers(server) == 3, "all have subscribed")
        publish(server, "Größe\n< 3")
        expected = ["a Größe\n< 3 1", "b Größe\n< 3 1", "socket Größe\n< 3", "socket open"]
        wait_until(lambda: sorted(browser.driver.execute_script("return got")) == expected, "all have got it")
