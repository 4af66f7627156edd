"""How a WebSocket begins: sub-protocols, origins, a handler that decides. Pings see whether it still lives."""

import asyncio
import json

import pytest
import websockets

from harness import wait_until
from http_client import HttpConnection, get
from websocket_client import CLOSE, PING, PONG, TEXT, RawWebSocket, asynchronous, connect, frame, handshake

SERVER = dict(script="handshake.php", workers=2, reactors=2)


def answer(server, path, **fields):
    """The response to a handshake, and the connection."""
    client = HttpConnection(server.address)
    client.send(handshake(path, **fields))
    return client.read(), client


def status_of(server, path, **fields):
    response, client = answer(server, path, **fields)
    client.close()
    return response.status


def first_message(client):
    first, second = client.take(2)
    assert first == 0x80 | TEXT
    size = second if second < 126 else int.from_bytes(client.take(2), "big")
    return json.loads(client.take(size))


# --- sub-protocols ---


@pytest.mark.parametrize("path, offered, chosen", [
    ("/plain", "chat.v1", ""), ("/plain", None, ""), ("/protocols", None, ""), ("/protocols", "other", ""),
    ("/protocols", "chat.v1", "chat.v1"), ("/protocols", "chat.v1, chat.v2", "chat.v2"), ("/protocols", "CHAT.V2", ""),
    ("/asks", "chat.v1, chat.v2", "chat.v2"), ("/asks?protocol=chat.v1", "chat.v2, chat.v1", "chat.v1"),
])
def test_the_sub_protocol_is_in_the_answer_and_known_to_the_handler(server, path, offered, chosen):
    response, client = answer(server, path, sec_websocket_protocol=offered)
    assert response.status == 101
    assert (response.header("sec-websocket-protocol") or "") == chosen
    assert first_message(client)["protocol"] == chosen
    client.close()


def test_offers_in_several_fields_are_one_list(server):
    client = HttpConnection(server.address)
    head = handshake("/asks", sec_websocket_protocol="x").replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Protocol: chat.v1 , y\r\n\r\n")
    client.send(head)
    assert client.read().header("sec-websocket-protocol") == "chat.v1"
    assert server.wait_event("asked", offered=["x", "chat.v1", "y"])
    client.close()


# --- origins ---


@pytest.mark.parametrize("path, origin, status", [
    ("/plain", "https://evil.example", 101),
    ("/origins", "https://example.com", 101), ("/origins", "https://example.com.evil.example", 403),
    ("/origins", "http://a.example.org:8080", 101), ("/origins", "http://a.example.org", 403),
    ("/origins", "http://test.example", 101), ("/origins", "https://test.example", 403), ("/origins", None, 101),
    ("/origins", "null", 403), ("/strict", None, 403), ("/strict", "http://test.example", 403),
])
def test_origin(server, path, origin, status):
    assert status_of(server, path, origin=origin) == status


def test_two_origins_are_none(server):
    client = HttpConnection(server.address)
    client.send(handshake("/origins", origin="https://example.com").replace(
        b"\r\n\r\n", b"\r\nOrigin: https://example.com\r\n\r\n"))
    assert client.read().status == 403
    assert client.at_end()


# --- the handler that decides ---


def test_accepted_with_a_field_more(server):
    response, client = answer(server, "/asks?set=yes")
    assert (response.status, response.header("x-set")) == (101, "yes")
    assert response.header("content-length") is None
    assert first_message(client)["path"] == "/asks"
    client.send(frame(TEXT, b"hello"))
    assert client.take(7) == b"\x81\x05hello"
    client.close()


@pytest.mark.parametrize("wish, status, body, field", [
    ("refuse", 403, "", None), ("login", 401, "who are you?", ("www-authenticate", 'Basic realm="x"')),
    ("json", 429, "{}", ("content-type", "application/json")), ("redirect", 307, "", ("location", "/plain")),
    ("throw", 500, "500 Internal Server Error\n", None), ("twice", 404, "", None),
])
def test_refused(server, wish, status, body, field):
    response, client = answer(server, f"/asks?do={wish}&set=also")
    assert (response.status, response.text) == (status, body)
    assert response.header("connection") == "close"
    assert wish == "throw" or response.header("x-set") == "also"
    if field:
        assert response.header(field[0]) == field[1]
    assert client.at_end()


def test_what_may_not_be_decided(server):
    response, client = answer(server, "/asks?do=bad", sec_websocket_protocol="chat.v2")
    assert response.status == 101
    client.close()
    errors = server.wait_event("bad")["errors"]
    assert [error.split(":")[0] for error in errors] == ["ValueError"] * 6, errors


def test_a_handler_that_waits_holds_up_nobody(server):
    slow = HttpConnection(server.address)
    slow.send(handshake("/asks?sleep=700") + frame(TEXT, b"early"))
    for _ in range(3):
        assert get(server, "/").text == "a page"
        assert status_of(server, "/asks") == 101
    assert slow.read().status == 101
    first_message(slow)
    assert slow.take(7) == b"\x81\x05early"
    slow.close()


