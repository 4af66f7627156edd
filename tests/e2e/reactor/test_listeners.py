"""Listeners of the Unix domain and of IPv6: what they serve, who may connect, and when they come and go."""

import json
import os
import signal
import socket
import ssl
import stat
import subprocess

import pytest
from websockets.legacy.client import connect, unix_connect

from certificates import Certificates
from harness import DEADLINE_S, Server, free_ports, wait_until
from http_client import HttpConnection, format_request
from websocket_client import asynchronous


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")


def start(mode, addresses, **more):
    """`addresses` may name the server's folder, which is known only now, as {folder}."""
    server = Server("listeners.php", mode, ports=0, **more)
    asked = json.dumps(addresses).replace("{folder}", str(server.folder))
    server.extra_env["ADDRESSES"] = asked
    return server


def ask(address, path="/"):
    with HttpConnection(address) as connection:
        return connection.request(path).json()


def generation_at(address):
    with HttpConnection(address) as connection:
        answer = connection.request("/")
        return answer.json()["generation"] if answer.status == 200 else None


def connects(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
            return True
        except OSError:
            return False


# --- Unix sockets ---


def test_http_over_a_unix_socket(mode):
    with start(mode, [["http", "unix:{folder}/http", {}]], workers=2, reactors=2) as server:
        path = f"{server.folder}/http"
        seen = ask(path)
        assert seen["peer"] == "unix:" and seen["scheme"] == "http"
        assert seen["addresses"] == [f"unix:{path}"]
        with HttpConnection(path) as connection:
            for _ in range(3):
                assert len(connection.request("/big").body) == 1 << 20
            connection.send(format_request("/", "POST", body=b"x" * 3_000_000))
            assert connection.read().json()["bytes"] == 3_000_000
        # All acceptors take from it, whichever is awake.
        connections = [HttpConnection(path) for _ in range(64)]
        for connection in connections:
            assert connection.request("/").status == 200
            connection.close()
        curl = subprocess.run(["curl", "-sS", "--unix-socket", path, "http://any.example/"], capture_output=True, text=True)
        assert json.loads(curl.stdout)["peer"] == "unix:"
        assert f"http://unix:{path}" in server.output()


@asynchronous
async def test_websocket_over_a_unix_socket(mode):
    with start(mode, [["http", "unix:{folder}/http", {}]]) as server:
        async with unix_connect(f"{server.folder}/http", "ws://any.example/echo") as client:
            await client.send("hello")
            assert await client.recv() == "unix: said hello"


def test_lines_and_tls_over_unix_sockets(mode, tmp_path):
    certificates = Certificates(tmp_path)
    certificates.make("one", "first.example")
    tls = {"tls": [certificates.path("one.pem"), certificates.path("one.key")]}
    with start(mode, [["tcp", "unix:{folder}/lines", {}], ["tcp", "unix:{folder}/secure", tls]]) as server:
        context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
        for name in ("lines", "secure"):
            with socket.socket(socket.AF_UNIX) as plain:
                plain.settimeout(DEADLINE_S)
                plain.connect(f"{server.folder}/{name}")
                client = context.wrap_socket(plain, server_hostname="first.example") if name == "secure" else plain
                client.sendall(b"one\n")
                assert client.makefile("rb").readline() == b"unix: said one\n"
                client.close()


def test_the_file_has_its_permissions_and_goes_with_the_server(mode):
    addresses = [["http", "unix:{folder}/default", {}], ["http", "unix:{folder}/open", {"socketMode": 0o666}]]
    with start(mode, addresses) as server:
        default, opened = f"{server.folder}/default", f"{server.folder}/open"
        assert stat.S_IMODE(os.stat(default).st_mode) == 0o660
        assert stat.S_IMODE(os.stat(opened).st_mode) == 0o666
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert not os.path.exists(default) and not os.path.exists(opened)


def test_what_a_killed_server_leaves_is_replaced(mode):
    with start(mode, [["http", "unix:{folder}/http", {}]]) as server:
        path = f"{server.folder}/http"
        server.may_fail = True
        server.process.kill()
        server.wait()
        server.assert_nothing_left()
        assert os.path.exists(path) and not connects(path)
        server.events_file.unlink()
        server.start()
        assert ask(path)["peer"] == "unix:"


@pytest.mark.parametrize("what", ["listening", "file"])
def test_what_is_somebody_elses_is_left_alone(mode, what):
    server = start(mode, [["http", "unix:{folder}/http", {}]])
    path = f"{server.folder}/http"
    with socket.socket(socket.AF_UNIX) as other:
        if what == "listening":
            other.bind(path)
            other.listen()
        else:
            open(path, "w").close()
        server.launch()
        assert server.wait() == 255
        reason = "Address already in use" if what == "listening" else "a file that is not a socket exists there"
        assert f"Cannot listen on unix:{path}: {reason}" in server.output()
        assert os.path.exists(path)
        if what == "listening":
            assert connects(path)
        server.kill_everything()


def test_a_reload_keeps_adds_and_drops_unix_sockets(mode):
    with start(mode, [["http", "unix:{folder}/kept", {}], ["http", "unix:{folder}/dropped", {}]]) as server:
        kept, dropped, added = (f"{server.folder}/{name}" for name in ("kept", "dropped", "added"))
        before = os.stat(kept).st_ino
        addresses = [["http", f"unix:{kept}", {"socketMode": 0o600}], ["http", f"unix:{added}", {}]]
        (server.folder / "addresses").write_text(json.dumps(addresses))
        server.signal(signal.SIGHUP)
        wait_until(lambda: connects(added), "the new socket is there")
        # Until it has taken over, the answer is 503.
        wait_until(lambda: generation_at(added) == 2, "the new generation serves it")
        wait_until(lambda: not os.path.exists(dropped), "the dropped one is gone")
        assert os.stat(kept).st_ino == before
        wait_until(lambda: stat.S_IMODE(os.stat(kept).st_mode) == 0o600, "the permissions are the new ones")
        # In base mode an old worker may accept a client until it has heard of the new ones.
        wait_until(lambda: generation_at(kept) == 2, "the new generation serves the kept one")


def test_a_reload_that_fails_takes_its_new_sockets_back(mode):
    with start(mode, [["http", "unix:{folder}/kept", {}]]) as server:
        kept, added = f"{server.folder}/kept", f"{server.folder}/added"
        addresses = [["http", f"unix:{kept}", {}], ["http", f"unix:{added}", {}], ["http", "unix:/no/such/folder/x", {}]]
        (server.folder / "addresses").write_text(json.dumps(addresses))
        server.signal(signal.SIGHUP)
        wait_until(lambda: "Cannot listen on unix:/no/such/folder/x: No such file or directory" in server.output(),
                   "the reload has failed")
        wait_until(lambda: not os.path.exists(added), "what was opened for it is gone")
        assert ask(kept)["generation"] == 1


# --- IPv6 ---


@needs_ipv6
@asynchronous
async def test_every_protocol_over_ipv6(mode, tmp_path):
    certificates = Certificates(tmp_path)
    certificates.make("one", "first.example", "::1")
    tls = {"tls": [certificates.path("one.pem"), certificates.path("one.key")]}
    http, lines, https = free_ports(3)
    addresses = [["http", f"[::1]:{http}", {}], ["tcp", f"[::1]:{lines}", {}], ["http", f"[::1]:{https}", tls]]
    with start(mode, addresses, workers=2, reactors=2) as server:
        with HttpConnection(("::1", http)) as connection:
            seen = connection.request("/").json()
            assert seen["peer"] == f"[::1]:{connection.socket.getsockname()[1]}"
            assert seen["addresses"] == [f"[::1]:{port}" for port in (http, lines, https)]
        async with connect(f"ws://[::1]:{http}/echo") as client:
            await client.send("hello")
            assert (await client.recv()).startswith("[::1]:")
        with socket.create_connection(("::1", lines), timeout=DEADLINE_S) as client:
            client.sendall(b"one\n")
            assert client.makefile("rb").readline() == b"[::1]:%d said one\n" % client.getsockname()[1]
        curl = subprocess.run(["curl", "-sS", "--cacert", certificates.path("ca.pem"), f"https://[::1]:{https}/"],
                              capture_output=True, text=True)
        assert json.loads(curl.stdout)["scheme"] == "https", curl.stderr
        assert f"http://[::1]:{http}/" in server.output()


@needs_ipv6
def test_all_of_ipv6_and_all_of_ipv4_stand_side_by_side(mode):
    port, = free_ports(1)
    with start(mode, [["http", f"[::]:{port}", {}], ["http", f"0.0.0.0:{port}", {}]]):
        assert ask(("::1", port))["peer"].startswith("[::1]:")
        assert ask(("127.0.0.1", port))["peer"].startswith("127.0.0.1:")


@needs_ipv6
def test_all_of_ipv6_is_not_ipv4(mode):
    port, = free_ports(1)
    with start(mode, [["http", f"[::]:{port}", {}]]):
        assert ask(("::1", port))
        with pytest.raises(ConnectionRefusedError):
            ask(("127.0.0.1", port))
