"""Behind proxies: header fields and the PROXY protocol are believed from trusted addresses, and from nobody else."""

import json
import socket
import ssl
import struct
from pathlib import Path

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection, format_request
from websocket_client import asynchronous, connect

X_FORWARDED, FORWARDED, PROXY, PROXY_TLS, PROXY_TCP, NOBODY = range(6)
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
V1 = b"PROXY TCP4 192.0.2.1 10.0.0.9 1234 443\r\n"
LOCAL = SIGNATURE + b"\x20\x00\x00\x00"
UNKNOWN = b"PROXY UNKNOWN\r\n"


def v2(family, addresses, extra=b""):
    return SIGNATURE + struct.pack(">BBH", 0x21, family, len(addresses) + len(extra)) + addresses + extra


V2 = v2(0x11, socket.inet_aton("192.0.2.1") + socket.inet_aton("10.0.0.9") + struct.pack(">HH", 1234, 443))
V2_SIX = v2(0x21, socket.inet_pton(socket.AF_INET6, "2001:db8::1") + bytes(15) + b"\1" + struct.pack(">HH", 1234, 443),
            b"\x20\x00\x08\x07\0\0\0\0\x21\0\0")
V2_UNIX = v2(0x31, b"/client".ljust(108, b"\0") + b"/server".ljust(108, b"\0"))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    return made


@pytest.fixture(scope="module")
def module_server(mode, certificates, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proxies")
    for name in ("one.pem", "one.key"):
        (folder / name).write_bytes((certificates.folder / name).read_bytes())
    script = f"{folder}/start.php"
    with open(script, "w") as file:
        file.write(f"<?php chdir('{folder}'); require '{Server('proxies.php').script}';")
    with Server(script, mode, ports=6, workers=2, env={"FOLDER": str(folder)}) as server:
        server.socket_path = str(folder / "socket")
        yield server


class Direct(HttpConnection):
    """From an address that is not trusted, though it is this machine's."""

    def __init__(self, server, port):
        self.socket = socket.create_connection(("127.0.0.1", server.ports[port]), DEADLINE_S, ("127.0.0.2", 0))
        self.buffer = b""


def through(server, port):
    return HttpConnection(("127.0.0.1", server.ports[port]))


def asks(connection, *headers, before=b""):
    connection.send(before + format_request("/", headers=headers))
    response = connection.read()
    assert response.status == 200, response
    return response.json()


def own_name(connection):
    return "%s:%d" % connection.socket.getsockname()


def test_x_forwarded_fields_of_a_trusted_proxy(server):
    with through(server, X_FORWARDED) as proxy:
        seen = asks(proxy, ("X-Forwarded-For", "203.0.113.9, 192.0.2.1, 10.1.1.1"), ("X-Forwarded-Proto", "https"),
                    ("X-Forwarded-Host", "outside.example"), ("X-Forwarded-Port", "8443"))
        assert seen == {"peer": "192.0.2.1", "clientAddress": "192.0.2.1", "connectionPeer": own_name(proxy),
                        "scheme": "https", "isSecure": True, "isConnectionSecure": False,
                        "host": "outside.example:8443", "field": "test.example"}


def test_each_request_of_a_proxys_connection_has_its_own_client(server):
    with through(server, X_FORWARDED) as proxy:
        for client in ("192.0.2.1", "2001:db8::1", "192.0.2.2"):
            assert asks(proxy, ("X-Forwarded-For", client))["clientAddress"] == client
        assert asks(proxy)["peer"] == own_name(proxy)


def test_by_a_unix_socket(server):
    with HttpConnection(server.socket_path) as proxy:
        seen = asks(proxy, ("X-Forwarded-For", "192.0.2.1"))
        assert (seen["peer"], seen["connectionPeer"]) == ("192.0.2.1", "unix:")


def test_the_access_log_has_the_client(server):
    log = Path(server.socket_path).parent / "access.log"
    with HttpConnection(server.socket_path) as proxy:
        asks(proxy, ("X-Forwarded-For", "192.0.2.7"))
        asks(proxy, ("X-Forwarded-For", "2001:db8::7"))
        asks(proxy)
    wait_until(lambda: "\nunix: " in log.read_text(), "the lines are written")
    assert [line.split()[0] for line in log.read_text().splitlines()][-3:] == ["192.0.2.7", "2001:db8::7", "unix:"]


def test_forwarded_fields_of_a_trusted_proxy(server):
    with through(server, FORWARDED) as proxy:
        seen = asks(proxy, ("Forwarded", 'for=203.0.113.9, for="[2001:db8::1]:99";proto=https;host=outside.example'),
                    ("X-Forwarded-For", "203.0.113.8"), ("X-Forwarded-Host", "evil.example"))
        assert (seen["peer"], seen["clientAddress"]) == ("[2001:db8::1]:99", "2001:db8::1")
        assert (seen["scheme"], seen["host"]) == ("https", "outside.example")


@pytest.mark.parametrize("port", [X_FORWARDED, FORWARDED, NOBODY])
def test_others_are_not_believed(server, port):
    fields = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "evil.example"),
              ("Forwarded", "for=192.0.2.1;proto=https;host=evil.example")]
    with Direct(server, port) as client:
        seen = asks(client, *fields)
        assert (seen["peer"], seen["connectionPeer"]) == (own_name(client), own_name(client))
        assert (seen["scheme"], seen["host"]) == ("http", "test.example")


def test_a_listener_without_proxies_believes_nobody(server):
    with through(server, NOBODY) as client:
        assert asks(client, ("X-Forwarded-For", "192.0.2.1"))["peer"] == own_name(client)


