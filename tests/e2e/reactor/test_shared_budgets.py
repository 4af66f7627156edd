"""What all clients share - memory, files, places - is never taken by a few of them: two addresses take all they can,
and a third one is still served."""

import contextlib
import json

import pytest

from harness import Server, wait_until
from http_client import format_request
from limit_drivers import HTTP, KIB, MIB, STREAMED, Client
from limit_drivers_bodies import temporary_files
from websocket_client import TEXT, RawWebSocket, frame, handshake

GREEDY = (2, 3)
STRANGER = 4


class Budget:
    """One of them, with the limits of a server where it is small."""

    limits = {}

    def __init__(self, server):
        self.server = server
        self.held = contextlib.ExitStack()

    def take(self, host):
        """As an address that wants ever more: whether it has got some more, which it keeps."""
        raise NotImplementedError

    def open_websocket(self, path, host):
        return self.held.enter_context(RawWebSocket(self.server, path, host=host))

    def client(self, host, port=HTTP):
        return self.held.enter_context(Client(self.server, port, host=host))

    def begins(self, host, head, port, is_served):
        """Sends a request that is not answered while it is `is_served`: else it must be refused."""
        client = self.client(host, port)
        client.send(head)
        client.socket.settimeout(0.02)
        answered = []

        def is_decided():
            with contextlib.suppress(TimeoutError):
                answered.append(client.read().status)
            return answered or is_served()
        wait_until(is_decided, "it is begun or refused")
        assert answered in ([], [503]), answered
        return not answered


class Attached(Budget):
    limits = {"attachedTotalBytes": 64 * KIB, "attachedBytes": 2000}

    def take(self, host):
        websocket = self.open_websocket("/attach", host)
        websocket.send(frame(TEXT, b"2000"))
        return websocket.read_frame()[2] == b"Sent"


class Subscriptions(Budget):
    limits = {"subscriptionBytes": 64 * KIB, "subscriptions": 65_535}

    def take(self, host):
        websocket = self.open_websocket("/topics", host)
        websocket.send(frame(TEXT, f"a topic of {host}, {id(websocket)}".encode()))
        return json.loads(websocket.read_frame()[2])["topics"] == 1


class Handshakes(Budget):
    limits = {"handshakes": 32, "handshakeSeconds": 1000.0}

    def take(self, host):
        before = len(self.server.events("asked"))
        return self.begins(host, handshake("/slow-handshake"), HTTP, lambda: len(self.server.events("asked")) > before)


class BodyStreams(Budget):
    limits = {"bodyStreams": 32, "bodySeconds": 1000.0}

    def take(self, host):
        before = len(self.server.events("begun"))
        head = format_request(f"/begin?until={self.server.folder}/never", "POST", [("Content-Length", 10)]) + b"12345"
        return self.begins(host, head, STREAMED, lambda: len(self.server.events("begun")) > before)


class TemporaryFiles(Budget):
    limits = {"temporaryFileBytes": 64 * MIB, "bodyFileBytes": 64 * KIB, "bodySeconds": 1000.0}
    size = 512 * KIB
    port, in_the_pipe = HTTP, 0

    def take(self, host):
        before = self.bytes()
        head = format_request("/form", "POST", [("Content-Length", self.size), ("Content-Type", "application/x-www-form-urlencoded")])
        return self.begins(host, head + bytes(self.size - 1), self.port,
                           lambda: self.bytes() >= before + self.size - 1 - self.in_the_pipe)

    def bytes(self):
        return sum(temporary_files(self.server).values())


class TemporaryFilesOfStreams(TemporaryFiles):
    """Of forms whose handlers have begun before they have come."""

    port, in_the_pipe = STREAMED, 256 * KIB


class OpenFiles(Budget):
    limits = {"openFiles": 32, "writeSeconds": 1000.0}

    def __init__(self, server):
        super().__init__(server)
        self.count = 0

    def take(self, host):
        self.count += 1
        path = server_file(self.server, self.count)
        client = self.held.enter_context(Client(self.server, host=host, receive_buffer=4 * KIB))
        client.send(format_request(f"/file?name={path}"))
        return client.take(12) == b"HTTP/1.1 200"


class Encoders(Budget):
    limits = {"encodingBytes": 32 * 272 * KIB}

    def take(self, host):
        client = self.client(host)
        client.send(format_request("/encoded", headers=[("Accept-Encoding", "gzip")]))
        return ("content-encoding", "gzip") in client.read_head()[3]


BUDGETS = [Attached, Subscriptions, Handshakes, BodyStreams, TemporaryFiles, TemporaryFilesOfStreams, OpenFiles, Encoders]


def server_file(server, number):
    path = server.folder / f"file{number}"
    with open(path, "wb") as file:
        file.truncate(8 * MIB)
    return path


@pytest.mark.parametrize("kind", BUDGETS)
def test_a_stranger_finds_some(mode, kind):
    with Server("limits.php", mode, ports=4, env={"LIMITS": json.dumps(kind.limits)}) as server:
        budget = kind(server)
        with budget.held:
            taken = {}
            for host in GREEDY:
                taken[host] = 0
                while budget.take(host):
                    taken[host] += 1
                    assert taken[host] < 1000
            assert taken[GREEDY[0]] > 8 * taken[GREEDY[1]], taken
            assert budget.take(STRANGER), taken
