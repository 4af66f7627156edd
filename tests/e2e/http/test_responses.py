"""What responses can say beside a body: cookies, early hints, trailers, validators, events; and when 413 is said."""

import contextlib
import subprocess

import pytest

from harness import wait_until
from http_client import HttpConnection, format_request, get

SERVER = dict(script="responses.php", workers=1, reactors=1)


@pytest.fixture
def connection(server):
    with HttpConnection(server.address) as connection:
        yield connection


def url(server, path):
    return f"http://127.0.0.1:{server.ports[0]}{path}"


# --- cookies ---


def test_cookies(connection):
    assert connection.request("/cookies").all("set-cookie") == [
        "a=1; Path=/; HttpOnly; SameSite=Lax",
        "b=2; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=3600; Path=/x; Domain=example.com; Secure; SameSite=None; "
        "Partitioned",
        "c=",
        "d=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
        "e=; Path=/; HttpOnly; SameSite=Lax",
        "f=100%25%20%22%C3%BC%22%3B%20x=1%0D%0Ax-b:%20c; Path=/; HttpOnly; SameSite=Lax",
    ]


def test_what_is_echoed_is_captured(server):
    names = [f"name{number}" for number in range(30)]
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(HttpConnection(server.address)) for _ in names]
        for connection, name in zip(connections, names):
            connection.send(format_request(f"/capture?name={name}"))
        for connection, name in zip(connections, names):
            response = connection.read()
            assert (response.status, response.text) == (200, f"<p>{name}{name.upper()}</p>")
            assert response.header("content-type") == "text/html; charset=utf-8"
    assert "<p>name" not in server.output()


def test_capture_leaves_nothing_behind(connection, server):
    response = connection.request("/capture?name=a&how=status")
    assert (response.status, response.header("content-type"), response.text) == (404, "text/plain", "<p>aA</p>")
    assert connection.request("/capture?name=a&how=open").text == "<p>aA!</p>"
    assert connection.request("/capture?name=a&how=throw").status == 500
    assert connection.request("/capture?name=a&how=close").status == 500
    assert connection.request("/capture-errors").json() == [
        "LogicException: thrown",
        r"Sluice\ServerException: The function has closed the output buffer of capture(), which it had not opened",
        r'TypeError: Sluice\Http\Response::capture(): Argument #1 ($function) must be a valid callback, function "nothing" not found or '
        "invalid function name",
        0,
    ]
    assert "<p>a" not in server.output()


def test_what_is_refused(connection):
    response = connection.request("/refused")
    method = r"Sluice\Http\Response::"
    value = ["must have at most 4096 bytes together with the name, once encoded"]
    assert response.json() == [
        f"ValueError: {method}cookie(): Argument #1 ($name) must be a token: letters, digits and !#$%&'*+-.^_`|~",
        f"ValueError: {method}cookie(): Argument #2 ($value) {value[0]}",
        f"ValueError: {method}cookie(): Argument #5 ($path) must be empty or begin with a slash, of at most 1024 bytes of "
        "ASCII without semicolons",
        f"ValueError: {method}cookie(): Argument #6 ($domain) must be empty or a host's name in ASCII",
        f"ValueError: {method}cookie(): Argument #7 ($secure) must be true when the cookie goes to other sites "
        "(SameSite::None)",
        f"ValueError: {method}cookie(): Argument #3 ($expires) must be between 1970 and the end of the year 9999, -1 given",
        f"ValueError: {method}etag(): Argument #1 ($tag) must not hold quotes, blanks or control characters",
        f"ValueError: {method}lastModified(): Argument #1 ($at) must be between 1970 and the end of the year 9999, -1 given",
        f"ArgumentCountError: {method}earlyHints() expects at least 1 argument, 0 given",
        f"ValueError: {method}earlyHints(): Argument #1 must not be empty or hold CR, LF, NUL or another control character",
        f"ValueError: {method}earlyHints(): Argument #1 must not be empty or hold CR, LF, NUL or another control character",
        f'ValueError: {method}trailer(): Argument #1 ($name) must not be "Content-Length": it has to be known before the body',
        f"ValueError: {method}trailer(): Argument #2 ($value) must not hold CR, LF, NUL or another control character",
    ]
    assert response.all("set-cookie") == []


# --- 103 ---


def test_early_hints(connection):
    for _ in range(2):
        connection.send(format_request("/hints"))
        first, second, last = connection.read(), connection.read(), connection.read()
        assert (first.status, first.reason) == (103, "Early Hints")
        assert first.fields == [("link", "</a.css>; rel=preload; as=style"), ("link", "</b.js>; rel=preload; as=script")]
        assert (second.status, second.fields) == (103, [("link", "</c.css>; rel=preload")])
        assert (last.status, last.text, last.header("x-final"), last.all("link")) == (200, "hinted", "1", [])


def test_no_early_hints_for_http_1_0(connection):
    connection.send(b"GET /hints HTTP/1.0\r\n\r\n")
    assert connection.read().status == 200


def test_curl_understands_early_hints(server):
    answer = subprocess.run(["curl", "-sS", "-i", url(server, "/hints")], check=True, capture_output=True, timeout=60)
    assert answer.stdout.startswith(b"HTTP/1.1 103 ")
    assert answer.stdout.endswith(b"\r\n\r\nhinted")


# --- trailers ---


@pytest.mark.parametrize("query,body", [
    ("write=one&end=two", b"onetwo"), ("write=one", b"one"), ("end=two", b"two"), ("", b"")])
