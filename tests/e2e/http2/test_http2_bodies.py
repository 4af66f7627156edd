"""Bodies over HTTP/2: many at once, in files and as streams, with flow control that the handler's reading feeds."""

import hashlib
import json
import random
import struct
import subprocess

import pytest

from harness import DEADLINE_S, Server, wait_until
from http2_client import DATA, END_STREAM, INITIAL_WINDOW_SIZE, NO_ERROR, WINDOW_UPDATE, Http2Connection
from http_client import HttpConnection

MIB = 1 << 20
SERVER = dict(script="request_bodies.php", workers=1, reactors=1, ports=2)
BIG = random.Random(7).randbytes(3 * MIB)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(params=["whole", "streamed"])
def port(request, server):
    return server.ports[request.param == "streamed"]


@pytest.fixture
def streaming(server):
    with Http2Connection(("127.0.0.1", server.ports[1])) as connection:
        yield connection


class Sender:
    """Bodies on several streams, each sent as far as the server's windows allow."""

    def __init__(self, connection):
        self.connection = connection
        self.first = connection.server_settings.get(INITIAL_WINDOW_SIZE, 65535)
        self.windows = {0: 65535}
        self.rest = {}
        self.updates = 0
        self.noted_before = connection.note
        connection.note = self.note

    def add(self, stream, body):
        self.windows[stream] = self.windows.get(stream, self.first)
        self.rest[stream] = body

    def note(self, frame):
        """Sees all frames, whoever reads them."""
        self.noted_before(frame)
        self.updates += frame.kind == WINDOW_UPDATE
        if frame.kind == WINDOW_UPDATE:
            more = struct.unpack(">I", frame.payload)[0] & 0x7FFFFFFF
            self.windows[frame.stream] = self.windows.get(frame.stream, self.first) + more

    def push(self):
        """Sends what may be sent; how many bytes that was."""
        sent = 0
        for stream, rest in list(self.rest.items()):
            while rest:
                size = min(16384, len(rest), self.windows[0], self.windows[stream])
                if size <= 0:
                    break
                self.connection.send(DATA, END_STREAM if size == len(rest) else 0, stream, rest[:size])
                rest = rest[size:]
                sent += size
                self.windows[0] -= size
                self.windows[stream] -= size
            self.rest[stream] = rest
            if not rest:
                del self.rest[stream]
        return sent

    def finish(self):
        while self.rest:
            self.push()
            if self.rest:
                self.connection.read_frame()


@pytest.mark.parametrize("announced", [True, False])
def test_many_bodies_at_once(port, announced):
    with Http2Connection(("127.0.0.1", port)) as connection:
        sender = Sender(connection)
        bodies = {}
        for number, size in enumerate([10, 65_536, 65_537, 300_000, MIB]):
            more = [("content-length", str(size))] if announced else []
            stream = connection.begin("/digest", "POST", more, ended=False)
            bodies[stream] = BIG[number:number + size]
            sender.add(stream, bodies[stream])
        sender.finish()
        for stream, body in bodies.items():
            seen = json.loads(connection.response(stream).text)
            assert (seen["size"], seen["sha256"]) == (len(body), sha256(body))


@pytest.mark.parametrize("streams", [7, 30])
def test_bodies_that_wait_for_their_handlers_do_not_stop_the_one_that_is_read(streaming, streams):
    sender = Sender(streaming)
    bodies = {}
    for number in range(streams):
        stream = streaming.begin("/one-by-one", "POST", ended=False)
        bodies[stream] = BIG[number:number + MIB]
        sender.add(stream, bodies[stream])
    sender.finish()
    for stream, body in bodies.items():
        seen = json.loads(streaming.response(stream).text)
        assert (seen["size"], seen["sha256"]) == (len(body), sha256(body))


def test_an_upload_is_a_file(server):
    form = b"--b\r\ncontent-disposition: form-data; name=\"up\"; filename=\"x\"\r\n\r\n" + BIG + b"\r\n--b--\r\n"
    with Http2Connection(server.address) as connection:
        sender = Sender(connection)
        stream = connection.begin("/form", "POST", [("content-type", "multipart/form-data; boundary=b")], ended=False)
        sender.add(stream, form)
        sender.finish()
        seen = json.loads(connection.response(stream).text)
        assert seen["files"]["up"]["sha256"] == sha256(BIG)
        assert seen["peak"] < 8 * MIB


