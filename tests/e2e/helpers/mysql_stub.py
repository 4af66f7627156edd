"""A server that speaks MySQL's protocol and keeps what it is asked: in place of VTGate, which Debian does not have.

It takes any user, answers each statement with OK, and refuses targets and directives that VTGate would refuse.
"""

import re
import socket
import struct
import threading

CAPABILITIES = 0x0000_0001 | 0x0000_0008 | 0x0000_0200 | 0x0000_2000 | 0x0000_8000 | 0x0008_0000
TARGET = re.compile(r"\A[\w-]+(:([0-9a-f]{2})*-([0-9a-f]{2})*)?(@(primary|replica|rdonly))?\Z")
DIRECTIVES = {"ALLOW_SCATTER", "SCATTER_ERRORS_AS_WARNINGS", "MULTI_SHARD_AUTOCOMMIT", "QUERY_TIMEOUT_MS", "IGNORE_MAX_MEMORY_ROWS", "WORKLOAD_NAME", "PRIORITY"}


class MySqlStub:
    def __init__(self):
        self.statements = []
        self.refused = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            greeting = b"\x0a8.0.30-Vitess\0" + struct.pack("<I", 1) + b"12345678\0" + struct.pack("<H", CAPABILITIES & 0xFFFF) + b"\x21" + struct.pack("<H", 2)
            greeting += struct.pack("<H", CAPABILITIES >> 16) + b"\x15" + bytes(10) + b"123456789012\0mysql_native_password\0"
            send(client, 0, greeting)
            packet = receive(client)
            if packet is None:
                return
            send(client, 2, b"\0\0\0\2\0\0\0")
            status = 2  # autocommit
            while (packet := receive(client)) is not None and packet[:1] != b"\x01":
                error = self.look(packet[1:].decode()) if packet[:1] in (b"\x03", b"\x02") else None
                word = packet[1:].decode(errors="replace").split(" ")[0].upper()
                status = 3 if word in ("BEGIN", "START") else 2 if word in ("COMMIT", "ROLLBACK") else status
                send(client, 1, b"\xff" + struct.pack("<H", 1105) + b"#HY000" + error.encode() if error else bytes([0, 0, 0, status, 0, 0, 0]))

    def look(self, statement):
        """What VTGate has against it; None for nothing."""
        self.statements.append(statement.strip())
        use = re.match(r"\A\s*use\s+`?([^`]+)`?\s*\Z", statement, re.IGNORECASE)
        if use and not TARGET.match(use[1]):
            return f"VT05003: unknown database '{use[1]}' in vschema"
        for comment in re.findall(r"/\*vt\+(.*?)\*/", statement):
            for word in comment.split():
                if word.split("=")[0] not in DIRECTIVES:
                    return f"unknown directive {word}"
        return None


def send(client, number, payload):
    client.sendall(struct.pack("<I", len(payload))[:3] + bytes([number]) + payload)


def receive(client):
    head = exactly(client, 4)
    return None if head is None else exactly(client, int.from_bytes(head[:3], "little"))


def exactly(client, count):
    data = b""
    while len(data) < count:
        more = client.recv(count - len(data))
        if not more:
            return None
        data += more
    return data
