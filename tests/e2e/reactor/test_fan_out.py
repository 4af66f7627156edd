"""One payload published to 10,000 subscribers, each of which checks it."""

import base64
import json
import resource
import select
import socket
import time

import pytest

from harness import DEADLINE_S, SANITIZED, Server
from http_client import get
from websocket_client import handshake

SUBSCRIBERS = 2_000 if SANITIZED else 10_000
# Bounds a test that hangs; it takes a few seconds where there is time.
PATIENCE_S = 8 * DEADLINE_S
AT_ONCE = 100  # that connect


def frame_of(payload):
    size = len(payload)
    return bytes([0x81]) + (bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")) + payload


class Crowd:
    """Very many clients in one loop."""

    def __init__(self, server):
        self.server = server
        self.deadline = time.monotonic() + PATIENCE_S
        self.poller = select.epoll()
        self.sockets, self.received = {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.sockets.values():
            client.close()
        self.poller.close()

    def left_s(self):
        left = self.deadline - time.monotonic()
        assert left > 0, "it takes too long"
        return left

    def enter(self, count):
        for begin in range(0, count, AT_ONCE):
            entering = []
            for number in range(begin, min(count, begin + AT_ONCE)):
                client = socket.create_connection(self.server.address, timeout=self.left_s())
                # A third by name, a third by prefix, a third by both.
                how = ("topic=crowd/1", "prefix=crowd/", "topic=crowd/1&prefix=crow")[number % 3]
                client.sendall(handshake(f"/listen?{how}", sec_websocket_key=base64.b64encode(number.to_bytes(16, "big")).decode()))
                entering.append(client)
            for client in entering:
                answer = b""
                while b"\r\n\r\n" not in answer:
                    more = client.recv(4096)
                    assert more, answer
                    answer += more
                assert answer.startswith(b"HTTP/1.1 101 ") and answer.endswith(b"\r\n\r\n"), answer
                client.setblocking(False)
                self.sockets[client.fileno()] = client
                self.received[client.fileno()] = bytearray()
                self.poller.register(client.fileno(), select.EPOLLIN)

    def expect(self, expected):
        """Everybody gets exactly these bytes."""
        waiting = set(self.sockets)
        while waiting:
            for descriptor, _ in self.poller.poll(min(1.0, self.left_s()), maxevents=1024):
                more = self.sockets[descriptor].recv(65536)
                assert more, "the server has closed a connection"
                got = self.received[descriptor]
                got += more
                assert len(got) <= len(expected), "somebody got more than there was"
                if len(got) == len(expected):
                    assert got == expected, "somebody got something else"
                    got.clear()
                    waiting.discard(descriptor)
            self.left_s()


@pytest.mark.slow
@pytest.mark.parametrize("workers, reactors", [(1, 1), (3, 2)])
def test_one_payload_to_ten_thousand_subscribers(mode, workers, reactors):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = SUBSCRIBERS + 500
    if most != resource.RLIM_INFINITY and most < needed:
        pytest.skip(f"{needed} descriptors are needed, {most} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(needed, resource.getrlimit(resource.RLIMIT_NOFILE)[0]), most))
    with Server("topics.php", mode=mode, workers=workers, reactors=reactors) as server, Crowd(server) as crowd:
        crowd.enter(SUBSCRIBERS)
        while json.loads(get(server, "/subscribers?topic=crowd/1").body) != SUBSCRIBERS:
            time.sleep(0.05)
            crowd.left_s()
        payload = b"to everybody, " * 70
        get(server, f"/publish?topic=crowd/1&data={payload.decode().replace(' ', '+')}")
        crowd.expect(frame_of(payload))
        get(server, "/publish?topic=crowd/1&data=and+once+more")
        crowd.expect(frame_of(b"and once more"))
