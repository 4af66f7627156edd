"""HTTP/1.1 as clients see it."""

import concurrent.futures
import email.utils
import hashlib
import os
import random
import re
import subprocess
import time

import pytest

from harness import wait_until
from http_client import ClosedEarly, HttpConnection, format_request, get

SERVER = dict(script="http.php", workers=2, reactors=2)


@pytest.fixture
def connection(server):
    with HttpConnection(server.address) as connection:
        yield connection


# --- what a handler gets and gives ---


def test_hello(connection):
    response = connection.request("/hello")
    assert (response.status, response.reason, response.text) == (200, "OK", "hello world")
    assert response.header("content-type") == "text/plain; charset=utf-8"
    assert response.header("content-length") == "11"


def test_date_is_now(connection):
    said = email.utils.parsedate_to_datetime(connection.request("/hello").header("date")).timestamp()
    assert abs(said - time.time()) < 5


def test_request_line_and_query_reach_the_handler(connection):
    seen = connection.request("/inspect?a=1&a=2%20x&b[]=3&b[]=4&c=%C3%BC+%2B").json()
    assert seen["method"] == "GET"
    assert seen["target"] == "/inspect?a=1&a=2%20x&b[]=3&b[]=4&c=%C3%BC+%2B"
    assert seen["path"] == "/inspect"
    assert seen["protocol"] == "1.1"
    assert seen["queryString"] == "a=1&a=2%20x&b[]=3&b[]=4&c=%C3%BC+%2B"
    assert seen["a"] == "2 x"
    assert seen["missing"] == "fallback"
    assert seen["queryAll"] == {"a": "2 x", "b": ["3", "4"], "c": "ü +"}


def test_host_and_peer_reach_the_handler(connection):
    seen = connection.request("/inspect").json()
    assert seen["host"] == "test.example"
    address, port = connection.socket.getsockname()
    assert seen["peer"] == f"{address}:{port}"


def test_absolute_target_names_the_host(connection):
    connection.send(b"GET http://other.example/inspect?a=1 HTTP/1.1\r\nHost: other.example\r\n\r\n")
    seen = connection.read().json()
    assert (seen["host"], seen["path"], seen["a"]) == ("other.example", "/inspect", "1")


def test_headers_reach_the_handler(connection):
    headers = [("X-Test", "one"), ("x-test", "two"), ("X-Empty", ""), ("X-Blanks", "  around \t")]
    seen = connection.request("/inspect", headers=headers).json()
    assert seen["x-test"] == "one, two"
    assert seen["no-such"] == "fallback"
    assert seen["headers"]["x-test"] == ["one", "two"]
    assert seen["headers"]["x-empty"] == [""]
    assert seen["headers"]["x-blanks"] == ["around"]
    assert seen["headers"]["host"] == ["test.example"]


def test_cookies_reach_the_handler(connection):
    seen = connection.request("/inspect", headers={"Cookie": "flavour=oat%20meal; b=; flavour=second; c=x=y"}).json()
    assert seen["cookie"] == "oat meal"
    assert seen["cookies"] == {"flavour": "oat meal", "b": "", "c": "x=y"}
    assert connection.request("/inspect", headers={"Cookie": "flavour=a+b%c3%bc%zz"}).json()["cookie"] == "a+bü%zz"


def test_server_parameters(connection, server):
    before = time.time()
    seen = connection.request("/inspect?a=1", headers={
        "X-Request-Id": "7", "x-list": "a", "X-List": "b", "Content-Type": "text/plain", "Cookie": "a=1",
        "Proxy": "evil", "Remote_Addr": "evil", "X_Request_Id": "evil"}, method="POST", body=b"body").json()["serverParams"]
    assert before - 1 < seen.pop("REQUEST_TIME_FLOAT") < time.time() + 1
    assert abs(seen.pop("REQUEST_TIME") - before) < 5
    assert int(seen.pop("REMOTE_PORT")) == connection.socket.getsockname()[1]
    assert seen.pop("SERVER_SOFTWARE").startswith("Sluice/")
    assert seen == {
        "REQUEST_METHOD": "POST", "REQUEST_URI": "/inspect?a=1", "QUERY_STRING": "a=1", "SERVER_PROTOCOL": "HTTP/1.1",
        "REQUEST_SCHEME": "http", "SERVER_NAME": "test.example", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "text/plain", "CONTENT_LENGTH": "4", "HTTP_HOST": "test.example", "HTTP_X_REQUEST_ID": "7",
        "HTTP_X_LIST": "a, b", "HTTP_COOKIE": "a=1",
    }


