"""Sluice\\WebSocket\\Client against Python's server, Sluice's own, and servers that break the rules."""

import asyncio
import base64
import contextlib
import hashlib
import socket
import ssl
import struct
import threading

import pytest
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.legacy.server import serve

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http_client import get
from php_script import PLACES, run_php


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


class PythonServer:
    """Answers each message with itself; `!...` asks for something else."""

    def __init__(self, **options):
        self.options = options
        self.closed = []
        self.pinged = threading.Event()
        self.headers = None
        self.ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.main()), daemon=True).start()
        assert self.ready.wait(DEADLINE_S)

    async def main(self):
        self.loop = asyncio.get_running_loop()
        self.end = asyncio.Event()
        async with serve(self.serve, "127.0.0.1", 0, max_size=None, **self.options) as server:
            self.port = server.sockets[0].getsockname()[1]
            self.ready.set()
            await self.end.wait()

    async def serve(self, client, *_):
        self.headers = client.request_headers
        try:
            async for message in client:
                if message == "!ping":
                    await (await client.ping(b"are you there"))
                    await client.send("there")
                elif message == "!fragments":
                    await client.send(iter_of("frag", "men", "ts"))
                elif message == "!close":
                    await client.close(4001, "häppy")
                elif message == "!abort":
                    client.transport.abort()
                else:
                    await client.send(message)
        finally:
            await client.wait_closed()
            self.closed.append((client.close_code, client.close_reason))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.end.set)


async def iter_of(*pieces):
    for piece in pieces:
        yield piece


DEFLATE = {
    "plain": None,
    "deflate": "deflate",
    "no takeover": [ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)],
    "small windows": [ServerPerMessageDeflateFactory(server_max_window_bits=9, client_max_window_bits=9)],
}


@pytest.mark.parametrize("compression", DEFLATE)
def test_echo_with_pythons_server(place, compression):
    agreed = DEFLATE[compression]
    options = {"extensions": agreed, "compression": None} if isinstance(agreed, list) else {"compression": agreed}
    with PythonServer(**options) as server:
        answer = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/path?query");
            $same = [];
            foreach (['', 'text', 'ünï', str_repeat('long ', 20000), str_repeat('x', 125), str_repeat('x', 126), str_repeat('y', 65536), 'text'] as $text) {
                $client->send($text);
                $message = $client->receive(10);
                $same[] = $message->data === $text && !$message->binary;
            }
            $bytes = random_bytes(300000);
            $client->send($bytes, binary: true);
            $message = $client->receive(10);
            $same[] = $message->data === $bytes && $message->binary;
            $client->send('!fragments');
            $fragments = $client->receive(10)->data;
            $client->send('!ping');
            $there = $client->receive(10)->data;
            $client->ping('still there?');
            $client->send('last');
            $last = $client->receive(10)->data;
            $client->close(4000, 'bye');
            return [$same, $fragments, $there, $last, $client->compressed, $client->isOpen(), $client->closeCode(),
                attempt(fn () => $client->receive()), attempt(fn () => $client->send('x'))];
        """, port=server.port)
        assert answer == [[True] * 9, "fragments", "there", "last", compression != "plain", False, 4000, {"value": None},
                          {"error": "Sluice\\WebSocket\\ClosedException", "message": "The connection is closed"}]
        wait_until(lambda: server.closed == [(4000, "bye")], "the server has seen the close handshake")


def test_the_server_closes(place):
    with PythonServer() as server:
        assert run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $client->send('one');
            $client->send('!close');
            $all = [];
            foreach ($client as $message) $all[] = $message->data;
            return [$all, $client->closeCode(), $client->closeReason(), $client->isOpen()];
        """, port=server.port) == [["one"], 4001, "häppy", False]
        wait_until(lambda: server.closed == [(4001, "")], "the close handshake is complete, with the same code")