def test_a_body_comes_back_as_it_arrives(streaming):
    stream = streaming.begin("/echo", "POST", ended=False)
    expected = b""
    for piece in [b"one", b"two", b"x" * 10_000]:
        streaming.send(DATA, 0, stream, piece)
        expected += piece
        while stream not in streaming.responses or len(streaming.responses[stream].body) < len(expected):
            streaming.read_frame()
    streaming.send(DATA, END_STREAM, stream)
    assert streaming.response(stream).body == expected


def test_a_handler_that_does_not_read_stops_its_stream_and_no_other(server, streaming):
    sender = Sender(streaming)
    name = f"h2-{server.mode}"
    stuck = streaming.begin(f"/wait?name={name}", "POST", ended=False)
    sender.add(stuck, BIG)
    # A ping is answered when all before it was looked at: no window opens any more then.
    updates = -1
    while sender.updates > updates:
        updates = sender.updates
        sender.push()
        assert streaming.is_alive()
    assert sender.rest[stuck]
    # The connection's window is shared; what is left of it goes to the others.
    other = streaming.begin("/hello")
    assert streaming.response(other).text == "hello"
    with HttpConnection(server.address) as helper:
        helper.request(f"/go?name={name}")
    sender.finish()
    assert json.loads(streaming.response(stuck).text) == {"sha256": sha256(BIG), "size": len(BIG)}


def test_the_client_is_told_to_go_on_when_the_handler_reads(streaming):
    stream = streaming.begin("/digest", "POST", [("expect", "100-continue"), ("content-length", "5")], ended=False)
    while not (stream in streaming.responses and streaming.responses[stream].interim):
        streaming.read_frame()
    streaming.send(DATA, END_STREAM, stream, b"hello")
    assert json.loads(streaming.response(stream).text)["sha256"] == sha256(b"hello")


def test_an_answer_before_the_end_of_the_body(streaming):
    stream = streaming.begin("/early", "POST", ended=False)
    streaming.send(DATA, 0, stream, b"x")
    while stream not in streaming.responses or streaming.responses[stream].reset is None:
        streaming.read_frame()
    assert streaming.responses[stream].text == "early"
    assert streaming.responses[stream].reset == NO_ERROR
    assert streaming.request("/hello").text == "hello"


def test_a_client_that_resets_its_stream(server, streaming):
    before = len(server.events("cancelled")) + len(server.events("bad"))
    began = len(server.events("begun"))
    stream = streaming.begin("/report", "POST", ended=False)
    streaming.send(DATA, 0, stream, b"x")
    wait_until(lambda: len(server.events("begun")) > began, "the handler has begun")
    streaming.send(3, 0, stream, struct.pack(">I", 8))
    wait_until(lambda: len(server.events("cancelled")) + len(server.events("bad")) > before, "the handler is told")
    assert streaming.request("/hello").text == "hello"


def test_a_body_that_drips_is_408_and_costs_its_stream_only(mode):
    limits = {"bodySeconds": 0.5, "bodyBytesPerSecond": 1 << 20}
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps(limits)}) as own:
        for port in own.ports:
            with Http2Connection(("127.0.0.1", port)) as connection:
                stream = connection.begin("/report", "POST", ended=False)
                connection.send(DATA, 0, stream, b"x")
                assert connection.response(stream).status == 408
                assert connection.request("/hello").text == "hello"


def test_curl(server, tmp_path, port):
    (tmp_path / "big").write_bytes(BIG)
    for how in (["-T", str(tmp_path / "big")], ["--data-binary", f"@{tmp_path / 'big'}"]):
        done = subprocess.run(["curl", "-sS", "--http2-prior-knowledge", *how, f"http://127.0.0.1:{port}/digest"],
                              check=True, capture_output=True, timeout=DEADLINE_S)
        assert json.loads(done.stdout)["sha256"] == sha256(BIG)
