"""UDP listeners: datagrams in, datagrams out, and what becomes of datagrams that no worker can take."""

import json
import os
import signal
import socket
import sys

import pytest

from harness import CRASHES, Process, Server, wait_until
from http_client import get
from test_listeners import needs_ipv6

SERVER = dict(script="udp.php", workers=2, reactors=2)
MOST = 65_507


class Client:
    """A connected socket, which hears of a port where nothing listens."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(address)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, datagram):
        self.socket.send(datagram)

    def receive(self, seconds):
        """The next datagram; None when nothing has come."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(70_000)
        except TimeoutError:
            return None

    def ask(self, datagram, answers=lambda _: True):
        """Sends again when no answer comes: datagrams may get lost, on a busy machine even on the loopback."""
        def attempt():
            try:
                self.send(datagram)
                got = self.receive(0.5)
                while got is not None and not answers(got):
                    got = self.receive(0.5)
            except ConnectionRefusedError:
                return None
            return None if got is None else (got,)
        return wait_until(attempt, f"{datagram[:20]} is answered")[0]

    def is_refused(self):
        try:
            self.send(b"anybody?")
            self.receive(0.05)
        except ConnectionRefusedError:
            return True
        return False


def dropped(server):
    return get(server, "/").json()["datagramsDropped"]


@pytest.mark.parametrize("size", [0, 1, 1400, 8171, 8172, 8173, 16_383, 16_384, 40_000, MOST])
def test_echo(server, size):
    with Client(server.address) as client:
        datagram = os.urandom(size)
        assert client.ask(datagram) == datagram


def test_the_peer_is_who_has_sent(server):
    with Client(server.address) as client:
        host, port = client.socket.getsockname()
        assert json.loads(client.ask(b"who"))["peer"] == f"{host}:{port}"


def test_answers_come_from_the_address_that_was_asked(server):
    with Client(server.address) as client, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        other.sendto(b"not connected", server.address)
        other.settimeout(15)
        assert other.recvfrom(100) == (b"not connected", server.address)
        assert client.ask(b"connected") == b"connected"


def test_a_peer_may_be_answered_later_and_more_than_once(server):
    with Client(server.address) as client:
        assert client.ask(b"later") == b"it is later"
        assert client.ask(b"twice") == b"first"
        assert client.receive(15) == b"second"


def test_a_datagram_that_is_too_long_is_refused(server):
    with Client(server.address) as client:
        assert client.ask(b"too long").decode() == (
            "Sluice\\Udp\\Peer::send(): Argument #1 ($datagram) must be at most 65507 bytes long, which is all that UDP "
            "carries, 65508 given")


def test_an_exception_costs_nothing_but_its_datagram(server):
    with Client(server.address) as client:
        client.send(b"throw")
        wait_until(lambda: "asked to" in server.output(), "the exception is in the log")
        assert client.ask(b"still there") == b"still there"


def test_many_clients_and_both_workers(server):
    clients = [Client(server.address) for _ in range(40)]
    try:
        for number in range(25):
            for client in clients:
                client.send(b"%d" % number)
            for client in clients:
                while (got := client.receive(0.5)) != b"%d" % number:
                    if got is None:
                        client.send(b"%d" % number)
        pids = {json.loads(client.ask(b"who", lambda got: got.startswith(b"{")))["pid"] for client in clients}
        assert pids == set(server.worker_pids())
        assert get(server, "/").json()["messagesReceived"] >= 40 * 25
    finally:
        for client in clients:
            client.socket.close()


@needs_ipv6
def test_ipv6_and_a_port_of_the_kernel(mode):
    with Server(mode=mode, env={"IPV6": "1"}, **SERVER) as server:
        http, four, six = server.events("start")[0]["addresses"]
        assert http == four == "127.0.0.1:%d" % server.ports[0]
        host, _, port = six.rpartition(":")
        assert host == "[::1]" and int(port) > 0
        wait_until(lambda: f"udp://{four}" in server.output() and f"udp://{six}" in server.output(), "the server says where it is")
        with Client(("::1", int(port))) as client:
            assert client.ask(b"hello").decode() == f"hello from [::1]:{client.socket.getsockname()[1]}"


def sockets_at(address):
    """What /proc/net/udp tells of the UDP sockets of this IPv4 address."""
    host, port = address
    local = f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
    sockets = [line.split() for line in open("/proc/net/udp").readlines()[1:]]
    return [fields for fields in sockets if fields[1] == local]


def unread_bytes(address):
    return sum(int(fields[4].split(":")[1], 16) for fields in sockets_at(address))


