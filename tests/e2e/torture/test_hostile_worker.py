"""A worker writes over all that it shares with the reactor, life after life, beside an honest one: whose connections the honest
one has notices nothing, and nothing of it is left."""

import os
import signal
import threading

import pytest

from harness import Process, Server, wait_until
from http_client import ClosedEarly, HttpConnection, get
from websocket_client import TEXT, RawWebSocket, frame

pytestmark = pytest.mark.slow

TORTURE = "SLUICE_TORTURE" in os.environ
LIVES = 400 if TORTURE else 20
SEED = int(os.environ.get("SLUICE_SEED", "1"))
PATIENCE_S = 60


class Client(threading.Thread):
    """A client that does one thing over and over. An error ends the client, and is kept."""

    def __init__(self, server, number):
        super().__init__(daemon=True)
        self.server, self.number = server, number
        self.rounds = self.right = 0
        self.stopped = False
        self.error = None

    def run(self):
        try:
            while not self.stopped:
                self.rounds += 1
                self.once(f"{self.number}-{self.rounds} " * (1 if self.rounds % 4 else 2000))
        except BaseException as error:
            self.error = error


class HttpClient(Client):
    """A client whose requests any worker may have: it gets whatever the hostile worker says, or loses its requests with that worker, but never
    waits in vain."""

    connection = None

    def once(self, text):
        try:
            self.connection = self.connection or HttpConnection(self.server.address, timeout=PATIENCE_S)
            response = self.connection.request("/", "POST", body=text.encode())
            self.right += (response.status, response.body) == (200, text.encode())
            if response.header("connection") != "close":
                return
        except (ClosedEarly, ConnectionError, AssertionError, ValueError):
            pass
        self.connection.close()
        self.connection = None


class BoundClient(Client):
    """A client whose messages the honest worker gets: each is answered, once, and in order."""

    def __init__(self, server, number):
        super().__init__(server, number)
        # A new connection goes to the worker that has fewest, so earlier ones stay open meanwhile.
        others = []
        while True:
            self.connect()
            self.send("whose")
            if self.receive() == "1 whose":
                break
            others.append(self.connection)
        for connection in others:
            connection.close()

    def once(self, text):
        self.send(text)
        self.send("another")
        answers = [self.receive(), self.receive()]
        assert answers == [f"1 {text}", "1 another"], [answer[:100] for answer in answers]
        self.right += 1


class WebSocketClient(BoundClient):
    def connect(self):
        self.connection = RawWebSocket(self.server)
        self.connection.socket.settimeout(PATIENCE_S)

    def send(self, text):
        self.connection.send(frame(TEXT, text.encode()))

    def receive(self):
        _, opcode, payload = self.connection.read_frame()
        assert opcode == TEXT, payload
        return payload.decode()


class TcpClient(BoundClient):
    def connect(self):
        self.connection = HttpConnection(("127.0.0.1", self.server.ports[1]), timeout=PATIENCE_S)

    def send(self, text):
        self.connection.send(f"{text}\n".encode())

    def receive(self):
        return self.connection.take_until(b"\n").decode()


def test_a_worker_that_writes_over_what_it_shares(mode, tmp_path):
    lives = tmp_path / "lives"
    env = {"LIVES": str(lives), "MOST_LIVES": str(LIVES), "SEED": str(SEED)}
    with Server("hostile.php", mode, workers=2, ports=2, env=env) as server:
        lasting = [server.process.pid, server.wait_event("start", id=1)["pid"]]
        if mode == "process":
            lasting.append(server.reactor().pid)
        clients = [kind(server, number) for number, kind in enumerate([HttpClient, WebSocketClient, TcpClient] * 2)]
        for client in clients:
            client.start()
        lives.touch()

        def has_lived(count):
            for pid in lasting:
                assert Process(pid).is_alive(), f"{Process(pid)} has died"
            for client in clients:
                if client.error:
                    raise client.error
            return lives.stat().st_size >= count

        def all_go_on(since):
            has_lived(0)
            return all(client.rounds > before for client, before in zip(clients, since))

        for count in range(1, LIVES + 1):
            since = [client.rounds for client in clients]
            wait_until(lambda: has_lived(count), f"{count} hostile workers have lived (seed {SEED})")
            wait_until(lambda: all_go_on(since), f"the clients go on after {count} hostile workers (seed {SEED})")
        assert server.wait_event("layout")["known"]

        def takes_the_place():
            last = [event["pid"] for event in server.events("start") if event["id"] == 0][-1]
            return last not in [event["pid"] for event in server.events("hostile")] and Process(last).is_alive()

        wait_until(takes_the_place, "an honest worker takes the place")
        for client in clients:
            client.stopped = True
        for client in clients:
            client.join()
            client.connection.close()
            assert client.right > 0
        has_lived(LIVES)
        for number in range(100):
            text = f"{number}".encode()
            response = get(server, method="POST", body=text)
            assert (response.status, response.body) == (200, text), response

        def is_as_new():
            stats = get(server, "/stats").json()
            return stats["connections"] == 1 and stats["arenaBytes"] == 0 and stats["attachedBytes"] == 0

        wait_until(is_as_new, "nothing is left of what the hostile workers had")


def test_a_reload_after_a_worker_has_written_over_the_beginning(mode, tmp_path):
    env = {"LIVES": str(tmp_path / "none"), "MOST_LIVES": "0", "SEED": "1"}
    with Server("hostile.php", mode, workers=2, ports=2, env=env) as server:
        for generation in (2, 3):
            assert get(server, "/spoil").json() == {"keepsItsSize": True}
            server.signal(signal.SIGHUP)
            for number in range(2):
                server.wait_event("start", id=number, generation=generation)
            wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
            response = get(server, method="POST", body=b"hello")
            assert (response.status, response.body) == (200, b"hello"), response