def test_trailers(connection, query, body):
    connection.send(format_request(f"/trailers?{query}"))
    _, status, _, fields = connection.read_head()
    assert (status, dict(fields).get("transfer-encoding")) == (200, "chunked")
    received = b""
    while size := int(connection.take_until(b"\r\n"), 16):
        received += connection.take(size)
        assert connection.take(2) == b"\r\n"
    assert received == body
    assert connection.take_until(b"\r\n\r\n") == b"X-Sum: abc\r\nx-more: 1"
    assert connection.request("/").status == 200


def test_trailers_behind_a_big_body(server):
    answer = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-D", "-", url(server, "/big-trailers")], check=True,
                            capture_output=True, timeout=60)
    assert answer.stdout.endswith(b"\r\n\r\nX-Sum: abc\r\n")


def test_no_trailers_without_chunks(connection):
    connection.send(b"GET /trailers?write=one HTTP/1.0\r\n\r\n")
    assert connection.take_all().endswith(b"\r\n\r\none")


# --- conditional requests ---

OLDER, SAME = "Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("ask", ["", "&ask=1"], ids=["itself", "asked"])
@pytest.mark.parametrize("query,headers,status", [
    ("etag=a", {}, 200),
    ("etag=a", {"If-None-Match": '"a"'}, 304),
    ("etag=a&weak=1", {"If-None-Match": '"b", "a"'}, 304),
    ("etag=a", {"If-None-Match": '"b"'}, 200),
    ("etag=a", {"If-Match": '"b"'}, 412),
    ("etag=a&weak=1", {"If-Match": 'W/"a"'}, 412),
    ("date=1", {"If-Modified-Since": SAME}, 304),
    ("date=object", {"If-Modified-Since": SAME}, 304),
    ("date=1", {"If-Modified-Since": OLDER}, 200),
    ("date=1", {"If-Unmodified-Since": OLDER}, 412),
    ("etag=a&date=1", {"If-None-Match": '"b"', "If-Modified-Since": SAME}, 200),
    ("etag=a&date=1", {"If-None-Match": '"a"', "If-Modified-Since": OLDER}, 304),
])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_conditions(connection, ask, query, headers, status, method):
    response = connection.request(f"/document?{query}{ask}", method=method, headers=headers)
    assert response.status == status
    if status == 200:
        assert response.text == ("document" if method == "GET" else "")
        assert response.header("content-length") == "8"
    else:
        assert response.body == b"" and response.header("content-type") is None
        assert response.header("content-length") == (None if status == 304 else "0")
    if "etag" in query:
        assert response.header("etag") == ('W/"a"' if "weak" in query else '"a"')
    if "date" in query:
        assert response.header("last-modified") == SAME
    assert connection.request("/").status == 200


def test_other_methods_are_only_looked_at_when_asked(connection):
    headers = {"If-Match": '"b"'}
    assert connection.request("/document?etag=a", method="PUT", headers=headers, body=b"x").status == 200
    assert connection.request("/document?etag=a&ask=1", method="PUT", headers=headers, body=b"x").status == 412
    headers = {"If-None-Match": "*"}
    assert connection.request("/document?etag=a&ask=1", method="PUT", headers=headers, body=b"x").status == 412


def test_conditions_without_validators_mean_nothing(connection):
    assert connection.request("/document", headers={"If-None-Match": '"a"', "If-Modified-Since": SAME}).status == 200


# --- events ---

EVENTS = b"event: greeting\nid: 7\nretry: 1500\ndata: two\ndata: lines\n\n: still here\n\ndata: plain\n\n"


def test_events(server, connection):
    response = connection.request("/events")
    assert (response.status, response.body) == (200, EVENTS)
    assert response.header("content-type") == "text/event-stream"
    assert response.header("cache-control") == "no-cache"
    assert server.events("refused")[-1]["with"] == \
        r"ValueError: Sluice\Http\EventStream::send(): Argument #2 ($type) must not hold CR, LF or NUL"
    assert server.events("ended")[-1]["with"] == r"Sluice\ServerException: The response was ended already"


def test_events_that_are_kept(server, connection):
    connection.send(format_request("/events?keep=1"))
    connection.read_head()
    received = b""
    while len(received) < len(EVENTS):
        received += connection.take(int(connection.take_until(b"\r\n"), 16))
        assert connection.take(2) == b"\r\n"
    assert received == EVENTS
    assert get(server, "/tell").json() == ["Sent"]
    assert connection.take(17) == b"c\r\ndata: told\n\n\r\n"
    assert get(server, "/let-go").text == "gone"
    assert connection.take_until(b"\r\n\r\n") == b"0"


def test_events_whose_client_has_gone(server, connection):
    connection.send(format_request("/events?keep=1"))
    connection.read_head()
    connection.close()
    wait_until(lambda: get(server, "/tell").json() == ["Closed"], "the stream tells that its client has gone")
    get(server, "/let-go")


# --- 413 ---


def test_413_comes_as_soon_as_the_length_is_announced(connection):
    connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n")
    assert connection.read().status == 413
    assert connection.at_end()


def test_413_reaches_who_goes_on_sending(connection):
    connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n")
    connection.send(b"x" * 1048577)
    assert connection.read().status == 413
    assert connection.at_end()


def test_413_for_those_who_ask(connection):
    connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\nExpect: 100-continue\r\n\r\n")
    assert connection.read().status == 413
    assert connection.at_end()
