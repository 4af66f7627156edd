"""What the tests of limits share: drivers, which are registered by the option's name, and what they ask the server."""

import socket

from harness import DEADLINE_S, wait_until
from http_client import ClosedEarly, HttpConnection, get

HTTP, LINES, PROXIED, STREAMED = range(4)
KIB, MIB = 1024, 1024**2
DRIVERS = {}


def driver(name, /, **limits):
    """The test of one option, with a server of its own that has these limits."""
    def register(drive):
        assert name not in DRIVERS
        DRIVERS[name] = (drive, limits)
        return drive
    return register


def serves(server):
    try:
        return get(server).status == 200
    except (ClosedEarly, OSError):
        return False


class Client(HttpConnection):
    """From 127.0.0.`host`, to any of the ports."""

    def __init__(self, server, port=HTTP, host=1, receive_buffer=None):
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE_S)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.bind((f"127.0.0.{host}", 0))
        self.socket.connect(("127.0.0.1", server.ports[port]))
        self.buffer = b""

    def is_served(self):
        try:
            return self.request("/").status == 200
        except (ClosedEarly, OSError):
            return False

    def is_refused(self):
        """If not, it is closed by us, so that nothing but the rate counts."""
        with self:
            return not self.is_served()

    def echoes(self, line):
        self.send(line + b"\n")
        return self.take_until(b"\n") == line


def stats(server):
    return get(server, "/stats").json()


def served(server):
    """A connection that has a place: those that the test has closed before may still take one for a moment."""
    def attempt():
        client = Client(server)
        return client if client.is_served() else None
    return wait_until(attempt, "there is a place")


def alone(server):
    """All connections are gone but the one that asks."""
    wait_until(lambda: stats(server)["connections"] == 1, "the others are closed")