def lost_by_kernel(address):
    return sum(int(fields[12]) for fields in sockets_at(address))


@pytest.mark.both_modes
def test_what_a_worker_that_hangs_cannot_take_is_dropped(mode):
    with Server("udp.php", mode, env={"DATAGRAMS": "10"}) as server:
        with Client(server.address) as hanging, Client(server.address) as client:
            assert client.ask(b"before") == b"before", "the worker takes datagrams"
            hanging.send(b"hang")
            server.wait_event("hangs")
            for _ in range(200):
                client.send(b"x" * 1000)
            if mode == "process":
                # Batch by batch: once the last datagram is read, what came before it waits or is dropped.
                wait_until(lambda: unread_bytes(server.address) == 0, "the reactor has read all of them")
                client.send(b"the last one")
                wait_until(lambda: unread_bytes(server.address) == 0, "the reactor has read the last one")
            (server.folder / "let-go").touch()
            with Client(server.address) as other:
                assert other.ask(b"after it") == b"after it"
            assert dropped(server) > 0
            answers = 0
            while client.receive(0.2):
                answers += 1
            # In base mode the reactor hangs with its worker, and the kernel keeps the datagrams.
            assert answers <= 10 if mode == "process" else answers < 200


@pytest.mark.both_modes
def test_what_the_kernel_drops_is_counted(mode):
    with Server("udp.php", mode) as server, Client(server.address) as client:
        assert client.ask(b"before") == b"before"
        reader = server.reactor() if mode == "process" else Process(server.worker_pids()[0])
        reader.kill(signal.SIGSTOP)
        try:
            def overflows():
                for _ in range(100):
                    client.send(b"x" * 8000)
                return lost_by_kernel(server.address) > 0
            wait_until(overflows, "the socket is full")
        finally:
            reader.kill(signal.SIGCONT)
        # The count comes with a datagram that has had room.
        assert client.ask(b"after", lambda got: got == b"after") == b"after"
        wait_until(lambda: "UDP: datagrams that come faster than they are read are dropped" in server.output(), "the log says so")
        assert dropped(server) >= lost_by_kernel(server.address) > 0


def test_a_reload_keeps_the_listener(mode):
    with Server(mode=mode, **SERVER) as server, Client(server.address) as client:
        assert json.loads(client.ask(b"who"))["generation"] == 1
        server.signal(signal.SIGHUP)

        def is_new():
            return json.loads(client.ask(b"who", lambda got: got.startswith(b"{")))["generation"] == 2
        wait_until(is_new, "the new workers answer")
        assert client.ask(b"echo", lambda got: got == b"echo") == b"echo"


def test_a_reload_may_end_the_listener_and_bring_it_back(mode):
    with Server(mode=mode, **SERVER) as server, Client(server.address) as client:
        assert client.ask(b"here") == b"here"
        (server.folder / "no-udp").touch()
        server.signal(signal.SIGHUP)
        wait_until(client.is_refused, "nobody listens any more")
        assert get(server, "/").status == 200
        (server.folder / "no-udp").unlink()
        server.signal(signal.SIGHUP)
        assert client.ask(b"again", lambda got: got == b"again") == b"again"


@pytest.mark.both_modes
def test_a_worker_that_dies_takes_its_datagram_with_it_and_no_more(mode):
    with Server("udp.php", mode) as server, Client(server.address) as client:
        assert get(server, "/").status == 200, "its worker is ready: a datagram waits for none"
        client.send(b"die")
        wait_until(lambda: len(server.events("start")) == 2, "a new worker has started")
        assert client.ask(b"alive", lambda got: got == b"alive") == b"alive"
        if mode == "process":
            assert "died while it handled a datagram; the datagram is lost" in server.output()


def test_a_stop_lets_handlers_answer(mode):
    with Server("udp.php", mode) as server, Client(server.address) as client:
        assert get(server, "/").status == 200, "its worker is ready: a datagram waits for none"
        client.send(b"slow")
        server.wait_event("slow")
        server.signal(signal.SIGTERM)
        wait_until(lambda: "stopping" in server.output(), "the server is stopping")
        (server.folder / "answer").touch()
        assert client.receive(15) == b"at last"
        assert server.wait() == 0


def test_an_address_that_is_taken(mode):
    with Server("udp.php", mode) as server:
        second = Server("udp.php", mode, ports=server.ports).launch()
        try:
            second.may_fail = True
            second.wait()
            assert "Address already in use" in second.output()
            assert not CRASHES.search(second.output())
        finally:
            second.kill_everything()
