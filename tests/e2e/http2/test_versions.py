"""A site that speaks HTTP/2 alone: others are refused as their version of HTTP, or TLS, has it."""

import ssl

import pytest

from certificates import Certificates
from harness import Server
from http2_client import Http2Connection
from http_client import HttpConnection, format_request


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    return made


@pytest.fixture(scope="module")
def module_server(mode, certificates):
    with Server("versions.php", mode, ports=2, workers=2, env={"CERTIFICATES": str(certificates.folder)}) as server:
        yield server


def wrap(certificates, protocols):
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    if protocols:
        context.set_alpn_protocols(protocols)
    return lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1")


def test_clients_that_know_it_beforehand(server):
    with Http2Connection(("127.0.0.1", server.ports[0])) as connection:
        assert connection.request("/").text == "hello over 2"


@pytest.mark.parametrize("protocols", [["h2"], ["http/1.1", "h2"]])
def test_clients_that_offer_it_by_alpn(server, certificates, protocols):
    with Http2Connection(("127.0.0.1", server.ports[1]), wrap=wrap(certificates, protocols)) as connection:
        assert connection.request("/").text == "hello over 2"


@pytest.mark.parametrize("headers", [{}, {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__"},
                                     {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                                      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}])
@pytest.mark.parametrize("target", ["/", "/ws"])
def test_http_1_is_refused(server, headers, target):
    with HttpConnection(("127.0.0.1", server.ports[0])) as connection:
        response = connection.request(target, headers=headers)
        assert (response.status, response.header("connection")) == (505, "close")
        assert response.text == "505 HTTP Version Not Supported: this site speaks HTTP/2 alone\n"


def test_http_1_is_refused_over_tls_when_it_is_not_told_before(server, certificates):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        connection.socket = wrap(certificates, None)(connection.socket)
        connection.send(format_request("/"))
        assert connection.read().status == 505


def test_tls_is_refused_to_who_offers_others(server, certificates):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection, pytest.raises(ssl.SSLError, match="(?i)no.application.protocol"):
        wrap(certificates, ["http/1.1"])(connection.socket)
