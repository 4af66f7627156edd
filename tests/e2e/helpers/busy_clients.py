"""Clients that keep a server busy (servers/busy.php), each with one kind of work, over and over. Each piece of work has a
number that nothing else has; what was answered and what was lost with a worker is noted, and what must not be ends the client."""

import collections
import hashlib
import select
import threading

from harness import wait_until
from http_client import ClosedEarly, HttpConnection, get
from websocket_client import CLOSE, TEXT, RawWebSocket, frame

# A request may meet many workers that die before they come to it.
PATIENCE_S = 120


class Client(threading.Thread):
    """Does one thing over and over, each time with a number that nothing else has. What goes wrong ends it and is kept."""

    def __init__(self, server, what):
        super().__init__(daemon=True)
        self.server, self.what = server, what
        self.connection_may_end = False
        self.connection = None
        self.rounds = 0
        self.answered, self.lost = [], []
        self.stopped = False
        self.error = None

    def run(self):
        try:
            while not self.stopped:
                self.rounds += 1
                number = f"{self.what}-{self.rounds}"
                try:
                    self.connection = self.connection or self.open()
                    self.once(number)
                except (ClosedEarly, ConnectionError):
                    if not self.connection_may_end:
                        raise
                    self.lose(number)
            if self.connection:
                self.connection.close()
        except BaseException as error:
            self.error = error

    def lose(self, number):
        """Together with the connection."""
        self.lost.append(number)
        if self.connection:
            self.connection.close()
        self.connection = None


class HttpClient(Client):
    """Each request has one whole answer: that of the handler, or 502 when it died with its worker."""

    def open(self):
        return HttpConnection(self.server.address, timeout=PATIENCE_S)

    def once(self, number):
        method, body, right = self.expected(number)
        response = self.connection.request(f"/{self.what}?id={number}", method, body=body)
        if response.status == 502:
            self.lost.append(number)
        else:
            assert (response.status, response.body) == (200, right), (number, response)
            self.answered.append(number)
        if response.header("connection") == "close":  # there is a limit of requests for each connection
            self.connection.close()
            self.connection = None

    def expected(self, number):
        if self.what == "large":
            body = number.encode() * 3000
            return "POST", body, body + body
        if self.what == "keep":
            return "POST", number.encode() * 3000, number.encode()
        if self.what == "file":
            body = number.encode() * 20000
            return "POST", body, hashlib.md5(body).hexdigest().encode()
        if self.what == "sent":
            return "GET", None, (self.server.script).read_bytes()
        return "GET", None, number.encode()


class PiecesClient(HttpClient):
    """When its worker dies within the response, that ends before its end, and says so by having none."""

    def once(self, number):
        right = b"".join(f"{number}:{piece};".encode() for piece in range(1, 6)) + b"end"
        try:
            response = self.connection.request(f"/pieces?id={number}")
        except ClosedEarly:
            self.lose(number)
            return
        if response.status == 502:
            self.lost.append(number)
        else:
            assert (response.status, response.body) == (200, right), (number, response)
            self.answered.append(number)
        if response.header("connection") == "close":
            self.connection.close()
            self.connection = None


class MessageClient(Client):
    """Keeps its connection whatever happens to workers. A message that is lost with its worker has no answer; that of a
    later one tells so, for they are handled in order."""

    sent, came = [], []

    def open(self):
        self.assert_order()
        self.sent, self.came = [], []
        return self.connect()

    def once(self, number):
        self.ask(number, self.words[self.rounds % len(self.words)])
        fences = set()
        while not fences & set(self.came[-2:]):
            # Sends one more fence whenever nothing comes: earlier fences may have been lost.
            if not self.connection.buffer and not select.select([self.connection.socket], [], [], 0.1 if fences else 0)[0]:
                fences.add(f"{number}.{len(fences)}")
                self.ask(f"{number}.{len(fences) - 1}", "echo")
                continue
            name = self.answer()
            if name:
                self.came.append(name)
        (self.answered if number in self.came[-4:] else self.lost).append(number)

    def assert_order(self):
        """What came, came in the order in which it was asked for, and once."""
        order = iter(self.sent)
        for place, name in enumerate(self.came):
            assert name in order, f"{name} came in the wrong place: {self.came[max(0, place - 6) : place + 3]}"


