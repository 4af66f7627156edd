"""select(), which knows descriptors below 1,024 only, beside more connections than that."""

import resource
import socket

import pytest

from harness import Server
from http_client import get

CLIENTS = 1500


@pytest.fixture
def descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4 * CLIENTS:
        pytest.skip(f"ulimit -Hn is {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_streams_of_the_application_have_numbers_that_it_knows(mode, descriptors):
    with Server("many_descriptors.php", mode, workers=1, reactors=1) as server:
        clients = [socket.create_connection(server.address) for _ in range(CLIENTS)]
        # Each is accepted when it is answered.
        for client in clients:
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        for client in clients:
            assert client.recv(4096).endswith(b"\r\n\r\n1")
        assert get(server, "/").text == "1"
        for client in clients:
            client.close()
