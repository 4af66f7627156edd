"""What the conformance cases share: a conversation that has to go exactly so."""

import struct

from websocket_client import CLOSE, RawWebSocket, frame

SERVER = dict(script="conformance.php", workers=2, reactors=2)


def close_frame(code=None, reason=b""):
    return frame(CLOSE, b"" if code is None else struct.pack(">H", code) + reason)


def send_chopped(client, data, chop):
    """In pieces of `chop` bytes, each a write of its own; 0: in one."""
    for at in range(0, len(data), chop or max(len(data), 1)):
        client.send(data[at:at + chop] if chop else data)


def answers(client, *expected):
    for opcode, payload in expected:
        fin, got_opcode, got = client.read_frame()
        assert fin and got_opcode == opcode, (fin, got_opcode, got[:100])
        assert got == payload, (len(got), len(payload), got[:100])


def converse(server, sent, *expected, then=None, failure=None, chop=0, path="/echo"):
    """Sends, and gets exactly these (opcode, payload). Then the server closes with `failure`, or, without one, answers to
    a close with 1000. Either way the connection ends. `then` is sent after the answers."""
    with RawWebSocket(server, path) as client:
        send_chopped(client, sent, chop)
        answers(client, *expected)
        if then is not None:
            send_chopped(client, then, chop)
        if failure is None:
            client.send(close_frame(1000))
            assert client.read_close()[0] == 1000
        else:
            code, reason = client.read_close()
            assert code == failure, reason
            assert reason, "the reason says what was wrong"
            client.send(close_frame(code))
        assert client.at_end()
