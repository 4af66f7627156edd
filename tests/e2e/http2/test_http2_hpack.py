"""RFC 7541: the forms of HPACK, right and wrong. A block that cannot be decoded ends the connection."""

import json

import pytest

from http2_client import (ACK, COMPRESSION_ERROR, END_HEADERS, END_STREAM, HEADER_TABLE_SIZE, HEADERS, SETTINGS,
                          Http2Connection, settings_payload)
from http2_rules import SERVER, connection, expect_connection_error  # noqa: F401

# :method GET, :scheme http, :path /inspect, :authority test.example
GET = b"\x82\x86\x44\x08/inspect\x41\x0ctest.example"


def fields_of(connection, block):
    stream = connection.next_stream
    connection.next_stream += 2
    connection.send(HEADERS, END_HEADERS | END_STREAM, stream, block)
    return json.loads(connection.response(stream).body)["headers"]


def expect_undecodable(connection, block):
    connection.send(HEADERS, END_HEADERS | END_STREAM, 1, block)
    expect_connection_error(connection, COMPRESSION_ERROR)


# --- forms that are right ---


@pytest.mark.parametrize("field", [
    b"\x40\x04name\x05value", b"\x00\x04name\x05value", b"\x10\x04name\x05value",  # with, without, never indexed
    b"\x40\x04name\x84\xee\x3a\x2d\x2f"])
def test_literal_fields(connection, field):
    assert fields_of(connection, GET + field)["name"] == ["value"]


@pytest.mark.parametrize("field, name", [(b"\x50\x01x", "accept-encoding"), (b"\x0f\x01\x01x", "accept-encoding"), (b"\x1f\x01\x01x", "accept-encoding"),
                                         (b"\x7a\x01x", "user-agent"), (b"\x0f\x2b\x01x", "user-agent")])
def test_literal_values_of_indexed_names(connection, field, name):
    assert fields_of(connection, GET + field)[name] == ["x"]


def test_fields_of_the_dynamic_table(connection):
    first = fields_of(connection, GET + b"\x40\x03one\x011" + b"\x40\x03two\x012")
    assert (first["one"], first["two"]) == (["1"], ["2"])
    # The last that was put in is 62.
    again = fields_of(connection, b"\x82\x86\x04\x08/inspect\x01\x0ctest.example\xbe\xbf")
    assert (again["one"], again["two"]) == (["1"], ["2"])


def test_a_table_of_no_size(connection):
    assert fields_of(connection, b"\x20" + GET + b"\x40\x04name\x05value")["name"] == ["value"]
    connection.send(HEADERS, END_HEADERS | END_STREAM, 3, b"\x82\x86\x44\x08/inspect\xbe")
    expect_connection_error(connection, COMPRESSION_ERROR)


@pytest.mark.parametrize("updates", [b"\x20", b"\x3f\xe1\x1f", b"\x20\x3f\xe1\x1f"])
def test_the_table_s_size_may_change_before_a_block(connection, updates):
    assert fields_of(connection, updates + GET + b"\x40\x04name\x05value")["name"] == ["value"]


def test_the_server_keeps_to_the_table_that_the_client_has(server):
    with Http2Connection(server.address, settings=[(HEADER_TABLE_SIZE, 0)]) as connection:
        connection.decoder.header_table_size = 0
        connection.decoder.max_allowed_table_size = 0
        for _ in range(3):
            assert connection.request("/hello").status == 200


# --- forms that are wrong ---


@pytest.mark.parametrize("index", [b"\x80", b"\xc0", b"\xc6", b"\xff\x00", b"\xff\xff\x7f"])
def test_indices_that_name_nothing(connection, index):
    expect_undecodable(connection, GET + index)


@pytest.mark.parametrize("index", [b"\x7f\x07\x01x", b"\x7f\x01\x01x", b"\x0f\x37\x01x", b"\x1f\x37\x01x", b"\x0f\xff\x7f\x01x"])
def test_indexed_names_that_name_nothing(connection, index):
    expect_undecodable(connection, GET + index)


@pytest.mark.parametrize("size", [b"\x3f\xe2\x1f", b"\x3f\xff\xff\x03", b"\x3f\xff\xff\xff\xff\x07"])
def test_a_table_larger_than_was_allowed(connection, size):
    expect_undecodable(connection, size + GET)


@pytest.mark.parametrize("update", [b"\x20", b"\x3f\xe1\x1f"])
@pytest.mark.parametrize("before", [b"\x82", GET, GET + b"\x40\x04name\x05value"])
def test_the_table_s_size_may_not_change_within_a_block(connection, update, before):
    expect_undecodable(connection, before + update)


@pytest.mark.parametrize("padding", [b"\x83\xff\xff\xff", b"\x84\x1f\xff\xff\xff", b"\x81\x18", b"\x82\x1f\xfe", b"\x81\x00"])
def test_huffman_codes_with_wrong_padding(connection, padding):
    expect_undecodable(connection, GET + b"\x00\x04name" + padding)


@pytest.mark.parametrize("eos", [b"\x84\xff\xff\xff\xff", b"\x85\x1f\xff\xff\xff\xff", b"\x84\xff\xff\xff\xfc"])
def test_huffman_codes_with_an_end_of_string(connection, eos):
    expect_undecodable(connection, GET + b"\x00\x04name" + eos)


@pytest.mark.parametrize("integer", [b"\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x7f\xff\xff\xff\xff\xff\xff\x7f",
                                     b"\x0f\xff\xff\xff\xff\xff\xff\x7f", b"\x00\x7f\xff\xff\xff\xff\xff\xff\x7f"])
def test_integers_without_end(connection, integer):
    expect_undecodable(connection, GET + integer)


@pytest.mark.parametrize("cut", [b"\x40", b"\x40\x04", b"\x40\x04nam", b"\x40\x04name", b"\x40\x04name\x05", b"\x40\x04name\x05valu", b"\xff", b"\x3f"])
def test_blocks_that_end_too_early(connection, cut):
    expect_undecodable(connection, GET + cut)
