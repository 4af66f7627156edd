"""Handlers that follow one another without waiting run in one Fiber, and know nothing of one another."""

import json

import pytest

from harness import Server
from websocket_client import CLOSE, TEXT, RawWebSocket, frame

NOTHING = {"error": None, "handler": None, "level": True, "token": False, "buffers": 0, "deferred": True}


@pytest.fixture
def server(mode, capsys):
    with Server("one_after_another.php", mode) as server:
        yield server


@pytest.mark.parametrize("waiting", [(), (3,), (0, 1, 7), range(20)])
def test_each_message_begins_with_nothing(server, waiting):
    client = RawWebSocket(server, "/traces")
    client.send(b"".join(frame(TEXT, b"wait" if number in waiting else b"go") for number in range(20)))
    for number in range(20):
        assert json.loads(client.read_frame()[2]) == NOTHING, number


def test_one_that_throws_is_the_last_of_its_connection_alone(server):
    broken, whole = RawWebSocket(server, "/traces"), RawWebSocket(server, "/traces")
    broken.send(frame(TEXT, b"go") + frame(TEXT, b"throw") + frame(TEXT, b"go"))
    whole.send(frame(TEXT, b"go") * 3)
    for _ in range(2):
        assert json.loads(broken.read_frame()[2]) == NOTHING
    for _ in range(3):
        assert json.loads(whole.read_frame()[2]) == NOTHING
    while (read := broken.read_frame())[1] != CLOSE:
        assert json.loads(read[2]) == NOTHING
    assert "as asked" in server.output()