@asynchronous
async def test_a_websocket_has_its_client_as_peer_and_its_pages_origin(server):
    headers = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "outside.example",
               "Origin": "https://outside.example"}
    async with connect(server, "/socket", extra_headers=headers) as socket_:
        seen = json.loads(await socket_.recv())
        assert (seen["peer"], seen["request"]) == ("192.0.2.1", "192.0.2.1")
        assert seen["through"].startswith("127.0.0.1:")
        await socket_.send("still there")
        assert await socket_.recv() == "still there"


def test_an_origin_is_that_of_the_outside(server):
    upgrade = [("Connection", "upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
               ("Sec-WebSocket-Version", "13"), ("Origin", "http://test.example")]
    with through(server, X_FORWARDED) as proxy:
        assert proxy.request("/socket", headers=[*upgrade, ("X-Forwarded-Proto", "https")]).status == 403
    with through(server, X_FORWARDED) as proxy:
        assert proxy.request("/socket", headers=upgrade).status == 101


@pytest.mark.parametrize("header, peer", [(V1, "192.0.2.1:1234"), (V2, "192.0.2.1:1234"), (V2_SIX, "[2001:db8::1]:1234"),
                                          (V2_UNIX, "unix:"), (LOCAL, None), (UNKNOWN, None)])
def test_the_proxy_protocol(server, header, peer):
    with through(server, PROXY) as proxy:
        seen = asks(proxy, before=header)
        assert seen["peer"] == (peer or own_name(proxy))
        assert seen["connectionPeer"] == own_name(proxy)
        assert asks(proxy)["peer"] == seen["peer"], "the header is of the connection, not of a request"


@pytest.mark.parametrize("header", [V1, V2, V2_SIX])
def test_the_proxy_protocol_cut_anywhere(server, header):
    for cut in range(1, len(header)):
        with through(server, PROXY) as proxy:
            proxy.send(header[:cut])
            assert asks(proxy, before=header[cut:])["peer"].endswith(":1234"), cut


def test_the_proxy_protocol_and_then_fields_of_a_further_proxy(server):
    inner = b"PROXY TCP4 10.0.0.5 10.0.0.9 1234 443\r\n"
    with through(server, PROXY) as proxy:
        assert asks(proxy, ("X-Forwarded-For", "192.0.2.7"), before=inner)["peer"] == "192.0.2.7"
    with through(server, PROXY) as proxy:
        assert asks(proxy, ("X-Forwarded-For", "192.0.2.7"), before=V1)["peer"] == "192.0.2.1:1234", "the client's own"


@pytest.mark.parametrize("header", [V1, V2])
def test_the_proxy_protocol_before_tls(server, certificates, header):
    plain = socket.create_connection(("127.0.0.1", server.ports[PROXY_TLS]), DEADLINE_S)
    plain.sendall(header)
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
        connection = HttpConnection.__new__(HttpConnection)
        connection.socket, connection.buffer = secure, b""
        seen = asks(connection)
        assert (seen["peer"], seen["scheme"], seen["isConnectionSecure"]) == ("192.0.2.1:1234", "https", True)


def test_the_proxy_protocol_before_tcp(server):
    with through(server, PROXY_TCP) as proxy:
        proxy.send(V1 + b"one\n")
        assert proxy.take_until(b"\n") == b"hello 192.0.2.1:1234"
        assert proxy.take_until(b"\n") == b"one"


@pytest.mark.parametrize("port", [PROXY, PROXY_TLS, PROXY_TCP])
@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"PROXY TCP4 nonsense\r\n", SIGNATURE + b"\x31\0\0\0",
                                   SIGNATURE + b"\x21\x11\xff\xff", b"PROXY UNKNOWN " + b"x" * 107])
def test_a_trusted_proxy_without_a_proper_header_is_refused(server, port, first):
    with through(server, port) as proxy:
        proxy.send(first)
        assert proxy.at_end()


@pytest.mark.parametrize("port", [PROXY, PROXY_TLS, PROXY_TCP])
@pytest.mark.parametrize("header", [V1, V2, LOCAL, UNKNOWN])
def test_a_header_from_elsewhere_is_refused(server, port, header):
    before = len(server.events("line"))
    with Direct(server, port) as client:
        client.send(header + b"line\n")
        answer = client.take_all()
        assert b"192.0.2.1" not in answer and b"line" not in answer
    assert len(server.events("line")) == before


@pytest.mark.parametrize("port", [PROXY, PROXY_TLS, PROXY_TCP])
@pytest.mark.parametrize("header", [b"", V1[:-1], V2[:-1]])
def test_a_header_has_a_deadline(server, port, header):
    with through(server, port) as proxy:
        proxy.send(header)
        assert proxy.at_end()


@pytest.mark.parametrize("header", [b"PROX", SIGNATURE[:-1]])
def test_what_may_become_a_header_from_elsewhere_has_a_deadline(server, header):
    with Direct(server, PROXY_TCP) as client:
        assert client.take_until(b"\n").startswith(b"hello 127.0.0.2")
        client.send(header)
        assert client.at_end()


def test_who_comes_on_his_own_needs_no_header(server, certificates):
    with Direct(server, PROXY) as client:
        assert asks(client)["peer"] == own_name(client)
    with Direct(server, PROXY_TCP) as client:
        assert client.take_until(b"\n") == b"hello " + own_name(client).encode(), "he may wait for the first word"
        client.send(b"PRO")
        client.send(b"JECT\n")
        assert client.take_until(b"\n") == b"PROJECT"


def test_the_log_says_why(server):
    with through(server, PROXY) as proxy:
        proxy.send(b"GET / HTTP/1.1\r\n\r\n")
        assert proxy.at_end()
    wait_until(lambda: "(proxies)" in server.output(), "the log has said so")