class WebSocketClient(MessageClient):
    what = "websocket"
    words = ("echo", "wait", "room", "topics", "count", "ping", "x" * 9000, "y" * 40000)

    def connect(self):
        return RawWebSocket(self.server, timeout=PATIENCE_S)

    def ask(self, name, word):
        self.sent.append(name)
        self.connection.send(frame(TEXT, f"{name} {word}".encode()))

    def answer(self):
        _, opcode, payload = self.connection.read_frame()
        if opcode == CLOSE and self.connection_may_end:
            raise ClosedEarly(payload)
        assert opcode != CLOSE, payload
        return payload.split(b" ")[0].decode() if opcode == TEXT else None


class TcpClient(MessageClient):
    what = "tcp"
    words = ("",)

    def connect(self):
        return HttpConnection(("127.0.0.1", self.server.ports[1]), timeout=PATIENCE_S)

    def ask(self, name, _):
        self.sent.append(name)
        self.connection.send(f"{name}\n".encode())

    def answer(self):
        return self.connection.take_until(b"\n").decode()


class BusyServer:
    """The clients of one server, and what is right at the end."""

    def __init__(self, server, begun_file, connection_may_end=False):
        self.server, self.begun_file = server, begun_file
        self.clients = [HttpClient(server, what) for what in ("small", "waits", "large", "keep", "file", "sent")]
        self.clients += [PiecesClient(server, "pieces"), WebSocketClient(server, "websocket"), TcpClient(server, "tcp")]
        for client in self.clients:
            client.connection_may_end = connection_may_end
            client.start()

    def check(self):
        """While they work."""
        assert self.server.process.poll() is None, "the server has ended"
        for client in self.clients:
            if client.error:
                raise client.error

    def rounds(self):
        return [client.rounds for client in self.clients]

    def has_done(self, count, since):
        """Whether each client has done that many pieces of work since `since`, what rounds() said then."""
        self.check()
        return all(now - before >= count for now, before in zip(self.rounds(), since))

    def lost(self):
        return sum(len(client.lost) for client in self.clients)

    def begun(self):
        """By number: the workers that have begun it."""
        begun = collections.defaultdict(list)
        for line in self.begun_file.read_text().splitlines():
            number, worker = line.split()
            begun[number].append(worker)
        return begun

    def broken_off(self):
        """Requests that a worker had begun, and that have no whole answer."""
        begun = self.begun()
        return [number for client in self.clients if isinstance(client, HttpClient) for number in client.lost if number in begun]

    def finish(self):
        for client in self.clients:
            client.stopped = True
        for client in self.clients:
            client.join()
        self.check()
        for client in self.clients:
            print(f"{client.what}: {len(client.answered)} answered, {len(client.lost)} lost with a worker")
        begun = self.begun()
        doubled = {number: workers for number, workers in begun.items() if len(workers) > 1}
        assert not doubled, f"begun more than once, and by whom: {doubled}"
        for client in self.clients:
            never = [number for number in client.answered if number not in begun]
            assert not never, f"answered and never begun: {never}"
            if isinstance(client, MessageClient):
                client.assert_order()
        try:
            wait_until(self.is_as_new, "nothing is left of what the clients did")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.stats}") from None

    def is_as_new(self):
        """But for what PHP keeps of the bodies that it was asked to keep."""
        self.stats = stats = get(self.server, "/stats").json()
        held = [stats[gauge] for gauge in ("coroutines", "subscriptionBytes", "attachedBytes", "compressionBytes")]
        return stats["connections"] == 1 and not any(held) and stats["arenaBytes"] == stats["lentBytes"]