def test_a_connection_that_breaks_off(place):
    with PythonServer() as server:
        answer = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $client->send('!abort');
            return [attempt(fn () => $client->receive(10)), $client->closeCode(), attempt(fn () => $client->receive()), attempt(fn () => $client->send(''))];
        """, port=server.port)
    assert [answer[index]["error"] for index in (0, 2, 3)] == ["Sluice\\WebSocket\\ClosedException"] * 3 and answer[1] == 1006


def test_what_the_handshake_asks_for(place):
    with PythonServer(subprotocols=["second", "third"]) as server:
        assert run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/", ['Origin' => 'http://here', 'X-A' => 'b'], ['first', 'second'], compress: false);
            return [$client->protocol, $client->compressed];
        """, port=server.port) == ["second", False]
        assert server.headers["Origin"] == "http://here" and server.headers["X-A"] == "b"
        assert server.headers["Host"] == f"127.0.0.1:{server.port}"
        assert "Sec-WebSocket-Extensions" not in server.headers
        wait_until(lambda: server.closed == [(1001, "")], "a client that is forgotten says goodbye")


def test_receiving_has_a_time_limit_and_goes_on_after_it(place):
    with PythonServer() as server:
        answer = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $late = attempt(fn () => $client->receive(0.05));
            $now = attempt(fn () => $client->receive(0));
            $client->send('still here');
            return [$late, $now['error'], $client->receive(10)->data];
        """, port=server.port)
    assert answer[0] == {"error": "Sluice\\WebSocket\\TimeoutException", "message": "No message has come within 0.05 s"}
    assert answer[1:] == ["Sluice\\WebSocket\\TimeoutException", "still here"]


def test_one_receives_while_others_send():
    with PythonServer() as server:
        answer = run_php("coroutine", """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $got = [];
            $reader = Coroutine\\spawn(function () use ($client, &$got) {
                foreach ($client as $message) { $got[] = $message->data; if (count($got) === 40) $client->close(); }
                return 'ended';
            });
            Coroutine\\sleep(0.01);
            $second = attempt(fn () => $client->receive());
            Coroutine\\map(range(1, 40), fn ($n) => $client->send(str_repeat("$n ", 20000)), 40);
            $end = $reader->await();
            $texts = array_map(fn ($text) => (int) $text, $got);
            sort($texts);
            return [$second['error'], $end, $texts, array_sum(array_map(strlen(...), $got)), $client->closeCode()];
        """, port=server.port)
    assert answer == ["LogicException", "ended", list(range(1, 41)), sum(20000 * len(f"{n} ") for n in range(1, 41)), 1000]


def test_another_coroutine_closes_while_one_receives():
    with PythonServer() as server:
        assert run_php("coroutine", """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $reader = Coroutine\\spawn(fn () => $client->receive());
            Coroutine\\sleep(0.01);
            $client->close(1000, 'enough');
            return [$reader->await(), $client->closeCode()];
        """, port=server.port) == [None, 1000]
        wait_until(lambda: server.closed == [(1000, "enough")], "the close handshake is complete")


def test_a_cancelled_receive_leaves_the_connection_as_it_is():
    with PythonServer() as server:
        assert run_php("coroutine", """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            $cut = attempt(fn () => Coroutine\\timeout(0.05, fn () => $client->receive()));
            $client->send('on');
            return [$cut['error'], $client->receive(10)->data];
        """, port=server.port) == ["Sluice\\Coroutine\\TimeoutException", "on"]


# --- servers that break the rules ---


def accept_of(key):
    return base64.b64encode(hashlib.sha1(key.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()


class RawServer:
    """Answers each handshake with what `answer(key)` gives, and then says `more`; keeps what the client says after that."""

    def __init__(self, answer=None, more=b"", context=None):
        self.answer = answer or (lambda key: self.good(key))
        self.more = more
        self.context = context
        self.received = b""
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    @staticmethod
    def good(key, more=""):
        return (f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accept_of(key)}\r\n{more}\r\n").encode()

    def serve(self):
        with contextlib.suppress(OSError):
            connection = self.listener.accept()[0]
            with contextlib.closing(connection):
                if self.context:
                    connection = self.context.wrap_socket(connection, server_side=True)
                head = b""
                while b"\r\n\r\n" not in head:
                    head += connection.recv(4096)
                key = next(line.split(": ")[1] for line in head.decode().split("\r\n") if line.startswith("Sec-WebSocket-Key"))
                connection.sendall(self.answer(key) + self.more)
                while data := connection.recv(65536):
                    self.received += data
        self.ended.set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


CONNECT = "return attempt(fn () => WebSocket\\Client::connect(\"ws://127.0.0.1:$port/\", connectTimeout: 5)->receive(5)?->data);"


@pytest.mark.parametrize("answer", [
    lambda key: RawServer.good(key + "x"),
    lambda key: RawServer.good(key, "Sec-WebSocket-Protocol: unasked\r\n"),
    lambda key: RawServer.good(key, "Sec-WebSocket-Extensions: x-unknown\r\n"),
    lambda key: RawServer.good(key).replace(b"101", b"200"),
    lambda key: RawServer.good(key).replace(b"Upgrade: websocket\r\n", b""),
    lambda key: b"SSH-2.0\r\n\r\n",
    lambda key: b"HTTP/1.1 101 Endless\r\n" + b"X-A: b\r\n" * 3000,
], ids=["accept", "protocol", "extension", "status", "upgrade", "no http", "endless"])
def test_handshakes_that_are_refused(place, answer):
    with RawServer(answer) as server:
        said = run_php(place, CONNECT, port=server.port)
        assert said["error"] == "Sluice\\WebSocket\\HandshakeException" and said["message"].endswith((".", "bytes")), said
        assert server.ended.wait(DEADLINE_S) and server.received == b"", "nothing is said to who is no WebSocket server"


def test_a_message_may_follow_the_handshake_at_once(place):
    with RawServer(more=b"\x81\x05early") as server:
        assert run_php(place, CONNECT, port=server.port) == {"value": "early"}


@pytest.mark.parametrize("frame, code", [
    (b"\x81\x85\0\0\0\0masks", 1002), (b"\xc1\x05small", 1002), (b"\x83\x00", 1002), (b"\x09\x00", 1002),
    (b"\x81\x02\xc3\x28", 1007), (b"\x82\x7f" + struct.pack("!Q", 1 << 40), 1009), (b"\x88\x01x", 1002),
])
def test_frames_that_break_the_protocol(place, frame, code):
    with RawServer(more=frame) as server:
        said = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/", compress: false);
            try { $client->receive(5); } catch (WebSocket\\ClosedException $e) { return [$e->getCode(), $e->getMessage(), $client->isOpen()]; }
        """, port=server.port)
        assert said[0] == code and said[1].startswith("The server has broken the protocol: ") and said[2] is False
        assert server.ended.wait(DEADLINE_S)
    first, length = server.received[:2]
    key, payload = server.received[2:6], server.received[6:]
    assert first == 0x88 and length & 0x80
    plain = bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))
    assert struct.unpack("!H", plain[:2])[0] == code


