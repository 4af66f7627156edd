"""TLS: curl, openssl s_client, Python's ssl and an independent WebSocket client, each with a CA of the test's own."""

import contextlib
import fcntl
import hashlib
import os
import re
import signal
import socket
import ssl
import struct
import subprocess
import termios
import threading
import time

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection, format_request
from websocket_client import asynchronous, connect

HTTPS, HTTP, LINES, CLIENTS = range(4)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    made.make("two", "www.second.example")
    made.make("client", "a client")
    return made


@pytest.fixture(scope="module")
def module_server(mode, certificates):
    with start(mode, certificates) as server:
        yield server


def start(mode, certificates, **more):
    return Server("tls.php", mode, ports=4, workers=2, env={"CERTIFICATES": str(certificates.folder)}, **more)


def client_context(certificates, **options):
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    context.options &= ~0x80  # SSL_OP_IGNORE_UNEXPECTED_EOF, which Python sets and has no name for
    for name, value in options.items():
        setattr(context, name, value)
    return context


class SecureConnection(HttpConnection):
    """HTTP/1.1 over Python's ssl."""

    def __init__(self, server, certificates, port=HTTPS, host="127.0.0.1", context=None, session=None):
        context = context or client_context(certificates)
        plain = socket.create_connection(("127.0.0.1", server.ports[port]), timeout=DEADLINE_S)
        self.socket = context.wrap_socket(plain, server_hostname=host, session=session,
                                          suppress_ragged_eofs=False)
        self.buffer = b""

    def receive(self):
        try:
            return super().receive()
        except ssl.SSLEOFError:
            raise AssertionError("the server closed without saying so") from None

    @property
    def certificate(self):
        """The host that the server's certificate is for."""
        return dict(pair[0] for pair in self.socket.getpeercert()["subject"])["commonName"]


def curl(server, certificates, path, *words, port=HTTPS):
    done = subprocess.run(["curl", "-sS", "--cacert", certificates.path("ca.pem"), *words,
                           f"https://127.0.0.1:{server.ports[port]}{path}"],
                          capture_output=True, timeout=DEADLINE_S)
    return done.returncode, done.stdout, done.stderr.decode()


def s_client(server, certificates, *words, port=HTTPS, send="GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"):
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.ports[port]}", "-CAfile",
                           certificates.path("ca.pem"), "-ign_eof", *words],
                          input=send, capture_output=True, text=True, timeout=DEADLINE_S)
    return done.stdout + done.stderr


# --- HTTP ---


def test_curl_says_hello(server, certificates):
    status, body, error = curl(server, certificates, "/")
    assert (status, body) == (0, b"hello"), error


def test_a_client_that_does_not_know_the_ca_goes_away(server):
    done = subprocess.run(["curl", "-sS", f"https://127.0.0.1:{server.ports[HTTPS]}/"], capture_output=True, timeout=DEADLINE_S)
    assert done.returncode == 60


@pytest.mark.parametrize("port, scheme", [(HTTPS, "https"), (HTTP, "http")])
def test_the_request_knows_how_it_came(server, certificates, port, scheme):
    if port == HTTPS:
        connection = SecureConnection(server, certificates)
    else:
        connection = HttpConnection(("127.0.0.1", server.ports[HTTP]))
    with connection:
        assert connection.request("/scheme").json() == {"scheme": scheme, "secure": scheme == "https"}


def test_many_requests_on_one_connection(server, certificates):
    with SecureConnection(server, certificates) as connection:
        for _ in range(20):
            assert connection.request("/").text == "hello"
        # All at once: several requests in one record.
        connection.send(format_request("/") * 20)
        for _ in range(20):
            assert connection.read().text == "hello"


@pytest.mark.parametrize("size", [1, 8192, 16383, 16384, 16385, 65536, 1_000_003, 8 << 20])
def test_bodies_both_ways(server, certificates, size):
    body = os.urandom(size)
    with SecureConnection(server, certificates) as connection:
        for _ in range(2):
            received = connection.request("/echo", "POST", body=body).body
            assert hashlib.sha256(received).digest() == hashlib.sha256(body).digest()


def test_a_body_in_many_small_records(server, certificates):
    body = os.urandom(20_000)
    with SecureConnection(server, certificates) as connection:
        message = format_request("/echo", "POST", body=body)
        for at in range(0, len(message), 97):
            connection.send(message[at:at + 97])
        assert connection.read().body == body


def test_streamed_and_big_responses(server, certificates):
    with SecureConnection(server, certificates) as connection:
        assert connection.request("/stream").body == b"".join(bytes([65 + i]) * 65536 for i in range(32))
        assert connection.request("/big").body == b"0123456789abcdef" * 65536 * 4


