"""What is attached to a connection stays with it: for each worker, through reloads and deaths, until its end."""

import json
import os
import signal
import socket
from urllib.parse import quote

import pytest

from harness import Server, wait_until
from http_client import get
from websocket_client import CLOSE, TEXT, RawWebSocket, frame

SERVER = dict(script="attachments.php", workers=2, reactors=2, ports=2)
KIB = 1024


def opened(server, data=""):
    """A new WebSocket, and what its open() was told."""
    client = RawWebSocket(server, "/ws?data=" + quote(data))
    return client, json.loads(client.read_frame()[2])


def act(client, message):
    client.send(frame(TEXT, message.encode()))
    return json.loads(client.read_frame()[2])


def data_elsewhere(server, connection, pid):
    """What workers other than `pid` say."""
    def told():
        answer = get(server, f"/data?id={connection}").json()
        return answer["data"] if answer["pid"] != pid else None

    found = []
    wait_until(lambda: found.append(told()) or found[-1] is not None, "another worker has answered")
    return found[-1]


def attached_bytes(server):
    return get(server, "/stats").json()["attachedBytes"]


@pytest.mark.parametrize("data", ["", "eve", "\u20ac" * 100, "x" * 5000])
def test_what_a_handshake_attaches_is_known_to_all(server, data):
    client, told = opened(server, data)
    with client:
        assert told["data"] == data
        answer = act(client, "data")
        assert answer["did"] == data
        assert data_elsewhere(server, told["id"], answer["pid"]) == data
        client.send(frame(CLOSE, b"\x03\xe8"))
        assert server.wait_event("closed", id=told["id"])["data"] == data
    wait_until(lambda: get(server, f"/data?id={told['id']}").json()["data"] == "", "nothing is attached to who has gone")
    wait_until(lambda: attached_bytes(server) == 0, "its place is free")


def test_it_is_changed_later(server):
    client, told = opened(server, "eve")
    with client:
        answer = act(client, "attach adam")
        assert answer["did"] == ["Sent", "adam"]
        assert data_elsewhere(server, told["id"], answer["pid"]) == "adam"
        assert act(client, "long 5000")["did"] == ["Sent", 5000]
        assert attached_bytes(server) == 20 * 256
        refusal = "ValueError: Sluice\\WebSocket\\Connection::attach(): Argument #1 ($data) must be at most 5000 bytes long (Limits::$attachedBytes), 5001 given"
        assert act(client, "long 5001")["did"] == refusal
        assert act(client, "attach ")["did"] == ["Sent", ""]
        assert act(client, "gone x")["did"] == "Closed"
    wait_until(lambda: attached_bytes(server) == 0, "its place is free")


def test_who_is_refused_has_nothing(server):
    with pytest.raises(AssertionError):
        RawWebSocket(server, "/ws?refuse=1&data=eve")
    assert "decided already" in server.wait_event("late")["said"]
    assert attached_bytes(server) == 0


def test_a_tcp_connection(server):
    with socket.create_connection(("127.0.0.1", server.ports[1])) as client:
        lines = client.makefile("rw", newline="\n")

        def act(message):
            lines.write(message + "\n")
            lines.flush()
            return json.loads(lines.readline())["did"]

        assert act("data") == "from %s:%u" % client.getsockname()[:2]
        assert act("attach other") == ["Sent", "other"]
        lines.close()
    assert server.wait_event("tcp closed", data="other")


@pytest.mark.both_modes
def test_it_outlives_workers(mode):
    if mode == "base":
        pytest.skip("in base mode connections live no longer than their worker")
    with Server(mode=mode, **SERVER) as server:
        client, told = opened(server, "eve")
        with client:
            first = act(client, "data")
            os.kill(first["pid"], signal.SIGKILL)
            wait_until(lambda: first["pid"] not in server.worker_pids() and len(server.worker_pids()) == 2, "another one is there")
            second = act(client, "data")
            assert second["did"] == "eve" and second["pid"] != first["pid"]
            server.signal(signal.SIGHUP)
            wait_until(lambda: act(client, "data")["generation"] > second["generation"], "new code has taken over")
            assert act(client, "data")["did"] == "eve"
            assert data_elsewhere(server, told["id"], 0) == "eve"


@pytest.mark.both_modes
def test_a_worker_that_takes_its_connections_with_it_leaves_no_data(mode):
    if mode == "process":
        pytest.skip("in process mode connections do not end with a worker")
    with Server(mode=mode, **SERVER) as server:
        client, told = opened(server, "eve")
        with client:
            pid = act(client, "data")["pid"]
            assert data_elsewhere(server, told["id"], pid) == "eve"
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: pid not in server.worker_pids() and len(server.worker_pids()) == 2, "another one is there")
        assert get(server, f"/data?id={told['id']}").json()["data"] == ""
        assert attached_bytes(server) == 0


@pytest.mark.both_modes
def test_without_room(mode):
    # Each process that has connections has 8 KiB.
    total = 8 * KIB if mode == "process" else 16 * KIB
    with Server(mode=mode, env={"ATTACHED_TOTAL": str(total)}, **(SERVER | {"reactors": 1})) as server:
        kept = []

        def room_is_left():
            try:
                kept.append(opened(server, "x" * 4000)[0])
            except AssertionError as refused:
                assert "503" in str(refused)
                return False
            return True

        while room_is_left():
            assert len(kept) < 5
        client, _ = opened(server)  # in base mode the full worker accepts the connection, or the other one
        with client:
            done = act(client, "long 5000")["did"]
            assert done == ["Dropped", 0] if mode == "process" else done[0] in ("Dropped", "Sent")
        for one in kept:
            one.close()
        wait_until(lambda: attached_bytes(server) == 0, "all is free")
        opened(server, "x" * 4000)[0].close()
