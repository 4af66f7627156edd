"""RFC 9113 section 8: what a request has to be like."""

import pytest

from http2_client import DATA, END_HEADERS, END_STREAM, HEADERS, PROTOCOL_ERROR, Http2Connection
from http2_rules import (SERVER, connection, expect_connection_error, expect_no_error,  # noqa: F401
                         expect_stream_error, open_stream)

METHOD, SCHEME, PATH, AUTHORITY = (":method", "GET"), (":scheme", "http"), (":path", "/hello"), (":authority", "test.example")
WHOLE = [METHOD, SCHEME, PATH, AUTHORITY]


def expect_malformed(connection, fields, ended=True):
    stream = connection.begin(fields=fields, ended=ended)
    expect_stream_error(connection, stream, PROTOCOL_ERROR)
    assert stream not in connection.responses or connection.responses[stream].fields is None


# --- 8.2: fields ---


@pytest.mark.parametrize("name", ["X-Test", "x-tesT", "Host", "CONTENT-LENGTH", ":Path"])
def test_names_have_no_capitals(connection, name):
    expect_malformed(connection, [*WHOLE, (name, "1")])


@pytest.mark.parametrize("name", ["", "x test", "x\0test", "x:test", "x\rtest", "x\ntest", "x\x7ftest", "x\u00e4test", "x(test)"])
def test_names_are_tokens(connection, name):
    expect_malformed(connection, [*WHOLE, (name, "1")])


@pytest.mark.parametrize("value", ["a\0b", "a\rb", "a\nb", "a\r\nx-more: 1", " a", "a ", "\ta"])
def test_values_that_may_not_be(connection, value):
    expect_malformed(connection, [*WHOLE, ("x-test", value)])


@pytest.mark.parametrize("name, value", [("connection", "close"), ("connection", "x-test"), ("keep-alive", "5"),
                                         ("proxy-connection", "close"), ("transfer-encoding", "chunked"), ("upgrade", "h2c"),
                                         ("te", "gzip"), ("te", "trailers, gzip")])
def test_fields_of_connections(connection, name, value):
    expect_malformed(connection, [*WHOLE, (name, value)])


def test_te_may_say_trailers(connection):
    assert connection.request("/hello", more=[("te", "trailers")]).status == 200


# --- 8.3: pseudo fields ---


@pytest.mark.parametrize("fields", [
    [*WHOLE, (":unknown", "1")], [(":status", "200"), *WHOLE], [*WHOLE, (":status", "200")], [*WHOLE, (":", "1")],
    [*WHOLE, (":protocol", "websocket")],
])
def test_pseudo_fields_that_are_none(connection, fields):
    expect_malformed(connection, fields)


@pytest.mark.parametrize("late", WHOLE)
def test_pseudo_fields_behind_others(connection, late):
    expect_malformed(connection, [*(field for field in WHOLE if field != late), ("x-test", "1"), late])


@pytest.mark.parametrize("missing", [METHOD, SCHEME, PATH])
def test_pseudo_fields_that_are_missing(connection, missing):
    expect_malformed(connection, [field for field in WHOLE if field != missing])


@pytest.mark.parametrize("twice", WHOLE)
def test_pseudo_fields_that_come_twice(connection, twice):
    expect_malformed(connection, [*WHOLE, twice])


@pytest.mark.parametrize("empty", [":method", ":scheme", ":path"])
def test_pseudo_fields_that_are_empty(connection, empty):
    expect_malformed(connection, [(name, "" if name == empty else value) for name, value in WHOLE])


@pytest.mark.parametrize("path", ["hello", "http://test.example/", "?a", "*"])
def test_paths_begin_with_a_slash(connection, path):
    expect_malformed(connection, [METHOD, SCHEME, (":path", path), AUTHORITY])


def test_options_may_ask_for_all(connection):
    assert connection.response(connection.begin(fields=[(":method", "OPTIONS"), SCHEME, (":path", "*"), AUTHORITY])).status == 404


