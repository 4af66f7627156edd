"""HTTP/2 as clients see it: what a request and a response can do, over a bare socket and with curl, nghttp and h2load."""

import hashlib
import json
import os
import re
import signal
import ssl
import struct
import subprocess

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http2_client import (CANCEL, DATA, END_STREAM, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, INTERNAL_ERROR, NO_ERROR,
                          REFUSED_STREAM, RST_STREAM, WINDOW_UPDATE, Closed, Http2Connection)
from http_client import HttpConnection

PLAIN, HASTY, STICKY, SECURE, OLD, OLD_SECURE = range(6)
FILE_BYTES = 700_001


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    (made.folder / "file").write_bytes(os.urandom(FILE_BYTES))
    return made


@pytest.fixture(scope="module")
def module_server(mode, folder):
    with start(mode, folder) as server:
        yield server


def start(mode, folder, **more):
    env = {"CERTIFICATES": str(folder.folder), "FILE": str(folder.folder / "file")} | more.pop("env", {})
    return Server("http2.php", mode, ports=6, workers=2, env=env, **more)


def connect(server, port=PLAIN, folder=None, **options):
    wrap = None
    if folder:
        context = ssl.create_default_context(cafile=folder.path("ca.pem"))
        context.set_alpn_protocols(["h2"])
        wrap = lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1")  # noqa: E731
    return Http2Connection(("127.0.0.1", server.ports[port]), wrap=wrap, **options)


@pytest.fixture(params=["plain", "tls"])
def connection(request, server, folder):
    """Both in clear text by prior knowledge, and over TLS by ALPN."""
    secure = request.param == "tls"
    with connect(server, SECURE if secure else PLAIN, folder if secure else None) as connection:
        connection.secure = secure
        yield connection


