"""Clients of busy.php that send messages and datagrams, which have no answer when they are lost with their worker."""

import collections
import select
import socket
import struct
import zlib

from busy_client import PATIENCE_S, Client
from harness import DEADLINE_S
from http_client import ClosedEarly, HttpConnection
from websocket_client import CLOSE, PING, PONG, TEXT, RawWebSocket, frame, handshake

SWITCHING, MISSING_WORKER = 101, 502


class MessageClient(Client):
    """Keeps its connection whatever happens to workers. A message that is lost with its worker has no answer; that of a
    later one tells so, for they are handled in order."""

    is_tied = True
    sent, came = [], []

    def open(self):
        self.finish()
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

    def finish(self):
        """What came, came in the order in which it was asked for, and once."""
        order = iter(self.sent)
        for place, name in enumerate(self.came):
            assert name in order, f"{name} came in the wrong place: {self.came[max(0, place - 6) : place + 3]}"


class WebSocketClient(MessageClient):
    words = ("echo", "wait", "room", "wide", "topics", "count", "list", "attach", "ping", "x" * 9000, "y" * 40000)

    def connect(self):
        return RawWebSocket(self.server, timeout=PATIENCE_S)

    def ask(self, name, word):
        self.sent.append(name)
        self.connection.send(frame(TEXT, f"{name} {word}".encode()))

    def answer(self):
        _, opcode, payload = self.connection.read_frame()
        return self.name_in(opcode, payload)

    def name_in(self, opcode, payload):
        if opcode == CLOSE and self.connection_may_end:
            raise ClosedEarly(payload)
        assert opcode != CLOSE, payload
        if opcode == PING:
            self.connection.send(frame(PONG, payload))
        return payload.split(b" ")[0].decode() if opcode == TEXT else None


class ZipClient(WebSocketClient):
    """With compression (RFC 7692) in both directions, each with a window that stays."""

    words = ("echo", "room", "wide", "wait", "x" * 9000, "y" * 40000)

    def connect(self):
        connection = HttpConnection(self.server.address, timeout=PATIENCE_S)
        connection.send(handshake("/zip/zap", sec_websocket_extensions="permessage-deflate"))
        response = connection.read()
        assert response.status == SWITCHING and response.header("sec-websocket-extensions").startswith("permessage-deflate"), response
        self.deflate, self.inflate = zlib.compressobj(wbits=-15), zlib.decompressobj(wbits=-15)
        return connection

    def ask(self, name, word):
        self.sent.append(name)
        data = self.deflate.compress(f"{name} {word}".encode()) + self.deflate.flush(zlib.Z_SYNC_FLUSH)
        self.connection.send(frame(TEXT, data.removesuffix(b"\0\0\xff\xff"), reserved=4))

    def answer(self):
        first = self.connection.take(1)[0]
        # Its length is read by the one method that knows how.
        self.connection.buffer = bytes([first & ~0x40]) + self.connection.buffer
        _, opcode, payload = RawWebSocket.read_frame(self.connection)
        return self.name_in(opcode, self.inflate.decompress(payload + b"\0\0\xff\xff") if first & 0x40 else payload)


class FloodClient(WebSocketClient):
    """Sends more at once than a ring holds."""

    words = ("echo",)

    def once(self, number):
        for place in range(100):
            self.ask(f"{number}-{place}", "z" * 7000)
        super().once(number)


class OpeningClient(Client):
    """Opens a WebSocket, hears what the handshake has attached, and goes. The handler's close() is called once for each that was opened."""

    is_tied = True

    def open(self):
        return HttpConnection(self.server.address, timeout=PATIENCE_S)

    def once(self, number):
        self.connection.send(handshake(f"/opened?id={number}"))
        status = self.connection.read().status
        assert status in (SWITCHING, MISSING_WORKER), status
        heard = b""
        while status == SWITCHING and not heard:
            # What open() sent may have been lost with its worker: then an echo comes first.
            if self.connection.buffer or select.select([self.connection.socket], [], [], 0.1)[0]:
                _, opcode, payload = RawWebSocket.read_frame(self.connection)
                if opcode == CLOSE:
                    raise ClosedEarly(payload)
                heard = payload
            else:
                self.connection.send(frame(TEXT, b"echo"))
        if heard == f"{number} {number}".encode():
            self.answered.append(number)
        else:
            assert heard == b"echo" or status == MISSING_WORKER, heard
            self.lost.append(number)
        if status == SWITCHING:
            self.connection.send(frame(CLOSE, struct.pack(">H", 1000)))
            try:
                self.connection.take_all()
            except ConnectionResetError:
                pass
        self.hang_up()


