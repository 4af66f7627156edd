"""Malformed requests, and those that smuggle another one: what RFC 9112 and RFC 9110 ask for each, and that the server is
alive and serves others afterwards.

Each case is the bytes of one connection and what may be answered. A request that is refused must not reach a handler, and
nothing behind it may be read as a further request: the one answer is the last thing on its connection.
"""

import re

import pytest

from harness import ROOT
from http_client import ClosedEarly, HttpConnection

SERVER = dict(script="http1.php", workers=2)

HOST = b"Host: a.example\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n"


def get(line=b"GET / HTTP/1.1\r\n", fields=HOST, end=b"\r\n", rest=b""):
    return line + fields + end + rest


def post(fields, body=b"", line=b"POST / HTTP/1.1\r\n"):
    return line + HOST + fields + b"\r\n" + body


def chunked(body):
    return post(b"Transfer-Encoding: chunked\r\n", body)


# The table is that of a unit test, which sends all of it to a reactor in its own process, whole and byte by byte. Here make check does
# so, too, and make test sends these: one of each kind of answer, and those whose bytes the kernel cuts.
TABLE = ROOT / "tests/unit/server/sessions/http1_refused.txt"
CANARIES = {
    "2.2 bare LF ends the request line", "2.2 TLS where HTTP is spoken", "2.3 a later major version", "3.1 a method of 10,000 bytes", "3.2 no Host",
    "5.4 too many fields", "3 a target that is too long", "6.1 chunked and a length", "6.3 two lengths", "7.1 a chunk that is longer than its size",
    "7.1.2 trailers of 100,000 bytes", "7.1 a body over the limit", "9110 15.5.14 a length over the limit", "9110 10.1.1 an unknown expectation",
}
ESCAPE = re.compile(rb"\\x([0-9a-f]{2})|\\(.)|\{(\d+)\*([^}]*)\}")


def decoded(text):
    def one(found):
        value, single, count, part = found.groups()
        if value:
            return bytes([int(value, 16)])
        return {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"0": b"\0"}.get(single, single) if single else int(count) * decoded(part)

    return ESCAPE.sub(one, text)


def refused():
    """By name: the bytes, and the statuses that may answer them."""
    rows = [line.split(b" | ", 2) for line in TABLE.read_bytes().splitlines() if not line.startswith(b"#")]
    return {name.decode(): (decoded(data), {int(status) for status in statuses.split()}) for name, statuses, data in rows}


REFUSED = refused()