def curl(server, path, *options, port=PLAIN, folder=None):
    url = f"{'https' if folder else 'http'}://127.0.0.1:{server.ports[port]}{path}"
    how = ["--cacert", folder.path("ca.pem"), "--http2"] if folder else ["--http2-prior-knowledge"]
    done = subprocess.run(["curl", "-sS", "--max-time", str(DEADLINE_S), *how, *options, url], capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- requests ---


def test_hello(connection):
    response = connection.request("/hello?name=you")
    assert (response.status, response.text) == (200, "hello you")
    assert response.header("content-type") == "text/plain; charset=utf-8"
    assert response.header("content-length") == "9"
    assert response.header("date")


def test_the_handler_sees_what_was_asked(connection):
    more = [("x-test", "a"), ("cookie", "a=1"), ("cookie", "b=2"), ("x-test", "b")]
    seen = json.loads(connection.request("/inspect?a=%20b", more=more).body)
    address, port = connection.socket.getsockname()
    parameters = seen.pop("serverParams")
    assert (parameters["SERVER_PROTOCOL"], parameters["HTTP_X_TEST"], parameters["REQUEST_URI"]) == ("HTTP/2.0", "a, b", "/inspect?a=%20b")
    assert (parameters["REQUEST_SCHEME"], parameters.get("HTTPS"), parameters["SERVER_PORT"]) == (
        ("https", "on", "443") if connection.secure else ("http", None, "80"))
    assert seen == {
        "method": "GET", "target": "/inspect?a=%20b", "path": "/inspect", "protocol": "2", "host": "test.example",
        "peer": f"{address}:{port}", "secure": connection.secure, "cookies": {"a": "1", "b": "2"}, "form": [],
        "headers": {"host": ["test.example"], "x-test": ["a", "b"], "cookie": ["a=1; b=2"]},
    }


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("size", [0, 1, 8191, 8192, 65536, 100_000])
def test_a_body_arrives(connection, size, announced):
    body = os.urandom(size)
    more = [("content-length", str(size))] if announced else []
    response = connection.request("/hash", "POST", more, body=body)
    assert json.loads(response.body) == {"bytes": size, "sha256": hashlib.sha256(body).hexdigest()}


def test_a_form_is_read(connection):
    more = [("content-type", "application/x-www-form-urlencoded")]
    seen = json.loads(connection.request("/inspect", "POST", more, body=b"a=1&b=x+y").body)
    assert seen["form"] == {"a": "1", "b": "x y"}
    assert "transfer-encoding" not in seen["headers"]


def test_fields_go_out_in_lower_case(connection):
    response = connection.request("/fields")
    assert response.header("x-one") == "first"
    assert [value for name, value in response.fields if name == "set-cookie"] == ["a=1", "b=2; HttpOnly"]


def test_head_has_the_length_and_no_body(connection):
    response = connection.request("/bytes?n=1000", "HEAD")
    assert (response.status, response.header("content-length"), response.body) == (200, "1000", b"")


def test_a_status_without_content(connection):
    response = connection.request("/empty")
    assert (response.status, response.header("content-length"), response.body) == (204, None, b"")


def test_a_streamed_response_comes_in_parts(connection):
    stream = connection.begin("/stream?n=3&size=10")
    response = connection.response(stream)
    assert response.body == b"a" * 10 + b"b" * 10 + b"c" * 10
    assert response.header("content-length") is None


def test_a_streamed_response_to_head_is_not_cut_short(connection):
    assert connection.request("/stream?n=3", "HEAD").body == b""
    assert connection.is_alive()


def test_trailers_follow_the_body(connection):
    response = connection.request("/trailers")
    assert (response.body, response.trailers) == (b"body", [("x-sum", "42")])


def test_early_hints_precede_the_response(connection):
    response = connection.request("/hints")
    assert [dict(fields)[":status"] for fields in response.interim] == ["103"]
    assert dict(response.interim[0])["link"] == "</a.css>; rel=preload"
    assert (response.status, response.text) == (200, "hinted")


def test_server_sent_events(connection):
    response = connection.request("/events")
    assert response.header("content-type").startswith("text/event-stream")
    assert response.text.count("event: count") == 3


def test_expect_100_continue(connection):
    stream = connection.begin("/echo", "POST", [("expect", "100-continue"), ("content-length", "4")], ended=False)
    connection.read_until(lambda got: got.kind == HEADERS)
    assert dict(connection.responses[stream].interim[0])[":status"] == "100"
    connection.send_body(stream, b"body")
    assert connection.response(stream).body == b"body"


def test_a_file_is_sent_in_frames(connection, folder):
    response = connection.request("/file")
    assert response.header("content-length") == str(FILE_BYTES)
    assert response.body == (folder.folder / "file").read_bytes()


def test_ranges_and_conditions(connection, folder):
    whole = (folder.folder / "file").read_bytes()
    response = connection.request("/file", more=[("range", "bytes=100-199")])
    assert (response.status, response.body) == (206, whole[100:200])
    tag = response.header("etag")
    assert connection.request("/file", more=[("if-none-match", tag)]).status == 304


def test_many_streams_at_once(connection):
    streams = [connection.begin(f"/stream?n=3&size={size}") for size in range(1, 60)]
    for size, stream in zip(range(1, 60), streams):
        assert connection.response(stream).body == b"a" * size + b"b" * size + b"c" * size


def test_a_big_response_passes_small_windows(server):
    with connect(server, settings=[(INITIAL_WINDOW_SIZE, 1000)]) as connection:
        assert connection.request("/bytes?n=300000").body == b"x" * 300000


def test_requests_of_one_connection_go_to_one_worker_where_that_is_wanted(server):
    with connect(server, STICKY) as connection:
        seen = {connection.request("/worker").text for _ in range(20)}
    assert len(seen) == 1


# --- errors ---


def test_a_body_that_is_too_long(connection):
    stream = connection.begin("/echo", "POST", [("content-length", str(9 << 20))], ended=False)
    connection.send_body(stream, b"x", ended=False)
    assert connection.response(stream).status == 413
    # RFC 9113 8.1: the rest of the body is not wanted, which is no error.
    assert connection.stream_error(stream) == NO_ERROR
    assert connection.is_alive()


def test_a_head_that_is_too_long(connection):
    response = connection.request("/hello", more=[("x-long", "x" * 9000)])
    assert response.status == 431
    assert connection.request("/hello").status == 200


def test_too_many_fields_with_crumbs_counted(connection):
    assert connection.request("/hello", more=[("cookie", f"a{i}=1") for i in range(45)]).status == 200
    assert connection.request("/hello", more=[("cookie", f"a{i}=1") for i in range(51)]).status == 431


@pytest.mark.parametrize("path", ["/a%zz", "/a%00", "/a b"])
def test_a_bad_target_is_refused(connection, path):
    stream = connection.begin(path)
    response = connection.response(stream)
    assert response.reset is not None or response.status == 400
    assert connection.is_alive()


def test_host_and_authority_that_differ(connection):
    assert connection.request("/hello", more=[("host", "other.example")]).status == 400


def test_a_response_that_takes_too_long(server):
    with connect(server, HASTY) as connection:
        assert connection.request("/wait").status == 504
        assert connection.is_alive()
    wait_until(lambda: server.events("cancelled"), "the handler was cancelled")


def test_a_stream_that_is_reset_cancels_its_handler(server):
    with connect(server) as connection:
        before, cancelled = len(server.events("waiting")), len(server.events("cancelled"))
        stream = connection.begin("/wait")
        wait_until(lambda: len(server.events("waiting")) > before, "the handler waits")
        connection.send(RST_STREAM, stream=stream, payload=struct.pack(">I", CANCEL))
        wait_until(lambda: len(server.events("cancelled")) > cancelled, "the handler was cancelled")
        assert connection.request("/hello").status == 200


def test_a_connection_that_goes_away_cancels_its_handlers(server):
    before, cancelled = len(server.events("waiting")), len(server.events("cancelled"))
    with connect(server) as connection:
        for _ in range(3):
            connection.begin("/wait")
        wait_until(lambda: len(server.events("waiting")) >= before + 3, "the handlers wait")
    wait_until(lambda: len(server.events("cancelled")) >= cancelled + 3, "the handlers were cancelled")


@pytest.mark.usefixtures("process_mode_only")
def test_a_worker_that_dies_costs_only_its_own_streams(mode, folder):
    with start(mode, folder) as server:
        with connect(server) as connection:
            doomed = connection.begin("/die")
            response = connection.response(doomed)
            assert response.status == 502
            half = connection.begin("/half-then-die")
            assert connection.stream_error(half) == INTERNAL_ERROR
            assert connection.request("/hello").status == 200


def test_a_server_that_stops_says_goodbye(mode, folder):
    with start(mode, folder) as server:
        with connect(server) as connection:
            stream = connection.begin("/wait?seconds=1")
            wait_until(lambda: server.events("waiting"), "the handler waits")
            server.signal(signal.SIGTERM)
            connection.read_until(lambda got: got.kind == GOAWAY)
            assert connection.response(stream).text == "waited"
            with pytest.raises(Closed):
                while True:
                    connection.read_frame()
        assert server.wait() == 0


# --- one port, several protocols ---


def test_http_1_goes_on_beside_it(server):
    with HttpConnection(server.address) as connection:
        assert connection.request("/hello").text == "hello world"


@pytest.mark.parametrize("cut", [1, 2, 4, 23])
def test_the_preface_may_come_in_pieces(server, cut):
    from http2_client import PREFACE, SETTINGS, frame
    with connect(server, preface=False) as connection:
        connection.send_raw(PREFACE[:cut])
        with connect(server) as other:
            assert other.request("/hello").status == 200  # a round trip: the piece has been read
        connection.send_raw(PREFACE[cut:] + frame(SETTINGS))
        assert connection.read_frame().kind == SETTINGS
        assert connection.request("/hello").status == 200


def test_a_post_that_begins_like_the_preface(server):
    with HttpConnection(server.address) as connection:
        connection.send(b"P")
        with HttpConnection(server.address) as other:
            assert other.request("/hello").status == 200
        connection.send(b"OST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nok")
        assert connection.read().text == "ok"


def test_alpn_falls_back_to_http_1(server, folder):
    done = subprocess.run(["curl", "-sS", "--http1.1", "--cacert", folder.path("ca.pem"), "-w", " %{http_version}",
                           f"https://127.0.0.1:{server.ports[SECURE]}/hello"], capture_output=True, text=True)
    assert done.stdout == "hello world 1.1", done.stderr


def test_a_site_without_it(server, folder):
    with HttpConnection(("127.0.0.1", server.ports[OLD])) as connection:
        connection.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        assert connection.read().status in (400, 505)
    done = subprocess.run(["curl", "-sS", "--http2", "--cacert", folder.path("ca.pem"), "-w", " %{http_version}",
                           f"https://127.0.0.1:{server.ports[OLD_SECURE]}/hello"], capture_output=True, text=True)
    assert done.stdout == "hello world 1.1", done.stderr


# --- other clients ---


@pytest.mark.parametrize("secure", [False, True])
def test_curl(server, folder, secure):
    how = dict(port=SECURE, folder=folder) if secure else {}
    assert curl(server, "/hello", "-w", " %{http_version}", **how) == b"hello world 2"
    body = os.urandom(3_000_000)
    (folder.folder / "upload").write_bytes(body)
    seen = json.loads(curl(server, "/hash", "--data-binary", f"@{folder.folder / 'upload'}", **how))
    assert seen == {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    seen = json.loads(curl(server, "/hash", "-T", str(folder.folder / "upload"), "-H", "expect: 100-continue", **how))
    assert seen["sha256"] == hashlib.sha256(body).hexdigest()
    assert curl(server, "/file", **how) == (folder.folder / "file").read_bytes()
    assert len(curl(server, "/bytes?n=5000000", **how)) == 5_000_000


def test_nghttp(server):
    done = subprocess.run(["nghttp", "-v", f"http://127.0.0.1:{server.ports[PLAIN]}/hello"], capture_output=True,
                          text=True, timeout=DEADLINE_S)
    assert done.returncode == 0 and "hello world" in done.stdout, done.stdout + done.stderr


def test_h2load_has_no_failed_request(server):
    done = subprocess.run(["h2load", "-n", "3000", "-c", "10", "-m", "10", f"http://127.0.0.1:{server.ports[PLAIN]}/hello"],
                          capture_output=True, text=True, timeout=DEADLINE_S)
    assert re.search(r"3000 succeeded, 0 failed, 0 errored", done.stdout), done.stdout + done.stderr
