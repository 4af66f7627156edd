"""Responses that are compressed for clients which ask for it, and those that are not."""

import subprocess
import zlib

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, format_request

SERVER = dict(script="response_compression.php", workers=1, reactors=1, ports=3)
LINE = b'<li class="item">one more line of text</li>\n'


def page(size=20000):
    return (LINE * (size // 40 + 1))[:size]


def decoded(coding, data):
    """By an independent program."""
    command = {"gzip": ["gzip", "-dc"], "br": ["brotli", "-dc"], "zstd": ["zstd", "-dcq"], None: ["cat"]}[coding]
    return subprocess.run(command, input=data, check=True, capture_output=True, timeout=60).stdout


@pytest.fixture
def connection(server):
    with HttpConnection(server.address) as connection:
        yield connection


@pytest.fixture
def only_gzip(server):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        yield connection


def ask(connection, target, accept="gzip, deflate, br, zstd", method="GET", **headers):
    fields = {"Accept-Encoding": accept} if accept is not None else {}
    return connection.request(target, method=method, headers=fields | {k.replace("_", "-"): v for k, v in headers.items()})


# --- what is chosen ---


@pytest.mark.parametrize("accept,coding", [
    ("gzip, deflate, br, zstd", "zstd"), ("gzip, br", "br"), ("gzip", "gzip"), ("x-gzip", "gzip"), ("*", "zstd"),
    ("gzip;q=1, br;q=0.5, zstd;q=0", "gzip"), ("deflate", None), ("identity", None), ("gzip;q=0", None), ("", None),
    (None, None), ("identity;q=1, gzip;q=0.5", None),
])
def test_what_the_client_wants_most(connection, accept, coding):
    response = ask(connection, "/page", accept)
    assert (response.status, response.header("content-encoding")) == (200, coding)
    assert decoded(coding, response.body) == page()
    assert response.header("content-length") == str(len(response.body))
    assert response.header("vary") == "Accept-Encoding"
    assert response.header("content-type") == "text/html; charset=utf-8"
    if coding:
        assert len(response.body) < 2000


def test_only_what_was_chosen_for_the_site(only_gzip):
    assert ask(only_gzip, "/page?type=text/plain", "br, zstd").header("content-encoding") is None
    response = ask(only_gzip, "/page?type=text/plain", "br, zstd, gzip;q=0.1")
    assert response.header("content-encoding") == "gzip" and decoded("gzip", response.body) == page()
    assert ask(only_gzip, "/page").header("content-encoding") is None, "text/html was not among the types"
    assert ask(only_gzip, "/page?type=text/plain&bytes=200").header("content-encoding") == "gzip", "minBytes is 0"


def test_off_by_default(server):
    with HttpConnection(("127.0.0.1", server.ports[2])) as connection:
        response = ask(connection, "/page")
        assert (response.header("content-encoding"), response.header("vary")) == (None, None)


# --- what is left alone ---


@pytest.mark.parametrize("target,varies", [
    ("/page?bytes=1023", False), ("/raw", False), ("/page?type=image/png", False), ("/page?cache=no-transform", False),
    ("/page?cache=max-age%3D1,%20no-transform", False), ("/page?coded=br", False), ("/page?digest=x", False),
    ("/page?status=206&range=bytes%200-19999/20001", False), ("/secret", False), ("/random", True), ("/empty", False),
    ("/file", False),
])
def test_what_is_left_alone(connection, target, varies):
    plain, asked = ask(connection, target, None), ask(connection, target)
    assert asked.header("content-encoding") == ("br" if "coded" in target else None)
    assert asked.header("vary") == ("Accept-Encoding" if varies else None)
    assert len(plain.body) == len(asked.body) == int(asked.header("content-length"))


@pytest.mark.parametrize("status", [204, 205, 304])
def test_statuses_without_a_body(connection, status):
    response = ask(connection, f"/empty?status={status}&type=text/html")
    assert (response.status, response.header("content-encoding")) == (status, None)


@pytest.mark.parametrize("status", [201, 404, 500])
def test_other_statuses_are_compressed(connection, status):
    response = ask(connection, f"/page?status={status}")
    assert (response.status, response.header("content-encoding")) == (status, "zstd")
    assert decoded("zstd", response.body) == page()


def test_a_vary_that_is_there_is_kept(connection):
    assert ask(connection, "/page?vary=Cookie").all("vary") == ["Cookie", "Accept-Encoding"]
    assert ask(connection, "/page?vary=accept-encoding,%20cookie").all("vary") == ["accept-encoding, cookie"]
    assert ask(connection, "/page?vary=*").all("vary") == ["*"]


def test_an_error_of_the_handler_is_plain(connection):
    response = ask(connection, "/throw")
    assert (response.status, response.header("content-encoding"), response.header("etag")) == (500, None, None)
    assert response.body == b"500 Internal Server Error\n"


# --- lengths and methods ---


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
@pytest.mark.parametrize("size", [1024, 100_000, 5_000_000])
def test_sizes(connection, coding, size):
    response = ask(connection, f"/page?bytes={size}", coding)
    assert response.header("content-encoding") == coding
    assert decoded(coding, response.body) == page(size)


def test_a_length_of_the_applications_own(connection):
    response = ask(connection, "/page?length=20000", "gzip")
    assert decoded("gzip", response.body) == page()
    assert response.header("content-length") == str(len(response.body))
    response = ask(connection, "/parts?length=20000", "gzip")
    assert response.header("content-length") is None and decoded("gzip", response.body) == page()
    response = ask(connection, "/parts?length=500&bytes=500", "gzip")
    assert (response.header("content-length"), response.header("content-encoding"), response.body) == ("500", None, page(500))


@pytest.mark.parametrize("target", ["/page?etag=a", "/parts?etag=a", "/page?length=20000", "/page?bytes=100", "/page?type=image/png"])
def test_head_tells_what_get_would(connection, target):
    got, told = ask(connection, target), ask(connection, target, method="HEAD")
    assert told.body == b""
    for name in ("content-encoding", "vary", "etag", "content-type"):
        assert told.header(name) == got.header(name), name
    if told.header("content-encoding"):
        assert told.header("content-length") is None
    else:
        assert told.header("content-length") == got.header("content-length")
    assert ask(connection, "/page").status == 200, "the connection goes on"


def test_http_1_0(server):
    for target, framed in (("/page", True), ("/parts", False)):
        with HttpConnection(server.address) as connection:
            connection.send(f"GET {target} HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            response = connection.read()
            assert (response.header("content-length") is not None) == framed
            assert decoded("gzip", response.body) == page() and connection.at_end()


def test_trailers_come_behind(server):
    answer = subprocess.run(["curl", "-sS", "--compressed", "-D", "-", f"{server.url}/trailers"], check=True,
                            capture_output=True, timeout=60).stdout
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert b"content-encoding:" in head.lower()
    assert page() in rest and b"x-sum: abc" in rest


def test_curl_decodes(server):
    for target in ("/page", "/parts"):
        answer = subprocess.run(["curl", "-sS", "--compressed", f"{server.url}{target}"], check=True, capture_output=True, timeout=60)
        assert answer.stdout == page()


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
@pytest.mark.parametrize("path", ["/page", "/parts", "/trailers"])
def test_http_2(server, coding, path):
    words = ["curl", "-sS", "--http2-prior-knowledge", "-H", f"Accept-Encoding: {coding}", "-D", "-", f"{server.url}{path}?etag=a"]
    head, _, body = subprocess.run(words, check=True, capture_output=True, timeout=60).stdout.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert (fields["content-encoding"], fields["etag"], fields["vary"]) == (coding, f'"a-{coding}"', "Accept-Encoding")
    if path == "/trailers":
        body = body.removesuffix(b"x-sum: abc\r\n")
    assert decoded(coding, body) == page()


# --- streams ---


class Gunzip:
    """What a browser has of a stream so far."""

    def __init__(self, connection):
        self.connection, self.inflate, self.text = connection, zlib.decompressobj(wbits=31), b""

    def until(self, expected):
        while self.text != expected:
            size = int(self.connection.take_until(b"\r\n"), 16)
            assert size, "the stream has ended"
            self.text += self.inflate.decompress(self.connection.take(size))
            assert self.connection.take(2) == b"\r\n"

    def rest(self):
        return self.inflate.decompress(self.connection.read_chunks())


@pytest.mark.parametrize("target,first,more", [
    ("/begin", b"begun", b" more"), ("/events", b"data: begun\n\n", b"data: more\n\n")])
def test_streams_are_seen_at_once(server, target, first, more):
    with HttpConnection(server.address) as stream, HttpConnection(server.address) as other:
        stream.send(format_request(target, headers={"Accept-Encoding": "gzip"}))
        _, status, _, fields = stream.read_head()
        assert (status, dict(fields)["content-encoding"], dict(fields)["vary"]) == (200, "gzip", "Accept-Encoding")
        unzipped = Gunzip(stream)
        unzipped.until(first)
        for count in (1, 2, 3):
            other.request("/go-on")
            unzipped.until(first + count * more)
        other.request("/end")
        assert unzipped.rest() == b"" and unzipped.inflate.eof
        stream.send(format_request("/empty"))
        assert stream.read().status == 200


def test_a_stream_that_is_let_go_is_whole(server):
    with HttpConnection(server.address) as stream, HttpConnection(server.address) as other:
        stream.send(format_request("/begin", headers={"Accept-Encoding": "gzip"}))
        stream.read_head()
        unzipped = Gunzip(stream)
        unzipped.until(b"begun")
        other.request("/let-go")
        assert unzipped.rest() == b"" and unzipped.inflate.eof


def test_clients_that_leave_streams_give_their_encoders_back(mode):
    # Room for two encoders of gzip: what 20 clients in turn leave behind is found out and taken back.
    with Server(SERVER["script"], mode=mode, ports=3, env={"ENCODING_BYTES": str(2 * 272 * 1024)}) as server:
        with HttpConnection(server.address) as other:
            for _ in range(20):
                with HttpConnection(server.address) as stream:
                    stream.send(format_request("/begin", headers={"Accept-Encoding": "gzip"}))
                    _, _, _, fields = stream.read_head()
                    assert dict(fields)["content-encoding"] == "gzip"

                def is_noticed():
                    other.request("/go-on")
                    return dict(ask(other, "/page", "gzip").fields).get("content-encoding") == "gzip"
                wait_until(is_noticed, "the encoder is free again")
            other.request("/let-go")


def test_more_streams_than_encoders_are_sent_as_they_are(mode):
    with Server(SERVER["script"], mode=mode, ports=3, env={"ENCODING_BYTES": str(2 * 272 * 1024)}) as server:
        streams = []
        for number in range(4):
            streams.append(HttpConnection(server.address))
            streams[-1].send(format_request("/begin", headers={"Accept-Encoding": "gzip"}))
            _, status, _, fields = streams[-1].read_head()
            assert (status, dict(fields)["vary"]) == (200, "Accept-Encoding")
            assert dict(fields).get("content-encoding") == ("gzip" if number < 2 else None)
        with HttpConnection(server.address) as other:
            assert ask(other, "/page", "gzip").header("content-encoding") is None
            other.request("/end")
            assert ask(other, "/page", "gzip").header("content-encoding") == "gzip"
        for number, stream in enumerate(streams):
            body = stream.read_chunks()
            assert (decoded("gzip", body) if number < 2 else body) == b"begun"
            stream.close()


# --- entity tags ---


def test_tags_tell_encodings_apart(connection):
    assert ask(connection, "/page?etag=a", None).header("etag") == '"a"'
    assert ask(connection, "/page?etag=a", "gzip").header("etag") == '"a-gzip"'
    assert ask(connection, "/page?etag=a", "br").header("etag") == '"a-br"'
    assert ask(connection, "/page?etag=a&weak=1", "br").header("etag") == 'W/"a"'
    assert ask(connection, "/page?etag=a&bytes=10", "br").header("etag") == '"a"'
    assert ask(connection, "/page?tag=%22own%22", "br").header("etag") == '"own-br"'
    assert ask(connection, "/parts?etag=a", "br").header("etag") == '"a-br"'


@pytest.mark.parametrize("path", ["/page", "/asked"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accept,known,status,told", [
    ("gzip", '"a-gzip"', 304, '"a-gzip"'), ("gzip", '"a"', 304, '"a"'), ("gzip", '"a-br"', 200, '"a-gzip"'),
    ("br", '"a-gzip", "a-br"', 304, '"a-br"'), (None, '"a-gzip"', 200, '"a"'), (None, '"a-gzip", "a"', 304, '"a"'),
    ("gzip", 'W/"a-gzip"', 304, '"a-gzip"'), ("gzip", '"b-gzip"', 200, '"a-gzip"'),
])
def test_conditional_requests_know_them(connection, path, method, accept, known, status, told):
    response = ask(connection, f"{path}?etag=a", accept, method=method, If_None_Match=known)
    assert (response.status, response.header("etag"), response.header("vary")) == (status, told, "Accept-Encoding")
    if status == 304:
        assert response.header("content-encoding") is None and response.body == b""


@pytest.mark.parametrize("known,status", [('"a-gzip"', 200), ('"a-br"', 200), ('"a"', 200), ('"b-gzip"', 412), ('W/"a"', 412)])
def test_a_change_of_what_was_read_compressed_is_let_through(connection, known, status):
    assert ask(connection, "/asked?etag=a", method="PUT", If_Match=known).status == status