@pytest.mark.parametrize("host, name, port", [("a.example:8080", "a.example", "8080"), ("[::1]:81", "[::1]", "81"), ("[::1]", "[::1]", "80")])
def test_server_parameters_by_host(connection, host, name, port):
    connection.send(f"GET /inspect HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    seen = connection.read().json()["serverParams"]
    assert (seen["SERVER_NAME"], seen["SERVER_PORT"], seen["HTTP_HOST"]) == (name, port, host)


@pytest.mark.parametrize("headers, wanted", [
    ([], ["application/json", "en"]),
    ([("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), ("Accept-Language", "de-AT,de;q=0.9,en;q=0.8")],
     ["text/html", "de"]),
    ([("Accept", "*/*"), ("Accept-Language", "*")], ["application/json", "en"]),
    ([("Accept", "text/*;q=0.5"), ("Accept", "text/plain;format=flowed"), ("Accept-Language", "fr")], ["text/plain;format=flowed", "fr-CA"]),
    ([("Accept", "image/png"), ("Accept-Language", "nl")], [None, None]),
])
def test_what_the_client_prefers(connection, headers, wanted):
    assert connection.request("/prefers", headers=headers).json() == wanted


def test_what_may_be_offered(connection):
    method = r"Sluice\Http\Request::"
    types = "must be a list of media types such as text/html, without wildcards, and not empty"
    assert connection.request("/refused-offers").json() == [
        f"{method}prefers(): Argument #1 ($types) {types}", f"{method}prefers(): Argument #1 ($types) {types}",
        f"{method}prefers(): Argument #1 ($types) {types}",
        f"{method}prefersLanguage(): Argument #1 ($languages) must be a list of language tags such as de or en-GB, and not empty",
        "de",
    ]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
def test_any_method_with_a_body(connection, method):
    seen = connection.request("/inspect", method=method, body=b"some body").json()
    assert (seen["method"], seen["body"]) == (method, "some body")


def test_json_body_is_decoded(connection):
    response = connection.request("/parse-json", method="POST", body=b'{"a": [1, {"b": null}]}')
    assert response.json() == {"parsed": {"a": [1, {"b": None}]}}


def test_json_body_that_is_none_throws(connection):
    response = connection.request("/parse-json", method="POST", body=b"{nonsense")
    assert (response.status, response.text) == (422, "the body is no JSON: Syntax error, JsonException")


def test_json_body_that_is_none_is_the_clients_mistake(connection, server):
    response = connection.request("/json-body", method="POST", body=b"{nonsense")
    assert (response.status, response.text) == (400, "400 Bad Request: the body is no JSON: Syntax error\n")
    assert connection.request("/json-body", method="POST", body=b"1").json() == {"parsed": 1}
    assert "JsonException" not in server.output()


def test_ready_made_json_is_sent_as_it_is(connection):
    response = connection.request("/json-text")
    assert (response.header("content-type"), response.body) == ("application/json", b'{"ready":  [1]}')


def test_fields_of_the_response(connection):
    response = connection.request("/fields")
    assert response.header("x-one") == "second"
    assert response.all("set-cookie") == ["a=1", "b=2; HttpOnly"]
    assert len(response.all("date")) == 1


def test_line_breaks_in_fields_are_refused(connection):
    response = connection.request("/refused-fields")
    assert len(response.json()) == 13, response.json()
    assert response.header("x-b") is None
    assert connection.request("/hello").status == 200


@pytest.mark.parametrize("code,reason", [
    (201, "Created"), (404, "Not Found"), (418, None), (503, "Service Unavailable"), (599, None)])
def test_status(connection, code, reason):
    response = connection.request(f"/status?code={code}&body=text")
    assert (response.status, response.text) == (code, "text")
    assert reason is None or response.reason == reason


def test_status_out_of_range_is_refused(connection):
    answers = connection.request("/misuse").json()
    assert "accepted" not in answers
    assert "99" in answers[0] and "600" in answers[1] and "200" in answers[2], answers


@pytest.mark.parametrize("code", [204, 304])
def test_status_without_a_body_sends_none(connection, code):
    response = connection.request(f"/status?code={code}")
    assert (response.status, response.body) == (code, b"")
    assert response.header("transfer-encoding") is None
    if code == 204:
        assert response.header("content-length") is None
    # Would a body follow, it would be read as the start of the next response.
    assert connection.request("/hello").text == "hello world"


@pytest.mark.parametrize("code", [204, 304])
def test_a_body_for_a_status_without_one_is_refused(server, connection, code):
    assert connection.request(f"/status?code={code}&body=unwanted").status == 500
    wait_until(lambda: f"status {code} has no body" in server.output(), "the exception is in the log")


def test_json(connection):
    response = connection.request("/json")
    assert response.header("content-type") == "application/json"
    assert response.json() == {"ünï": "a/b\n", "list": [1, 2.5, None, True]}
    assert connection.request("/json-pretty").text == '{\n    "a": "ü"\n}'
    assert connection.request("/json-broken").text == "not JSON"


def test_html(connection):
    response = connection.request("/html")
    assert (response.header("content-type"), response.text) == ("text/html; charset=utf-8", "<p>hi</p>")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect(connection, status):
    response = connection.request(f"/redirect?status={status}")
    assert (response.status, response.header("location"), response.body) == (status, "/hello?name=again", b"")


def test_a_response_is_finished_once(server, connection):
    assert connection.request("/twice").text == "once"
    seen = server.wait_event("twice")
    assert (seen["before"], seen["after"]) == (False, True)
    assert all(seen["errors"].values()), seen["errors"]


def test_not_found_is_the_handlers_answer(connection):
    response = connection.request("/nothing")
    assert (response.status, response.text) == (404, "There is nothing at /nothing")


# --- connections ---


def test_keep_alive(connection):
    for number in range(50):
        response = connection.request(f"/hello?name={number}")
        assert (response.text, response.header("connection")) == (f"hello {number}", None)


def test_connection_close_is_honoured(connection):
    response = connection.request("/hello", headers={"Connection": "close"})
    assert (response.text, response.header("connection")) == ("hello world", "close")
    assert connection.at_end()


def test_http_1_0_closes(connection):
    connection.send(b"GET /hello HTTP/1.0\r\n\r\n")
    assert connection.read().text == "hello world"
    assert connection.at_end()


def test_http_1_0_stream_ends_with_the_connection(connection):
    connection.send(b"GET /stream HTTP/1.0\r\n\r\n")
    response = connection.read()
    assert (response.header("transfer-encoding"), response.text) == (None, "one two three")


def test_pipelined_requests_are_answered_in_order(connection):
    # Two workers share them, so they may well be finished in another order.
    count = 200
    connection.send(b"".join(format_request(f"/hello?name={number}") for number in range(count)))
    assert [connection.read().text for _ in range(count)] == [f"hello {number}" for number in range(count)]


def test_pipelined_requests_after_bodies(connection):
    body = os.urandom(30_000)
    connection.send(
        format_request("/echo", "POST", body=body) + format_request("/hello")
        + b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        + format_request("/echo", "POST", body=b"") + format_request("/hello?name=last"))
    assert connection.read().body == body
    assert connection.read().text == "hello world"
    assert connection.read().text == "abc"
    assert connection.read().body == b""
    assert connection.read().text == "hello last"


def test_a_slow_answer_holds_up_those_pipelined_behind_it(connection):
    connection.send(format_request("/later?mark=1") + format_request("/hello") + format_request("/later?mark=2"))
    assert [connection.read().text for _ in range(3)] == ["later 1", "hello world", "later 2"]


@pytest.mark.parametrize("step", [1, 2, 3, 7, 64])
def test_requests_split_at_odd_places(connection, step):
    stream = (
        format_request("/hello?name=a", headers={"X-Test": "b"}) + format_request("/echo", "POST", body=b"0123456789")
        + b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"5;x=\"y\"\r\nhello\r\nA\r\n, chunked!\r\n0\r\nX-T: 1\r\n\r\n"
        + format_request("/hello"))
    for start in range(0, len(stream), step):
        connection.send(stream[start:start + step])
    assert [connection.read().text for _ in range(4)] == ["hello a", "0123456789", "hello, chunked!", "hello world"]


def test_many_connections_at_once(server):
    connections = [HttpConnection(server.address) for _ in range(200)]
    for number, connection in enumerate(connections):
        connection.send(format_request(f"/hello?name={number}"))
    for number, connection in enumerate(connections):
        assert connection.read().text == f"hello {number}"
        connection.close()


def test_a_client_that_leaves_before_its_answer_harms_nobody(server):
    for _ in range(20):
        with HttpConnection(server.address) as leaving:
            leaving.send(format_request("/later"))
    assert get(server, "/hello").text == "hello world"


def test_connections_are_counted(server):
    # Those of earlier tests may still be closing. One is the connection that asks.
    wait_until(lambda: get(server, "/stats").json()["connections"] <= 1, "nobody else is connected")
    connections = [HttpConnection(server.address) for _ in range(30)]
    for connection in connections:
        assert connection.request("/hello").status == 200
    assert get(server, "/stats").json()["connections"] >= 30
    for connection in connections:
        connection.close()
    wait_until(lambda: get(server, "/stats").json()["connections"] <= 1,
               "closed connections are not counted any more")


# --- bodies ---


@pytest.mark.parametrize("size", [1, 100, 8191, 8192, 8193, 16384, 65536, 262144, 1 << 20, 4 << 20])
def test_body_is_echoed(connection, size):
    body = os.urandom(size)
    response = connection.request("/echo", method="POST", body=body)
    assert hashlib.sha256(response.body).digest() == hashlib.sha256(body).digest()
    assert response.header("content-length") == str(size)


def test_body_arriving_in_pieces(connection):
    body = os.urandom(300_000)
    connection.send(format_request("/hash", "POST", headers={"Content-Length": str(len(body))}))
    for start in range(0, len(body), 7919):
        connection.send(body[start:start + 7919])
    assert connection.read().json() == {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}


@pytest.mark.parametrize("size", [0, 1, 10_000, 1 << 20])
def test_chunked_body(connection, size):
    body = os.urandom(size)
    chance = random.Random(size)
    stream, at = [], 0
    while at < size:
        chunk = body[at:at + chance.randint(1, max(1, size // 20))]
        stream += [f"{len(chunk):x}\r\n".encode(), chunk, b"\r\n"]
        at += len(chunk)
    connection.send(
        b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(stream) + b"0\r\n\r\n")
    assert connection.read().body == body
    assert connection.request("/hello").status == 200


def test_bodies_of_many_clients_do_not_mix(server):
    def one(number):
        body = bytes([number]) * (20_000 + 997 * number)
        with HttpConnection(server.address) as connection:
            return all(connection.request("/echo", method="POST", body=body).body == body for _ in range(5))
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert all(pool.map(one, range(64)))


def test_expect_100_continue(connection):
    connection.send(format_request("/echo", "POST", headers={"Content-Length": "5", "Expect": "100-continue"}))
    assert connection.read().status == 100
    connection.send(b"hello")
    assert connection.read().text == "hello"


def test_expect_100_continue_of_too_big_a_body_is_refused_at_once(connection):
    connection.send(format_request("/echo", "POST", headers={"Content-Length": str(9 << 20), "Expect": "100-continue"}))
    assert connection.read().status == 413
    assert connection.at_end()


def test_head_sends_the_head_alone(connection):
    response = connection.request("/hello", method="HEAD")
    assert (response.status, response.header("content-length"), response.body) == (200, "11", b"")
    response = connection.request("/stream", method="HEAD")
    assert response.status == 200
    assert connection.request("/hello").text == "hello world"


def test_stream_is_chunked(connection):
    response = connection.request("/stream")
    assert (response.header("transfer-encoding"), response.header("content-length")) == ("chunked", None)
    assert response.text == "one two three"


def test_stream_with_a_length_is_not_chunked(connection):
    response = connection.request("/stream?length=13")
    assert (response.header("transfer-encoding"), response.header("content-length")) == (None, "13")
    assert response.text == "one two three"


def test_big_stream(connection):
    body = connection.request("/stream-big").body
    assert body == b"".join(bytes([65 + i % 26]) * 65536 for i in range(64)) + b"end"


# --- unfinished and broken handlers ---


def test_response_is_finished_later_by_a_timer(connection):
    assert connection.request("/later?mark=x").text == "later x"


def test_response_that_is_let_go_is_finished(connection):
    response = connection.request("/let-go")
    assert (response.status, response.header("x-mark"), response.body) == (202, "let go", b"")
    assert connection.request("/let-go-streaming").text == "what there is"
    assert connection.request("/hello").status == 200


def test_exception_answers_500_and_is_logged_with_its_trace(server):
    mark = f"mark-{random.random()}"
    worker = get(server, "/worker").json()["pid"]
    response = get(server, f"/throw?mark={mark}")
    assert response.status == 500
    assert mark not in response.text, "the client must not see what the exception says"
    log = wait_until(lambda: (output := server.output()) and mark in output and output, "the exception is in the log")
    assert "RuntimeException" in log and "http.php" in log and re.search(r"#0 ", log), log
    assert worker in server.worker_pids(), "an exception is no reason to lose a worker"


def test_error_answers_500(server):
    assert get(server, "/error").status == 500
    wait_until(lambda: "TypeError" in server.output(), "the error is in the log")
    assert get(server, "/hello").status == 200


def test_exception_after_the_head_breaks_the_stream_off(connection):
    # The client has to find out that the body is not complete.
    connection.send(format_request("/stream-throw"))
    with pytest.raises(ClosedEarly):
        connection.read()


# --- bad input ---


@pytest.mark.parametrize("request_bytes", [
    b"nonsense\r\n\r\n",
    b"GET /hello\r\n\r\n",
    b"GET /hello HTTP/1.1\r\n\r\n",
    b"GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /hello HTTP/1.1\r\nHost : a\r\n\r\n",
    b"GET /hello HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
    b"GET /hello HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
    b"GET /hello HTTP/1.1\nHost: a\n\n",
    b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
    b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
], ids=["no-request", "http-0.9", "no-host", "two-hosts", "blank-before-colon", "folded", "nul", "bare-lf",
        "two-lengths", "signed-length", "length-and-chunked", "chunk-size", "chunk-too-long"])
def test_malformed_request_gets_400_and_a_closed_connection(connection, request_bytes):
    connection.send(request_bytes)
    response = connection.read()
    assert (response.status, response.header("connection")) == (400, "close"), response
    assert response.text.strip(), "the answer says what was wrong"
    assert connection.at_end()


def test_answers_pipelined_before_a_malformed_request_are_still_sent(connection):
    connection.send(format_request("/later?mark=1") + format_request("/hello") + b"nonsense\r\n\r\n")
    assert [connection.read().status for _ in range(3)] == [200, 200, 400]
    assert connection.at_end()


@pytest.mark.parametrize("coding", ["gzip, chunked", "identity", "chunked, chunked"])
def test_unknown_transfer_coding_is_refused(connection, coding):
    connection.send(f"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: {coding}\r\n\r\n0\r\n\r\n".encode())
    assert connection.read().status in (400, 501)
    assert connection.at_end()


def test_overlong_head_gets_431(connection):
    connection.send(b"GET /hello HTTP/1.1\r\nHost: a\r\nX-Long: " + b"x" * 9000)
    assert connection.read().status == 431
    assert connection.at_end()


def test_too_many_fields_get_431(connection):
    connection.send(format_request("/hello", headers=[(f"X-{number}", "y") for number in range(60)]))
    assert connection.read().status == 431


def test_too_big_a_body_gets_413(connection):
    connection.send(format_request("/echo", "POST", headers={"Content-Length": str((8 << 20) + 1)}) + b"x")
    assert connection.read().status == 413
    assert connection.at_end()


def test_too_big_a_chunked_body_gets_413(connection):
    connection.send(b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n800001\r\nabc")
    assert connection.read().status == 413


def test_half_a_request_and_goodbye(server):
    half_body = b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n" + b"x" * 20000
    for half in [b"", b"GET", b"GET /hello HTTP/1.1\r\nHost", half_body]:
        with HttpConnection(server.address) as leaving:
            leaving.send(half)
    assert get(server, "/hello").status == 200


# --- other people's clients ---


def curl(*arguments, **more):
    command = ["curl", "-sS", "--max-time", "20", "--noproxy", "*", *arguments]
    return subprocess.run(command, capture_output=True, timeout=30, **more)


def test_curl_gets(server):
    done = curl("-i", f"{server.url}/hello?name=curl")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"HTTP/1.1 200 OK\r\n") and done.stdout.endswith(b"\r\n\r\nhello curl")


def test_curl_posts_a_file_after_100_continue(server, tmp_path):
    body = os.urandom(3 << 20)
    (tmp_path / "body").write_bytes(body)
    done = curl("-v", "-H", "Expect: 100-continue", "--data-binary", f"@{tmp_path}/body", f"{server.url}/echo")
    assert done.returncode == 0, done.stderr
    assert done.stdout == body
    assert b"< HTTP/1.1 100 Continue" in done.stderr


def test_curl_sends_chunked(server, tmp_path):
    body = os.urandom(500_000)
    (tmp_path / "body").write_bytes(body)
    done = curl("-H", "Transfer-Encoding: chunked", "-H", "Expect:", "-T", str(tmp_path / "body"), f"{server.url}/echo")
    assert (done.returncode, done.stdout) == (0, body), done.stderr


def test_curl_reuses_its_connection_and_follows_a_redirect(server):
    done = curl("-w", " by %{num_connects} connection", "-L", f"{server.url}/redirect")
    assert done.stdout == b"hello again by 1 connection", done.stderr


def test_curl_reads_a_stream(server):
    assert curl(f"{server.url}/stream").stdout == b"one two three"


def test_curl_heads(server):
    done = curl("-I", f"{server.url}/hello")
    assert done.returncode == 0 and b"content-length: 11" in done.stdout.lower()