# name: (bytes, [(status, body), ...]): odd, but right, or harmless and read in one way only.
TAKEN = {
    "2.2 an empty line before the request line": (b"\r\n" + get(), [(200, b"OK")]),
    "2.3 a later minor version is HTTP/1.1": (get(line=b"GET / HTTP/1.2\r\n"), [(200, b"OK")]),
    "3.2.2 an absolute target": (get(line=b"GET http://b.example/ HTTP/1.1\r\n"), [(200, b"OK")]),
    "3.2.2 an absolute target without a path": (get(line=b"GET http://b.example HTTP/1.1\r\n"), [(200, b"OK")]),
    "3.2.4 an asterisk for OPTIONS": (get(line=b"OPTIONS * HTTP/1.1\r\n"), [(204, b"")]),
    "3.2 a Host in brackets": (get(fields=b"Host: [::1]:8080\r\n"), [(200, b"OK")]),
    "5 no blank behind the colon": (get(fields=b"Host:a.example\r\n"), [(200, b"OK")]),
    "5 blanks around a value": (get(fields=b"Host: \t a.example \t \r\n"), [(200, b"OK")]),
    "5 an empty value": (get(fields=HOST + b"X:\r\n"), [(200, b"OK")]),
    "5.5 a value beyond ASCII": (get(fields=HOST + b"X: \xfc\xff\r\n"), [(200, b"OK")]),
    "6.3 neither length nor coding is no body": (post(b"", SMUGGLED), [(200, b""), (200, b"OK")]),
    "6.3 a length of nothing": (post(b"Content-Length: 0\r\n", SMUGGLED), [(200, b""), (200, b"OK")]),
    "6.3 a length ends the body": (post(b"Content-Length: 5\r\n", b"hello" + SMUGGLED), [(200, b"hello"), (200, b"OK")]),
    "6.3 a body of GET is read and passed over": (
        post(b"Content-Length: 44\r\n", SMUGGLED.ljust(44, b" ") + SMUGGLED, b"GET / HTTP/1.1\r\n"), [(200, b"OK")] * 2),
    "6.1 the coding in capitals": (post(b"Transfer-Encoding: CHUNKED\r\n", b"5\r\nhello\r\n0\r\n\r\n"), [(200, b"hello")]),
    "7.1 a chunk size in capitals": (chunked(b"A\r\n0123456789\r\n0\r\n\r\n"), [(200, b"0123456789")]),
    "7.1 a few zeros before a chunk size": (chunked(b"005\r\nhello\r\n0\r\n\r\n"), [(200, b"hello")]),
    "7.1.1 extensions": (chunked(b'5;a;b=c;d="e;\\"f"\r\nhello\r\n0;g\r\n\r\n'), [(200, b"hello")]),
    "7.1.2 trailers": (chunked(b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n" + SMUGGLED), [(200, b"hello"), (200, b"OK")]),
    "9.3.2 pipelined": (get() * 5, [(200, b"OK")] * 5),
    "9110 10.1.1 an expectation of HTTP/1.0 is none": (
        get(line=b"GET / HTTP/1.0\r\n", fields=b"Expect: the-unexpected\r\n"), [(200, b"OK")]),
    "9110 7.8 an unknown upgrade is passed over": (
        get(fields=HOST + b"Connection: upgrade\r\nUpgrade: coffee/1.0\r\n"), [(200, b"OK")]),
    "9110 9.1 methods have a case": (get(line=b"get / HTTP/1.1\r\n"), [(405, None)]),
    "9110 9.3.8 TRACE is for the application": (get(line=b"TRACE / HTTP/1.1\r\n"), [(405, None)]),
}

# Requests that have begun and do not go on: nothing is answered that could be taken for more than it is.
UNFINISHED = {
    "no end of the head": get(end=b""),
    "no end of the request line": b"GET / HTTP/1.1",
    "a body that is too short": post(b"Content-Length: 50\r\n", b"hello"),
    "a chunk that is too short": chunked(b"5\r\nhel"),
    "no last chunk": chunked(b"5\r\nhello\r\n"),
    "no end of the trailers": chunked(b"5\r\nhello\r\n0\r\nX: y\r\n"),
}


def of_head(data):
    return "HEAD" if data.startswith(b"HEAD ") else "GET"


def alive(server):
    with HttpConnection(server.address) as connection:
        response = connection.request("/")
        assert (response.status, response.body) == (200, b"OK")


def with_canaries(names):
    return [pytest.param(name, marks=pytest.mark.slow if name in REFUSED and name not in CANARIES else ()) for name in names]


def test_canaries_are_in_the_table():
    assert CANARIES <= REFUSED.keys()


@pytest.mark.parametrize("name", with_canaries(REFUSED))
def test_refused(server, name):
    data, statuses = REFUSED[name]
    before = len(server.events("request"))
    with HttpConnection(server.address) as connection:
        try:
            connection.send(data + SMUGGLED)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has answered and closed before all was sent
        response = connection.read()
        assert response.status in statuses, response
        assert response.header("connection") == "close", response
        assert connection.take_all() == b"", "what follows was read as a request"
    assert len(server.events("request")) == before, "it has reached the handler"
    alive(server)


@pytest.mark.parametrize("name", TAKEN)
def test_taken(server, name):
    data, answers = TAKEN[name]
    with HttpConnection(server.address) as connection:
        connection.send(data)
        for status, body in answers:
            response = connection.read()
            assert response.status == status, response
            assert body is None or response.body == body, response
    alive(server)


@pytest.mark.parametrize("name", UNFINISHED)
def test_unfinished(server, name):
    before = len(server.events("request"))
    with HttpConnection(server.address) as connection:
        connection.send(UNFINISHED[name])
        connection.socket.shutdown(1)
        try:
            while connection.read().status == 100:
                pass
            raise AssertionError("it was answered as if it were complete")
        except ClosedEarly as closed:
            assert closed.args[0] == b""
    assert len(server.events("request")) == before
    alive(server)


@pytest.mark.parametrize("name", with_canaries([*REFUSED, *TAKEN]))
def test_the_same_byte_by_byte(server, name):
    """The answer does not depend on how the bytes arrive."""
    data, expected = (REFUSED | TAKEN)[name]
    if len(data) > 400:
        pytest.skip("it would take as many packets")
    whole, pieces = [], []
    for answers, step in ((whole, len(data)), (pieces, 1)):
        with HttpConnection(server.address) as connection:
            try:
                for at in range(0, len(data), step):
                    connection.send(data[at:at + step])
                connection.socket.shutdown(1)
            except OSError:
                pass
            try:
                while True:
                    response = connection.read()
                    answers.append((response.status, response.body))
            except ClosedEarly:
                pass
    assert pieces == whole
    alive(server)
