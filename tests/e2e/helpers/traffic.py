"""Clients of servers/traffic.php, and what its admin listener tells of them."""

import contextlib
import json
import socket
from collections import Counter

from admin import TOKEN, ask
from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection
from metrics_text import Metrics

HTTP, ADMIN, LINES, HTTPS, STREAMED = range(5)


@contextlib.contextmanager
def traffic_server(mode, limits=None, certificate=None, **more):
    env = {"TOKEN": TOKEN, "LIMITS": json.dumps(limits or {})} | ({"CERTIFICATE": str(certificate)} if certificate else {})
    with Server("traffic.php", mode, ports=5 if certificate else 3, env=env, **more) as server:
        wait_until(lambda: ask(server.ports[ADMIN], "/readyz").status == 200, "the server is ready")
        yield server


def scrape(server):
    return Metrics(ask(server.ports[ADMIN], "/metrics").text)


def samples(metrics, family, label):
    """Those that are not 0, by a label, or by several apart by spaces."""
    found = Counter()
    for (name, labels), value in metrics.samples.items():
        if name == family and value:
            found[" ".join(dict(labels)[one] for one in label.split())] += value
    return dict(found)


def connections(server):
    return samples(scrape(server), "sluice_connections", "protocol state")


def refused(server):
    return Counter(samples(scrape(server), "sluice_refused_total", "limit"))


class Client(HttpConnection):
    """To one of the ports, from 127.0.0.`host`."""

    def __init__(self, server, port=HTTP, host=1, receive_buffer=None):
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE_S)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.bind((f"127.0.0.{host}", 0))
        self.socket.connect(("127.0.0.1", server.ports[port]))
        self.buffer = b""