def test_a_handler_that_does_not_decide_in_time(server):
    response, client = answer(server, "/asks?sleep=2500")
    assert response.status == 503
    assert client.at_end()


def test_no_more_handshakes_than_allowed_are_undecided(server):
    # Each reactor has four at a time; the kernel decides which reactor gets a connection.
    clients = [HttpConnection(server.address) for _ in range(20)]
    for client in clients:
        client.send(handshake("/asks?sleep=600"))
    statuses = [client.read().status for client in clients]
    assert 4 <= statuses.count(101) <= 8 and statuses.count(503) == 20 - statuses.count(101), statuses
    for client in clients:
        client.close()
    wait_until(lambda: all(status_of(server, "/asks") == 101 for _ in range(12)), "others are decided on again")


def test_a_client_that_leaves_while_it_is_decided_on(server):
    # In base mode a worker learns of it when its own handlers let it.
    for _ in range(24):
        asked = len(server.events("asked"))
        client = HttpConnection(server.address)
        client.send(handshake("/asks?sleep=1000"))
        wait_until(lambda: len(server.events("asked")) > asked, "the handler was asked")
        client.close()
    wait_until(lambda: all(status_of(server, "/asks") == 101 for _ in range(12)), "they do not count any more")


@pytest.mark.both_modes
@pytest.mark.parametrize("wish", ["die", "exit"])
def test_a_worker_that_dies_deciding(module_server, mode, wish):
    client = HttpConnection(module_server.address)
    workers = len(module_server.events("start"))
    client.send(handshake(f"/asks?do={wish}"))
    if mode == "process":
        assert client.read().status == 502
    assert client.at_end()
    wait_until(lambda: len(module_server.events("start")) > workers, "there is a new worker")
    wait_until(lambda: status_of(module_server, "/asks") == 101, "it decides")


def test_the_opening_is_handled_by_the_worker_that_decided(server):
    for _ in range(10):
        response, client = answer(server, "/asks")
        assert response.status == 101
        assert first_message(client)["pid"] == server.events("asked")[-1]["pid"]
        client.close()


@asynchronous
async def test_an_independent_client(server):
    async with connect(server, "/asks", subprotocols=["chat.v1", "chat.v2"]) as socket:
        assert socket.subprotocol == "chat.v2"
    with pytest.raises(websockets.InvalidStatusCode, match="401"):
        await connect(server, "/asks?do=login")


# --- pings ---


def test_a_client_that_answers_pings_stays_and_is_measured(server):
    with RawWebSocket(server, "/beats") as client:
        id = int(client.read_frame()[2])
        for _ in range(5):
            fin, opcode, payload = client.read_frame()
            assert (fin, opcode) == (True, PING)
            client.send(frame(PONG, b"unasked") + frame(PONG, payload))
            event = server.wait_event("pong", id=id, data=payload.decode())
            assert 0 < event["seconds"] < 60 and event["last"] == event["seconds"]
        assert not [event for event in server.events("pong") if event["data"] == "unasked"]


def test_a_ping_of_the_application_is_measured_too(server):
    with RawWebSocket(server, "/beats") as client:
        id = int(client.read_frame()[2])
        client.send(frame(TEXT, b"round trip") + frame(TEXT, b"ping"))
        answered = []
        while len(answered) < 3:
            _, opcode, payload = client.read_frame()
            if opcode == PING:
                client.send(frame(PONG, payload))
                if payload == b"mine":
                    server.wait_event("pong", id=id, data="mine")
                    client.send(frame(TEXT, b"round trip"))
            else:
                answered.append(payload)
        assert answered[0] == b"null" and float(answered[2]) > 0, answered


def test_a_client_that_answers_nothing_is_closed(server):
    with RawWebSocket(server, "/beats") as client:
        id = int(client.read_frame()[2])
        assert client.read_frame()[1] == PING
        code, reason = client.read_close()
        assert (code, reason) == (1011, "no pong came in time")
        assert client.at_end()
    event = server.wait_event("close", id=id)
    assert (event["code"], event["reason"]) == (1006, "no pong came in time")


def test_a_client_that_is_busy_sending_counts_as_alive(server):
    with RawWebSocket(server, "/beats") as client:
        client.read_frame()
        message = frame(TEXT, b"x" * 40)
        pings = 0
        for at in range(len(message)):
            client.send(message[at:at + 1])
            if pings < 4:
                assert client.read_frame()[1] == PING
                pings += 1
        while True:
            _, opcode, payload = client.read_frame()
            assert opcode in (PING, TEXT), payload
            if opcode == TEXT:
                break
        assert payload == b"x" * 40


@asynchronous
async def test_an_independent_client_answers_by_itself(server):
    async with connect(server, "/beats") as socket:
        id = int(await socket.recv())
        await asyncio.to_thread(server.wait_event, "pong", id=id)
        await socket.send("still here")
        assert await socket.recv() == "still here"