@pytest.mark.parametrize("fields", [
    [(":method", "CONNECT"), SCHEME, PATH, AUTHORITY], [(":method", "CONNECT"), SCHEME, AUTHORITY],
    [(":method", "CONNECT"), PATH, AUTHORITY], [(":method", "CONNECT")],
    [(":method", "CONNECT"), (":protocol", "websocket"), AUTHORITY],
    [(":method", "CONNECT"), (":protocol", "websocket"), SCHEME, AUTHORITY],
    [(":method", "GET"), (":protocol", "websocket"), SCHEME, PATH, AUTHORITY],
])
def test_connect_has_rules_of_its_own(connection, fields):
    expect_malformed(connection, fields, ended=False)


def test_a_host_field_stands_in_for_the_authority(connection):
    response = connection.response(connection.begin(fields=[METHOD, SCHEME, (":path", "/inspect"), ("host", "by.field")]))
    assert b'"host":"by.field"' in response.body


def test_without_any_host(connection):
    response = connection.response(connection.begin(fields=[METHOD, SCHEME, PATH]))
    assert response.reset == PROTOCOL_ERROR or response.status == 400
    expect_no_error(connection)


# --- 8.1: bodies and trailers ---


@pytest.mark.parametrize("announced, pieces", [(1, [b"ab"]), (3, [b"ab"]), (3, [b"a", b"b"]), (3, [b"ab", b"cd"]),
                                               (5, [b""]), (2**19, [b"a"])])
def test_a_body_is_as_long_as_it_says(connection, announced, pieces):
    stream = connection.begin("/hash", "POST", [("content-length", str(announced))], ended=False)
    for number, piece in enumerate(pieces, 1):
        connection.send(DATA, END_STREAM if number == len(pieces) else 0, stream, piece)
    expect_stream_error(connection, stream, PROTOCOL_ERROR)


def test_too_long_a_body_is_refused_when_it_is_announced(connection):
    stream = connection.begin("/hash", "POST", [("content-length", str(2**40))], ended=False)
    assert connection.response(stream).status == 413
    expect_no_error(connection)


def test_no_body_where_one_was_announced(connection):
    expect_malformed(connection, [*WHOLE, ("content-length", "5")])


@pytest.mark.parametrize("value", ["", "-1", "+1", "1 1", "0x1", "abc", "99999999999999999999"])
def test_a_length_that_is_none(connection, value):
    expect_malformed(connection, [*WHOLE, ("content-length", value)], ended=False)


def test_two_lengths(connection):
    expect_malformed(connection, [*WHOLE, ("content-length", "1"), ("content-length", "1")], ended=False)


def test_trailers_end_the_request(connection):
    stream = open_stream(connection)
    connection.send(DATA, 0, stream, b"body")
    connection.send(HEADERS, END_HEADERS | END_STREAM, stream, connection.block([("x-sum", "42")]))
    assert connection.response(stream).body == b"body"


def test_trailers_that_do_not_end_the_request(connection):
    stream = open_stream(connection)
    connection.send(DATA, 0, stream, b"body")
    connection.send(HEADERS, END_HEADERS, stream, connection.block([("x-sum", "42")]))
    expect_stream_error(connection, stream, PROTOCOL_ERROR)


@pytest.mark.parametrize("field", [METHOD, PATH, (":status", "200"), ("X-Sum", "1"), ("connection", "close")])
def test_trailers_that_may_not_be(connection, field):
    stream = open_stream(connection)
    connection.send(DATA, 0, stream, b"body")
    connection.send(HEADERS, END_HEADERS | END_STREAM, stream, connection.block([field]))
    expect_stream_error(connection, stream, PROTOCOL_ERROR)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PURGE"])
def test_methods_reach_the_handler(connection, method):
    assert f'"method":"{method}"'.encode() in connection.request("/inspect", method).body