class TcpClient(MessageClient):
    words = ("",)

    def connect(self):
        return HttpConnection(("127.0.0.1", self.server.ports[1]), timeout=PATIENCE_S)

    def ask(self, name, _):
        self.sent.append(name)
        self.connection.send(f"{name}\n".encode())

    def answer(self):
        return self.connection.take_until(b"\n").decode()


class ProxiedClient(TcpClient):
    """Named by a proxy (PROXY protocol, version 1)."""

    def connect(self):
        connection = HttpConnection(("127.0.0.1", self.server.ports[3]), timeout=PATIENCE_S)
        connection.send(b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n")
        return connection


class UdpClient(Client):
    """Each datagram has one answer or none."""

    def open(self):
        self.came = []
        connection = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        connection.connect(("127.0.0.1", self.server.ports[1]))
        return connection

    def once(self, number):
        if self.rounds % 10:
            self.ask([number], self.lost)
        else:
            # While the first one holds its worker, the others find no room.
            self.ask([f"{number}.holds", *(f"{number}.{place}" for place in range(100))], self.dropped)

    def ask(self, numbers, unanswered):
        for number in numbers:
            self.connection.send(number.encode())
        unanswered += numbers
        # An answer may come later than that on a busy machine.
        while not set(unanswered).isdisjoint(numbers) and select.select([self.connection], [], [], 1.0)[0]:
            number = self.connection.recv(65536).decode()
            self.came.append(number)
            (self.lost if number in self.lost else self.dropped).remove(number)
            self.answered.append(number)

    def finish(self):
        assert len(set(self.came)) == len(self.came), "a datagram was answered twice"


class TickClient(Client):
    """Hears what the processes of a service publish. Waits for each: a process that dies must come back."""

    is_tied = True

    def __init__(self, server, what):
        super().__init__(server, what)
        self.heard = []  # on each connection

    def open(self):
        self.heard.append([])
        return RawWebSocket(self.server, timeout=PATIENCE_S)

    def once(self, number):
        questions, tick = 0, ""
        while not tick.startswith("tick-"):
            # The worker may have died before it subscribed.
            if not self.heard[-1] and not self.connection.buffer and not select.select([self.connection.socket], [], [], 0.1)[0]:
                questions += 1
                self.connection.send(frame(TEXT, f"{number}.{questions} ticks".encode()))
                continue
            _, opcode, payload = self.connection.read_frame()
            if opcode == CLOSE and self.connection_may_end:
                raise ClosedEarly(payload)
            assert opcode != CLOSE, payload
            if opcode == PING:
                self.connection.send(frame(PONG, payload))
            tick = payload.split(b" ")[0].decode() if opcode == TEXT else ""
        self.heard[-1].append(tick)
        self.answered.append(tick)

    def finish(self):
        ticks = [tick for heard in self.heard for tick in heard]
        assert len(set(ticks)) == len(ticks), "a publication came twice"
        for of_process in by_process(ticks).values():
            assert of_process == sorted(of_process), of_process

    def missed(self, told):
        """What a process has published between two others that came on one connection, and did not come."""
        missed, published = [], by_process(told)
        for heard in self.heard:
            for process, numbers in by_process(heard).items():
                missed += [number for number in published[process] if numbers[0] < number < numbers[-1] and number not in numbers]
        return missed


def by_process(ticks):
    """The numbers of the ticks, by the process of the service that they are from."""
    numbers = collections.defaultdict(list)
    for tick in ticks:
        _, process, number = tick.split("-")
        numbers[process].append(int(number))
    return numbers


def message_clients(server):
    kinds = {"websocket": WebSocketClient, "zip": ZipClient, "flood": FloodClient, "opened": OpeningClient, "tcp": TcpClient, "proxied": ProxiedClient, "udp": UdpClient, "ticks": TickClient}
    return [kind(server, what) for what, kind in kinds.items()]
