"""Clients that others have written: Python's websockets and aiohttp, with compression and fragments, and Chromium over TLS."""

import os
import ssl

import aiohttp
import pytest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from certificates import Certificates
from harness import DEADLINE_S, Server
from test_chat import Window, browsers
from websocket_client import asynchronous, connect

_ = browsers  # a fixture

TEXTS = ["", "short", "aé€😀" * 5000, "x" * 300_000]
PATHS = ["/echo", "/deflate", "/context"]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "localhost", "127.0.0.1")
    return made


@pytest.fixture(scope="module")
def module_server(mode, certificates):
    with Server("conformance.php", mode, ports=2, workers=2, reactors=2,
                env={"CERTIFICATES": str(certificates.folder)}) as server:
        yield server


def pieces(data, count):
    return [data[len(data) * n // count:len(data) * (n + 1) // count] for n in range(count)]


# --- websockets ---


@pytest.mark.parametrize("offer", [{}, {"client_no_context_takeover": True, "server_no_context_takeover": True},
                                   {"server_max_window_bits": 10, "client_max_window_bits": 10}])
@pytest.mark.parametrize("path", PATHS)
@asynchronous
async def test_websockets(server, path, offer):
    async with connect(server, path, extensions=[ClientPerMessageDeflateFactory(**offer)]) as client:
        assert bool(client.extensions) == (path != "/echo")
        for text in TEXTS:
            await client.send(text)
            assert await client.recv() == text
            data = os.urandom(len(text) // 2) + text.encode()
            await client.send(data)
            assert await client.recv() == data
            await client.send(iter(pieces(text, 5)))
            assert await client.recv() == text
            await client.send(iter(pieces(data, 3)))
            assert await client.recv() == data
        await (await client.ping(b"are you there?"))
    assert client.close_code == 1000


# --- aiohttp ---


@pytest.mark.parametrize("bits", [0, 9, 15])
@pytest.mark.parametrize("path", PATHS)
@asynchronous
async def test_aiohttp(server, path, bits):
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(server.url + path, compress=bits, max_msg_size=0) as client:
            for text in TEXTS:
                await client.send_str(text)
                assert await client.receive_str(timeout=DEADLINE_S) == text
                data = os.urandom(len(text) // 2) + text.encode()
                await client.send_bytes(data)
                assert await client.receive_bytes(timeout=DEADLINE_S) == data
            await client.ping(b"are you there?")
            await client.send_str("last")
            assert await client.receive_str(timeout=DEADLINE_S) == "last"
        assert client.close_code == 1000


@asynchronous
async def test_aiohttp_over_tls(server, certificates):
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"https://127.0.0.1:{server.ports[1]}/context", compress=15, ssl=context) as client:
            for text in TEXTS:
                await client.send_str(text)
                assert await client.receive_str(timeout=DEADLINE_S) == text


# --- Chromium ---

IN_THE_PAGE = """
const [address, sizes, done] = arguments;
const socket = new WebSocket(address);
const wanted = sizes.flatMap((size) => ["aé€😀".repeat(size), Uint8Array.from({length: size}, (_, n) => n * 31 % 251)]);
const wrong = [];
let next = 0;
socket.binaryType = "arraybuffer";
socket.onerror = () => done("an error");
socket.onopen = () => wanted.forEach((message) => socket.send(message));
socket.onmessage = ({data}) => {
    const message = wanted[next++];
    const same = typeof message === "string" ? data === message
        : data.byteLength === message.length && new Uint8Array(data).every((byte, n) => byte === message[n]);
    if (!same) wrong.push(next - 1);
    if (next === wanted.length) socket.close(3000, "that was all");
};
socket.onclose = ({code, wasClean}) => done({wrong, next, code, wasClean, extensions: socket.extensions});
"""


def test_chromium_over_tls(browsers, server):
    sizes = [0, 1, 125, 126, 5000, 65536, 200_000]
    with Window(server, "Chromium", 800, 600, flags=["--ignore-certificate-errors"]) as window:
        window.driver.set_script_timeout(4 * DEADLINE_S)
        for path in PATHS:
            window.driver.get(f"https://127.0.0.1:{server.ports[1]}/")
            answer = window.driver.execute_async_script(IN_THE_PAGE, f"wss://127.0.0.1:{server.ports[1]}{path}", sizes)
            extensions = answer.pop("extensions")
            assert answer == {"wrong": [], "next": 2 * len(sizes), "code": 3000, "wasClean": True}, (path, answer)
            assert ("permessage-deflate" in extensions) == (path != "/echo")