def test_a_server_that_says_nothing(place):
    with RawServer(lambda key: b"") as server:
        said = run_php(place, "return attempt(fn () => WebSocket\\Client::connect(\"ws://127.0.0.1:$port/\", connectTimeout: 0.1));",
                       port=server.port)
        assert said["error"] == "Sluice\\WebSocket\\TimeoutException" and "connectTimeout" in said["message"]
    with RawServer() as server:
        said = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/", pingInterval: 0.05);
            return [attempt(fn () => $client->receive()), $client->closeCode()];
        """, port=server.port)
        assert said[0]["error"] == "Sluice\\WebSocket\\ClosedException" and "pingInterval" in said[0]["message"] and said[1] == 1006
        assert server.ended.wait(DEADLINE_S) and server.received[:2] == b"\x89\x80", "it was pinged"


def test_a_server_that_does_not_read(place):
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve():
            connection = listener.accept()[0]
            head = connection.recv(4096).decode()
            key = next(line.split(": ")[1] for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
            connection.sendall(RawServer.good(key))
            stop.wait(DEADLINE_S)
            connection.close()

        threading.Thread(target=serve, daemon=True).start()
        said = run_php(place, """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/", sendTimeout: 0.1, compress: false);
            return attempt(function () use ($client) { while (true) $client->send(str_repeat('x', 1 << 20)); });
        """, port=listener.getsockname()[1])
        stop.set()
    assert said["error"] == "Sluice\\WebSocket\\TimeoutException" and "sendTimeout" in said["message"]


def test_nobody_listens(place):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert run_php(place, CONNECT, port=port)["error"] == "Sluice\\WebSocket\\ConnectException"


def test_tls_is_verified(place, tmp_path):
    certificates = Certificates(tmp_path)
    certificates.make("good", "localhost", "127.0.0.1")
    certificates.make("bad", "elsewhere.example")

    def context(name):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificates.path(f"{name}.pem"), certificates.path(f"{name}.key"))
        return made

    with PythonServer(ssl=context("good")) as good, PythonServer(ssl=context("bad")) as bad:
        answers = run_php(place, """
            $echo = function (int $port, mixed ...$options) {
                return attempt(function () use ($port, $options) {
                    $client = WebSocket\\Client::connect("wss://127.0.0.1:$port/", ...$options);
                    $text = str_repeat(bin2hex(random_bytes(50)), 20000);
                    $client->send($text);
                    $same = $client->receive(60)->data === $text;
                    $client->close();
                    return [$same, $client->closeCode()];
                });
            };
            return [$echo($good), $echo($good, caFile: $ca), $echo($bad, caFile: $ca), $echo($bad, verify: false)];
        """, good=good.port, bad=bad.port, ca=certificates.path("ca.pem"))
    refused, echoed = "Sluice\\WebSocket\\ConnectException", {"value": [True, 1000]}
    assert [answer.get("error", answer) for answer in answers] == [refused, echoed, refused, echoed], answers


def test_arguments_are_checked():
    cases = ["'http://host/'", "'ws:///'", "'ws://user@host/'", "'ws://host/#f'", "\"ws://host/\\r\\n\"", "$url, ['A B' => 'c']",
             "$url, ['A' => \"b\\r\\nC: d\"]", "$url, ['Sec-WebSocket-Key' => 'x']", "$url, protocols: ['a b']", "$url, protocols: ['a', 'a']",
             "$url, connectTimeout: 0", "$url, sendTimeout: 0", "$url, pingInterval: -1", "$url, maxMessageBytes: 0", "$url, maxFragments: 0",
             "$url, level: 10", "$url, minBytes: -1"]
    calls = ", ".join(f"attempt(fn () => WebSocket\\Client::connect({case}))" for case in cases)
    answers = run_php("plain", f"return [{calls}];", url="ws://127.0.0.1:1/")
    assert [answer.get("error") for answer in answers] == ["ValueError"] * len(cases), answers
    with PythonServer() as server:
        assert [answer.get("error") for answer in run_php("plain", """
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/");
            return [attempt(fn () => $client->send("\\xff")), attempt(fn () => $client->ping(str_repeat('x', 126))), attempt(fn () => $client->close(1005)),
                attempt(fn () => $client->close(1000, str_repeat('x', 124))), attempt(fn () => $client->receive(-1)), attempt(fn () => $client->send('fine'))];
        """, port=server.port)] == ["ValueError"] * 5 + [None]


# --- Sluice with itself ---


@pytest.mark.parametrize("compress", ["true", "false"])
def test_echo_with_sluices_own_server(mode, place, compress, capsys):
    with Server("websocket_peer.php", mode) as server:
        assert run_php(place, f"""
            $client = WebSocket\\Client::connect("ws://127.0.0.1:$port/echo", protocols: ['none'], compress: {compress});
            $same = [];
            foreach (['', 'text', str_repeat('long ', 200000), 'text'] as $text) {{
                $client->send($text, binary: strlen($text) > 100);
                $message = $client->receive(10);
                $same[] = $message->data === $text && $message->binary === strlen($text) > 100;
            }}
            $client->close();
            return [$same, $client->compressed, $client->closeCode()];
        """, port=server.ports[0]) == [[True] * 4, compress == "true", 1000]


def test_a_worker_holds_many_connections_as_a_client(mode, capsys):
    with Server("websocket_peer.php", mode) as server:
        # Its handler connects to the server's own WebSockets, in the same worker.
        assert get(server, "/many").json() == [f"message {number}" for number in range(1, 31)]
