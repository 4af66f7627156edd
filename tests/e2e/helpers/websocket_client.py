"""WebSocket clients: the independent library for what a client should do, a bare socket for what it should not."""

import asyncio
import base64
import functools
import os
import socket
import struct

# Debian 12 has this interface only, Debian 13 also has another one.
from websockets.legacy import client as independent

from harness import DEADLINE_S
from http_client import HttpConnection

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0


def asynchronous(test):
    """Lets a test be a coroutine, with the deadline that everything has."""
    @functools.wraps(test)
    def run(*arguments, **named):
        async def bounded():
            await asyncio.wait_for(test(*arguments, **named), 2 * DEADLINE_S)
        asyncio.run(bounded())
    return run


def connect(server, path="/echo", **more):
    options = dict(max_size=None, compression=None, ping_interval=None, open_timeout=DEADLINE_S,
                   close_timeout=DEADLINE_S, max_queue=None)
    return independent.connect(server.ws_url + path, **(options | more))


def mask(data, key):
    """RFC 6455 section 5.3, without a loop in Python over the bytes."""
    if not data:
        return b""
    whole = (key * (len(data) // 4 + 1))[:len(data)]
    return (int.from_bytes(data, "little") ^ int.from_bytes(whole, "little")).to_bytes(len(data), "little")


def frame(opcode, payload=b"", *, fin=True, key=b"\x1f\x83\x5a\xc7", reserved=0):
    """A client's frame; `key` None leaves it unmasked."""
    masked = 0x80 if key else 0
    size = len(payload)
    head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
    if size < 126:
        head += bytes([masked | size])
    elif size < 65536:
        head += bytes([masked | 126]) + struct.pack(">H", size)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", size)
    return head + (key + mask(payload, key) if key else payload)


class RawWebSocket(HttpConnection):
    """Shakes hands, then does what it is told. From 127.0.0.`host`."""

    def __init__(self, server, path="/echo", receive_buffer=None, host=1, timeout=DEADLINE_S, offer=None):
        if receive_buffer is None and host == 1:
            super().__init__(server.address, timeout=timeout)
        else:
            self.socket = socket.socket()
            self.socket.settimeout(timeout)
            # A small window has to be asked for before the connection is made.
            if receive_buffer:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self.socket.bind((f"127.0.0.{host}", 0))
            self.socket.connect(server.address)
            self.buffer = b""
        self.send(handshake(path, sec_websocket_extensions=offer))
        response = self.read()
        assert response.status == 101, response

    def read_frame(self):
        """(fin, opcode, payload)"""
        first, second = self.take(2)
        assert not second & 0x80, "a server does not mask"
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        return bool(first & 0x80), first & 0x0F, self.take(size)

    def read_close(self):
        """The code and reason of the close frame that comes next."""
        _, opcode, payload = self.read_frame()
        assert opcode == CLOSE, (opcode, payload[:100])
        return (struct.unpack(">H", payload[:2])[0], payload[2:].decode()) if payload else (1005, "")

    def reset(self):
        """Vanishes: the peer gets an RST and no goodbye."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def handshake(path="/echo", **changed):
    """The head of a handshake. A header given by keyword (underscores for hyphens) replaces the usual one; None
    drops it."""
    headers = {
        "host": "test.example", "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
        "sec-websocket-key": base64.b64encode(os.urandom(16)).decode(),
    } | {name.replace("_", "-"): value for name, value in changed.items()}
    lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"