def queued(connection):
    """Bytes that have come and wait to be read."""
    return struct.unpack("i", fcntl.ioctl(connection.socket.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]


def test_a_slow_reader_gets_everything(server, certificates):
    """The socket is full for a while: writes go on where they stopped."""
    with SecureConnection(server, certificates) as connection:
        connection.send(format_request("/big") * 3)
        wait_until(lambda: queued(connection) >= 65536, "the socket holds what it can")
        for _ in range(3):
            assert connection.read().body == b"0123456789abcdef" * 65536 * 4


def test_the_end_of_a_response_is_told(server, certificates):
    with SecureConnection(server, certificates) as connection:
        assert connection.request("/", headers={"Connection": "close"}).text == "hello"
        assert connection.at_end()  # SecureConnection.receive insists on close_notify


def test_a_client_that_has_said_goodbye_gets_its_answer(server, certificates):
    context = client_context(certificates)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with socket.create_connection(server.address, timeout=DEADLINE_S) as plain:
        def step(what):
            while True:
                try:
                    result = what()
                    plain.sendall(outgoing.read())
                    return result
                except ssl.SSLWantReadError:
                    plain.sendall(outgoing.read())
                    more = plain.recv(65536)
                    assert more, "the server closed early"
                    incoming.write(more)
        step(tls.do_handshake)
        step(lambda: tls.write(format_request("/")))
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.unwrap()  # close_notify, and then the client waits for the server's
        plain.sendall(outgoing.read())
        raw = b""
        while more := plain.recv(65536):
            raw += more
    # A half-closed client cannot read through Python's ssl any more; that encrypted bytes came is what shows.
    assert len(raw) > 100


# --- versions, names, protocols, client certificates ---


@pytest.mark.parametrize("option, version", [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
def test_versions(server, certificates, option, version):
    output = s_client(server, certificates, option)
    assert f"New, {version}, Cipher is" in output and "\nhello" in output, output
    assert "Verify return code: 0 (ok)" in output


def test_old_versions_are_refused(server, certificates):
    output = s_client(server, certificates, "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0")
    assert "alert protocol version" in output or "unsupported protocol" in output, output


def test_the_lowest_version_is_a_choice(server, certificates):
    output = s_client(server, certificates, "-tls1_2", port=LINES)
    assert "alert protocol version" in output, output


@pytest.mark.parametrize("host, expected", [
    ("first.example", "first.example"), ("www.second.example", "www.second.example"), ("WWW.Second.Example", "www.second.example"),
    ("unknown.example", "first.example"), (None, "first.example")])
def test_the_certificate_goes_by_name(server, certificates, host, expected):
    words = ["-servername", host] if host else ["-noservername"]
    output = s_client(server, certificates, *words)
    assert re.search(rf"subject=CN ?= ?{re.escape(expected)}\n", output), output


def test_python_verifies_the_name(server, certificates):
    with SecureConnection(server, certificates, host="www.second.example") as connection:
        assert connection.certificate == "www.second.example"
        assert connection.request("/").text == "hello"
    with pytest.raises(ssl.SSLCertVerificationError):
        SecureConnection(server, certificates, host="unknown.example")


def test_alpn(server, certificates):
    assert "ALPN protocol: http/1.1" in s_client(server, certificates, "-alpn", "spdy/1,http/1.1")
    assert "No ALPN negotiated" in s_client(server, certificates)
    assert "alert no application protocol" in s_client(server, certificates, "-alpn", "spdy/1")


def test_client_certificates(server, certificates):
    own = ["--cert", certificates.path("client.pem"), "--key", certificates.path("client.key")]
    status, body, error = curl(server, certificates, "/", *own, port=CLIENTS)
    assert (status, body) == (0, b"hello"), error
    status, body, error = curl(server, certificates, "/", port=CLIENTS)
    assert status != 0 and "certificate required" in error


def test_a_client_certificate_of_somebody_else(server, certificates, tmp_path):
    others = Certificates(tmp_path)
    others.make("client", "a client")
    own = ["--cert", others.path("client.pem"), "--key", others.path("client.key")]
    status, _, error = curl(server, certificates, "/", *own, port=CLIENTS)
    assert status != 0 and ("unknown ca" in error or "decrypt error" in error), error


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
@pytest.mark.parametrize("port", [HTTPS, CLIENTS])
def test_sessions_are_resumed_by_whichever_worker(server, certificates, version, port, tmp_path):
    file = str(tmp_path / "session")
    own = ["-cert", certificates.path("client.pem"), "-key", certificates.path("client.key")]
    first = s_client(server, certificates, version, "-sess_out", file, *own, port=port)
    assert "New, " in first, first
    for _ in range(6):
        output = s_client(server, certificates, version, "-sess_in", file, *own, port=port)
        assert "Reused, " in output, output


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_sessions_are_resumed_after_a_reload(mode, certificates, version, tmp_path):
    """By other workers, with certificates that were loaded anew, and by whichever reactor."""
    file = str(tmp_path / "session")
    with start(mode, certificates) as server:
        assert "New, " in s_client(server, certificates, version, "-sess_out", file)
        for reloads in range(1, 3):
            server.signal(signal.SIGHUP)
            wait_until(lambda: server.output().count("has taken over") == reloads, "the new generation has taken over")
            for _ in range(4):
                output = s_client(server, certificates, version, "-sess_in", file)
                assert "Reused, " in output, output


def test_a_session_does_not_get_past_the_client_certificate(server, certificates, tmp_path):
    """One that began on the listener without client certificates is worth nothing on the other one."""
    file = str(tmp_path / "session")
    s_client(server, certificates, "-tls1_2", "-sess_out", file)
    output = s_client(server, certificates, "-tls1_2", "-sess_in", file, port=CLIENTS)
    assert "Reused" not in output and "HTTP/1.1 200" not in output, output


def test_renegotiation_is_refused(server, certificates):
    """`R` at the start of a line asks s_client for it."""
    process = subprocess.Popen(["openssl", "s_client", "-tls1_2", "-connect", f"127.0.0.1:{server.ports[HTTPS]}",
                                "-CAfile", certificates.path("ca.pem")],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    timer = threading.Timer(DEADLINE_S, process.kill)
    timer.start()
    try:
        output, _ = process.communicate("R\n")
    finally:
        timer.cancel()
    assert "RENEGOTIATING" in output and "no renegotiation" in output, output


# --- those who do not behave ---


def closes(connection, within=DEADLINE_S):
    """What comes until the end, which must not be a reset."""
    connection.settimeout(within)
    data = b""
    while more := connection.recv(65536):
        data += more
    return data


@pytest.mark.parametrize("first", [b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])
def test_a_slow_handshake_is_cut(server, first):
    before = time.monotonic()
    with socket.create_connection(server.address) as connection:
        connection.sendall(first)
        assert closes(connection) == b""
    assert time.monotonic() - before >= 1.9  # handshakeSeconds is 2.0


def test_one_that_trickles_is_cut_too(server):
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    with socket.create_connection(server.address) as connection:
        connection.settimeout(0.05)
        deadline = time.monotonic() + DEADLINE_S
        for at in range(10_000):
            assert time.monotonic() < deadline, "a trickling client holds its connection"
            try:
                connection.sendall(hello[at:at + 1] or b"\0")
                if connection.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break


def test_slow_handshakes_hold_up_nobody(server, certificates):
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(socket.create_connection(server.address))
        with SecureConnection(server, certificates) as connection:
            assert connection.request("/").text == "hello"


def test_plain_http_gets_a_plain_answer_and_a_clean_close(server):
    with socket.create_connection(server.address) as connection:
        connection.sendall(format_request("/") * 3)
        answer = closes(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n"), answer
    assert body == b"400 Bad Request: this port speaks HTTPS: use a URL with https://\n"
    assert f"content-length: {len(body)}".encode() in head.lower()


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT"])
def test_plain_http_gets_what_it_accepts(server, method):
    for accept, kind in (("text/html", b"text/html; charset=utf-8"), ("application/json", b"application/problem+json"), ("*/*", b"text/plain; charset=utf-8")):
        with socket.create_connection(server.address) as connection:
            connection.sendall(format_request("/there", method, headers={"Accept": accept}))
            answer = closes(connection)
        assert b"content-type: " + kind + b"\r\n" in answer and (b"https://" in answer) == (method != "HEAD"), answer


def test_plain_http_on_a_tcp_listener_is_only_closed(server):
    with socket.create_connection(("127.0.0.1", server.ports[LINES])) as connection:
        connection.sendall(format_request("/"))
        assert b"HTTP" not in closes(connection)


def test_rubbish_gets_an_alert_and_a_clean_close(server):
    with socket.create_connection(server.address) as connection:
        connection.sendall(b"\x16\x03\x01\x00\x05hello" + bytes(1000))
        answer = closes(connection)
    assert answer[:1] == b"\x15", answer


def test_rubbish_after_the_handshake_ends_the_connection(server, certificates):
    with SecureConnection(server, certificates) as connection:
        assert connection.request("/").text == "hello"
        raw = socket.socket(fileno=os.dup(connection.socket.fileno()))
        with raw:
            raw.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
            raw.settimeout(DEADLINE_S)
            with contextlib.suppress(ConnectionResetError):
                closes(raw)
    with SecureConnection(server, certificates) as connection:
        assert connection.request("/").text == "hello"


def test_clients_that_vanish_anywhere(server, certificates):
    """Cuts a whole conversation at many places; the server goes on."""
    context = client_context(certificates)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    hello = outgoing.read()
    for cut in range(0, len(hello) + 1, 7):
        with socket.create_connection(server.address) as connection:
            connection.sendall(hello[:cut])
    for _ in range(5):
        connection = SecureConnection(server, certificates)
        connection.send(format_request("/big"))
        connection.close()
    with SecureConnection(server, certificates) as connection:
        assert connection.request("/").text == "hello"


# --- WebSocket and TCP ---


@asynchronous
async def test_websocket_messages(server, certificates):
    class Secure:
        ws_url = f"wss://127.0.0.1:{server.ports[HTTPS]}"
    async with connect(Secure, ssl=client_context(certificates)) as client:
        for size in [0, 1, 125, 126, 8191, 8192, 16384, 65536, 524288, 524288, 4 << 20]:
            data = os.urandom(size)
            await client.send(data)
            assert await client.recv() == data, size
        # Several in flight: frames share records, and records share frames.
        messages = [os.urandom(size) for size in [10, 524288, 3, 20000, 524288, 7]]
        for message in messages:
            await client.send(message)
        for message in messages:
            assert await client.recv() == message
        await client.send("text")
        assert await client.recv() == "text"
    server.wait_event("open", secure=True, scheme="https")
    server.wait_event("close", code=1000)


def test_lines(server, certificates):
    context = client_context(certificates)
    plain = socket.create_connection(("127.0.0.1", server.ports[LINES]), timeout=DEADLINE_S)
    with context.wrap_socket(plain, server_hostname="127.0.0.1") as tls:
        file = tls.makefile("rwb")
        assert file.readline() == b"welcome\n"
        file.write(b"one\ntwo\nbye\n")
        file.flush()
        assert file.read() == b"ONE\nTWO\nBYE\n"


# --- reload ---


@pytest.mark.both_modes
def test_a_reload_takes_new_certificates_and_keeps_connections(mode, tmp_path):
    made = Certificates(tmp_path)
    made.make("one", "old.example", "127.0.0.1")
    made.make("two", "www.second.example")
    with start(mode, made) as server:
        kept = SecureConnection(server, made)
        assert kept.certificate == "old.example"
        made.make("one", "new.example", "127.0.0.1")

        # A key that does not belong to its certificate: the reload fails, all goes on with the old ones.
        good = (tmp_path / "one.key").read_bytes()
        (tmp_path / "one.key").write_bytes((tmp_path / "two.key").read_bytes())
        server.signal(signal.SIGHUP)
        wait_until(lambda: "the reload has failed" in server.output(), "the reload has failed")
        assert "does not belong to the certificate file" in server.output()
        with SecureConnection(server, made) as connection:
            assert connection.certificate == "old.example"
            assert connection.request("/").text == "hello"

        (tmp_path / "one.key").write_bytes(good)
        server.signal(signal.SIGHUP)
        wait_until(lambda: "has taken over" in server.output(), "the new generation has taken over")

        def serves_the_new_one():
            with SecureConnection(server, made) as connection:
                return connection.certificate == "new.example" and connection.request("/").text == "hello"
        wait_until(serves_the_new_one, "the new certificate is served")
        if mode == "process":  # in base mode the connection goes with its worker
            assert kept.request("/").text == "hello"
        kept.close()


def test_a_bad_certificate_is_said_at_once(mode, tmp_path):
    made = Certificates(tmp_path)
    made.make("one", "first.example", "127.0.0.1")
    server = start(mode, made).launch()
    try:
        assert server.wait() != 0
        assert f"Cannot read the certificate file {tmp_path}/two.pem: No such file or directory" in server.output()
    finally:
        server.kill_everything()


def test_the_banner_tells(server):
    output = server.output()
    assert f"https://127.0.0.1:{server.ports[HTTPS]}/" in output
    assert f"wss://127.0.0.1:{server.ports[HTTPS]}/echo" in output
    assert f"http://127.0.0.1:{server.ports[HTTP]}/" in output
    assert f"tls://127.0.0.1:{server.ports[LINES]}" in output
    kernel = "tls" in open("/proc/sys/net/ipv4/tcp_available_ulp").read().split()
    expected = "used where the cipher allows it" if kernel else "not available"
    assert re.search(rf"TLS by OpenSSL 3\.\S+; kernel TLS: {expected}", output), output
