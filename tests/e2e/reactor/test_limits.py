"""Every option of docs/limits.md, driven to its edge and over it. An option without a driver here is a failed test."""

import contextlib
import json
import os
import re
import select
import signal

import pytest

import limit_drivers_bodies  # noqa: F401
import limit_drivers_http2  # noqa: F401
import limit_drivers_sending  # noqa: F401
from harness import DEADLINE_S, ROOT, Process, Server, wait_until
from http_client import HttpConnection, format_request, get
from limit_drivers import DRIVERS, KIB, LINES, MIB, PROXIED, Client, alone, driver, served, serves, stats
from websocket_client import BINARY, CONTINUATION, TEXT, RawWebSocket, frame, handshake


def options():
    """Those that several protocols have once."""
    return list(dict.fromkeys(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/limits.md").read_text(), re.MULTILINE)))


# What needs another server than limits.php is driven to its edge by a test of its own.
DRIVEN_ELSEWHERE = {
    "bootSeconds": ("test_starting.py", "test_a_boot_that_hangs_is_given_up"),
    "killSeconds": ("test_stalls.py", "test_a_worker_whose_handler_does_not_end_is_killed"),
    "timeout": ("test_readiness.py", "test_a_check_that_cannot_be_cancelled_is_not_called_again_in_that_worker"),
    "interval": ("test_readiness.py", "test_workers_that_spin_make_the_server_unready"),
    "datagrams": ("test_udp.py", "test_what_a_worker_that_hangs_cannot_take_is_dropped"),
}


@pytest.mark.parametrize("name", options())
def test_option(mode, name):
    if name in DRIVEN_ELSEWHERE:
        file, test = DRIVEN_ELSEWHERE[name]
        assert f"def {test}(" in next((ROOT / "tests/e2e").rglob(file)).read_text()
        return
    assert name in DRIVERS, f"{name} stands in docs/limits.md, but no driver in tests/e2e drives it to its edge"
    drive, limits = DRIVERS[name]
    with Server("limits.php", mode, ports=4, env={"LIMITS": json.dumps(limits)}) as server:
        drive(server)
        if server.process.poll() is None and name != "shutdownSeconds":
            wait_until(lambda: serves(server), "it still serves others")


def test_every_driver_is_of_an_option():
    assert set(DRIVERS) <= set(options())


# --- connections ---


@driver("connections", connections=3)
def drive_connections(server):
    first = [served(server) for _ in range(3)]
    assert not Client(server).is_served()
    first[0].close()
    wait_until(lambda: Client(server).is_served(), "there is a place again")


@driver("connectionsPerAddress", connectionsPerAddress=3)
def drive_connections_per_address(server):
    first = [served(server), served(server)]
    lines = Client(server, LINES)
    assert lines.echoes(b"one of another listener")
    assert not Client(server).is_served()
    assert Client(server, LINES).at_end()
    assert Client(server, host=2).is_served(), "another address has nothing to do with it"
    # A proxy is not counted; the clients that it names are.
    named = []
    for number in range(3):
        named.append(Client(server, PROXIED))
        named[-1].send(b"PROXY TCP6 2001:db8::%d ::1 1 2\r\n" % number)
        assert named[-1].is_served()
    fourth = Client(server, PROXIED)
    fourth.send(b"PROXY TCP6 2001:db8::ffff:1 ::1 1 2\r\n")
    assert not fourth.is_served(), "a /64 network counts as one"
    other = Client(server, PROXIED)
    other.send(b"PROXY TCP6 2001:db8:0:1::1 ::1 1 2\r\n")
    assert other.is_served()
    first[0].close()
    wait_until(lambda: Client(server).is_served(), "there is a place again")


@driver("connectionsPerAddressPerSecond", connectionsPerAddressPerSecond=20)
def drive_connections_per_address_per_second(server):
    refused = wait_until(lambda: sum(Client(server).is_refused() for _ in range(60)), "one comes too soon")
    assert refused
    assert Client(server, host=2).is_served()
    wait_until(lambda: Client(server).is_served(), "the second is over")


@driver("keepAliveRequests", keepAliveRequests=3)
def drive_keep_alive_requests(server):
    with Client(server) as client:
        answers = [client.request("/bytes", "POST", body=b"12345") for _ in range(3)]
        assert [answer.json() for answer in answers] == [5, 5, 5]
        assert [answer.header("connection") for answer in answers] == [None, None, "close"]
        assert client.at_end()
    with Client(server) as client:
        client.send(format_request("/") * 5)
        for _ in range(3):
            assert client.read().status == 200
        assert client.at_end(), "pipelined ones behind the last are not answered"


# --- memory for what comes in ---


@driver("arenaBytes", arenaBytes=2 * MIB, bodyBytes=MIB, messageBytes=MIB)
def drive_arena_bytes(server):
    """Many more bodies than there is room for, all of them begun: none is in the way of the others for ever."""
    body = os.urandom(900_000)
    clients = [Client(server) for _ in range(6)]
    for client in clients:
        client.socket.setblocking(False)
        client.left = format_request("/bytes", "POST", [("Content-Length", len(body))]) + body

    def push(kept):
        for client in clients:
            with contextlib.suppress(BlockingIOError):
                while len(client.left) > kept:
                    client.left = client.left[client.socket.send(client.left[:len(client.left) - kept]):]
        used = stats(server)["arenaBytes"]
        assert used <= 2 * MIB
        return used, not any(len(client.left) > kept for client in clients)

    wait_until(lambda: push(1)[0] >= 900_000, "somebody has room for all of his")
    wait_until(lambda: push(0)[1], "all are read")
    for client in clients:
        client.socket.settimeout(DEADLINE_S)
        assert client.read().json() == len(body)
    wait_until(lambda: stats(server)["arenaBytes"] == 0, "all is given back")


@driver("ringBytes", ringBytes=512 * KIB)
def drive_ring_bytes(server):
    lines = [b"%08d" % number + b"x" * 992 for number in range(20_000)]
    data, read = b"\n".join(lines) + b"\n", b""
    worker = Process(server.worker_pids()[0])
    with Client(server, LINES) as client:
        assert client.echoes(b"ready")
        worker.kill(signal.SIGSTOP)
        try:
            client.socket.setblocking(False)
            sent = 0
            while select.select([], [client.socket], [], 1)[1] and sent < len(data):
                sent += client.socket.send(data[sent:sent + MIB])
            assert sent < len(data), "all of it was taken while nobody handled it"
        finally:
            worker.kill(signal.SIGCONT)

        def go_on():
            nonlocal sent, read
            readable, writable, _ = select.select([client.socket], [client.socket] if sent < len(data) else [], [], 0.1)
            if writable:
                sent += client.socket.send(data[sent:sent + MIB])
            if readable:
                read += client.socket.recv(MIB)
            return len(read) == len(data)

        wait_until(go_on, "everything has been echoed", 4 * DEADLINE_S)
        assert read == data, "in order"


@driver("lentBytes", lentBytes=300_000, arenaBytes=64 * MIB)
def drive_lent_bytes(server):
    bodies = [os.urandom(100_000) for _ in range(10)]
    for number, body in enumerate(bodies, 1):
        with Client(server) as client:
            assert len(client.request("/keep", "POST", body=body).json()) == number
    wait_until(lambda: 0 < stats(server)["lent"] <= 300_000, "no more than that is lent")


@driver("messageBytes", messageBytes=1000)
def drive_message_bytes(server):
    with RawWebSocket(server, "/ws") as client:
        client.send(frame(BINARY, b"x" * 1000))
        assert client.read_frame()[2] == b"x" * 1000
        client.send(frame(BINARY, b"x" * 1001))
        assert client.read_close()[0] == 1009
    with RawWebSocket(server, "/ws") as client:
        client.send(frame(BINARY, b"x" * 600, fin=False) + frame(CONTINUATION, b"x" * 401))
        assert client.read_close()[0] == 1009, "fragments count together"
    with Client(server, LINES) as client:
        assert client.echoes(b"x" * 1000)
        client.send(b"x" * 1001 + b"\n")
        assert client.at_end()


@driver("bodyBytes", bodyBytes=1000)
def drive_body_bytes(server):
    with Client(server) as client:
        assert client.request("/bytes", "POST", body=b"x" * 1000).json() == 1000
        assert client.request("/bytes", "POST", body=b"x" * 1001).status == 413
        assert client.at_end()
    for size, status in ((1000, 200), (1001, 413)):
        with Client(server) as client:
            client.send(format_request("/bytes", "POST", [("Transfer-Encoding", "chunked")]))
            client.send(b"%x\r\n" % size + b"x" * size + b"\r\n0\r\n\r\n")
            assert client.read().status == status


@driver("headBytes", headBytes=512)
def drive_head_bytes(server):
    for size, status in ((512, 200), (513, 431)):
        padding = size - len(format_request("/", headers=[("X", "")]))
        with Client(server) as client:
            assert client.request("/", headers=[("X", "y" * padding)]).status == status


@driver("headerFields", headerFields=5)
def drive_header_fields(server):
    for count, status in ((5, 200), (6, 431)):
        with Client(server) as client:
            assert client.request("/", headers=[("X", "y")] * (count - 1)).status == status  # and Host


@driver("messageFragments", messageFragments=4)
def drive_message_fragments(server):
    with RawWebSocket(server, "/ws") as client:
        fragments = [frame(TEXT, b"a", fin=False)] + [frame(CONTINUATION, b"b", fin=False)] * 2
        client.send(b"".join(fragments) + frame(CONTINUATION, b"c"))
        assert client.read_frame()[2] == b"abbc"
        client.send(b"".join(fragments) + frame(CONTINUATION, b"", fin=False) + frame(CONTINUATION, b"c"))
        assert client.read_close()[0] == 1008


@driver("formFields", formFields=3)
def drive_form_fields(server):
    kind = [("Content-Type", "application/x-www-form-urlencoded")]
    with Client(server) as client:
        assert client.request("/form", "POST", kind, b"a=1&b=2&c=3").json() == 3
        assert client.request("/form", "POST", kind, b"a=1&b=2&c=3&d=4").status == 400


@driver("partHeadBytes", partHeadBytes=256)
def drive_part_head_bytes(server):
    kind = [("Content-Type", "multipart/form-data; boundary=cut")]

    def part(padding):
        return (b'--cut\r\nContent-Disposition: form-data; name="a"\r\nX-Padding: ' + b"x" * padding
                + b"\r\n\r\nvalue\r\n--cut--\r\n")

    with Client(server) as client:
        assert client.request("/form", "POST", kind, part(150)).json() == 1
        assert client.request("/form", "POST", kind, part(300)).status == 400


# --- memory for what goes out ---


def flood(server, client, count, size):
    """What became of so many messages for a client that does not read; the server stops at the first that it drops."""
    before = len(server.events("flood"))
    client.send(frame(TEXT, b"flood %d %d" % (count, size)))
    return wait_until(lambda: server.events("flood")[before:], "the flood is over", 4 * DEADLINE_S)[0]


def read_flood(client, made, size):
    """Everything that was promised has to come, in order."""
    for number in range(made["Sent"] + made["Queued"]):
        payload = client.read_frame()[2]
        assert payload == str(number).encode().ljust(size, b"."), (number, payload[:20])


@driver("queuedBytes", queuedBytes=64 * KIB)
def drive_queued_bytes(server):
    with RawWebSocket(server, "/ws", receive_buffer=4096) as client:
        made = flood(server, client, 20_000, 4096)
        assert made["Dropped"] == 1 and made["Queued"] > 0
        read_flood(client, made, 4096)
        client.send(frame(TEXT, b"and on"))
        assert client.read_frame()[2] == b"and on"


# Messages get half of it and what stands in the rings; the smallest ring leaves the rest to others however late the
# reactor gets to run.
@driver("queuedTotalBytes", queuedTotalBytes=4 * MIB, ringBytes=512 * KIB, queuedBytes=64 * MIB, outBytes=256 * MIB)
def drive_queued_total_bytes(server):
    with RawWebSocket(server, "/ws", receive_buffer=4096) as client:
        made = flood(server, client, 40_000, 4096)
        assert made["Dropped"] == 1, "its own limit is far away"
        assert MIB < stats(server)["queuedBytes"] <= 4 * MIB
        with Client(server) as other:
            assert other.is_served(), "messages do not take all of it"
        read_flood(client, made, 4096)
        wait_until(lambda: stats(server)["queuedBytes"] == 0, "nothing waits any more")
    with Client(server, receive_buffer=4096) as slow:
        slow.send(format_request(f"/big?bytes={16 * MIB}"))
        assert slow.read_head()[1] == 200

        def others_are_served():
            with Client(server) as other:
                assert other.is_served()
            return "cut off a client that does not read" in server.output()

        wait_until(others_are_served, "who takes all of it is cut off")
        assert len(slow.take_all()) < 16 * MIB


@driver("outBytes", outBytes=MIB, queuedBytes=64 * MIB)
def drive_out_bytes(server):
    with RawWebSocket(server, "/ws", receive_buffer=4096) as client:
        made = flood(server, client, 400, 64 * KIB)
        assert made["Dropped"] == 0, "what its client does not read stays in nobody's way"
        read_flood(client, made, 64 * KIB)
        made = flood(server, client, 1, 2 * MIB)
        if server.mode == "process":
            assert made["Dropped"] == 1, "the worker's memory cannot hold it"
        else:
            assert made["Dropped"] == 0, "in base mode nothing goes through that memory"
            read_flood(client, made, 2 * MIB)


@driver("compressionBytes", compressionBytes=0)
def drive_compression_bytes(server):
    with RawWebSocket(server, "/deflate") as plain:
        plain.send(frame(TEXT, b"not offered"))
        assert plain.read_frame()[2] == b"not offered"
    with Client(server) as client:
        client.send(handshake("/deflate", sec_websocket_extensions="permessage-deflate"))
        assert client.read().status == 101
        client.send(frame(TEXT, b"x" * 1000))
        first = client.take(1)[0]
        assert not first & 0x40, "there is no memory for a context: it goes as it is"
        client.take(3)
        assert client.take(1000) == b"x" * 1000
    assert stats(server)["compressionBytes"] == 0


@driver("attachedBytes", attachedBytes=100)
def drive_attached_bytes(server):
    with RawWebSocket(server, "/attach") as client:
        client.send(frame(TEXT, b"100"))
        assert client.read_frame()[2] == b"Sent"
        client.send(frame(TEXT, b"101"))
        assert b"must be at most 100 bytes long (Limits::$attachedBytes), 101 given" in client.read_frame()[2]


@driver("attachedTotalBytes", attachedTotalBytes=12 * KIB)
def drive_attached_total_bytes(server):
    with RawWebSocket(server, "/attach") as client, RawWebSocket(server, "/attach") as other:
        client.send(frame(TEXT, b"4000"))
        assert client.read_frame()[2] == b"Sent"
        other.send(frame(TEXT, b"4000"))
        assert other.read_frame()[2] == b"Sent"
        other.send(frame(TEXT, b"4000"))
        assert other.read_frame()[2] == b"Dropped", "two times before it gives the first one back"
    wait_until(lambda: stats(server)["attachedBytes"] == 0, "all is free")


@driver("encodingBytes")
def drive_encoding_bytes(server):
    for room, coding in ((272 * KIB, "gzip"), (272 * KIB - 1, None)):
        with Server("response_compression.php", server.mode, ports=3, env={"ENCODING_BYTES": str(room)}) as own:
            response = get(own, "/page", headers={"Accept-Encoding": "gzip"})
            assert (response.status, response.header("content-encoding")) == (200, coding)


@driver("accessLogBytes")
def drive_access_log_bytes(server):
    fifo = str(server.folder / "fifo")
    os.mkfifo(fifo)
    with Server("access_log.php", server.mode, env={"LOG": fifo, "LOG_BYTES": "4096"}) as own:
        with HttpConnection(own.address) as client:
            for _ in range(600):  # a pipe takes 64 KiB
                assert client.request("/", headers={"User-Agent": "x" * 100}).status == 200
        wait_until(lambda: "lines were dropped so far (accessLogBytes: 4096)" in own.output(), "the losses are told")


@driver("handshakes", handshakes=1)
def drive_handshakes(server):
    with Client(server) as first, Client(server) as second:
        first.send(handshake("/slow-handshake"))
        server.wait_event("asked")
        second.send(handshake("/slow-handshake"))
        assert second.read().status == 503
        assert stats(server)["handshakes"] == 1
    wait_until(lambda: stats(server)["connections"] == 1, "the first has been let go")
    assert stats(server)["handshakes"] == 0
    with Client(server) as third:
        third.send(handshake("/slow-handshake"))
        wait_until(lambda: len(server.events("asked")) == 2, "there is a place again")


@driver("openFiles", openFiles=1)
def drive_open_files(server):
    for name in ("one", "other"):
        with open(server.folder / name, "wb") as file:
            file.truncate(64 * MIB)
    with Client(server, receive_buffer=4096) as first, Client(server, receive_buffer=4096) as again, Client(server) as other:
        first.send(format_request(f"/file?name={server.folder}/one"))
        assert first.read_head()[1] == 200
        again.send(format_request(f"/file?name={server.folder}/one"))
        assert again.read_head()[1] == 200, "the same file takes no further place"
        assert other.request(f"/file?name={server.folder}/other").status == 503
        assert stats(server)["openFiles"] == 1
    with Client(server) as other:
        wait_until(lambda: stats(server)["connections"] <= 2, "the others are gone")
        assert other.request(f"/file?name={server.folder}/other", method="HEAD").status == 200


# --- coroutines ---


@driver("coroutines", coroutines=5)
def drive_coroutines(server):
    wait_until(lambda: get(server, "/spawn").json() == 4, "the handler has one, and four more come")
    sleepers = [Client(server) for _ in range(5)]
    for sleeper in sleepers:
        sleeper.send(format_request("/sleep?seconds=1"))
    with Client(server) as sixth:
        assert sixth.is_served(), "when one of them has ended"
    for sleeper in sleepers:
        assert sleeper.read().status == 200


@driver("pooledStacks", pooledStacks=2)
def drive_pooled_stacks(server):
    assert get(server, "/spawn").json() == 100
    wait_until(lambda: stats(server)["coroutines"] <= 1, "all have ended")
    assert stats(server)["pooledStacks"] <= 2


# --- deadlines ---


@driver("queueSeconds", queueSeconds=0.2, coroutines=4)
def drive_queue_seconds(server):
    """All handlers are busy, and nothing begins: of a crowd's requests one is refused for each that comes, and none of a stranger."""
    with contextlib.ExitStack() as stack:
        def asks(host, path="/"):
            client = stack.enter_context(Client(server, host=host))
            client.send(format_request(path))
            return client

        def one_more():
            crowd.append(asks(5))
            return refused(crowd)

        def refused(clients):
            return select.select([client.socket for client in clients], [], [], 0)[0]

        go = server.folder / "go"
        busy = [asks(11 + number, f"/begin?until={go}") for number in range(4)]
        wait_until(lambda: len(server.events("begun")) == len(busy), "all handlers are busy")
        crowd = [asks(5) for _ in range(300)]
        stranger = asks(2)
        wait_until(one_more, "one of the crowd is refused")
        for _ in range(20):
            one_more()
        wait_until(lambda: len(refused(crowd)) > 10, "one for each that comes")
        assert not refused([stranger, *busy])
        go.touch()
        assert [client.read().status for client in (stranger, *busy)] == [200] * 5
        answers = [client.read() for client in crowd]
        assert {answer.status for answer in answers} == {200, 503}
        assert {answer.header("retry-after") for answer in answers if answer.status == 503} == {"1"}
        assert "(queueSeconds)" in server.output()
        wait_until(lambda: Client(server, host=5).is_served(), "who was refused comes again")


@driver("handshakeSeconds", handshakeSeconds=0.2)
def drive_handshake_seconds(server):
    with Client(server) as client:
        client.send(handshake("/slow-handshake"))
        assert client.read().status == 503
    with Client(server, PROXIED) as client:
        client.send(b"PROXY TCP4 ")
        assert client.at_end()


@driver("headSeconds", headSeconds=0.2)
def drive_head_seconds(server):
    with Client(server) as client:
        client.send(b"GET / HTTP/1.1\r\nHo")
        assert client.read().status == 408
        assert client.at_end()
    with Client(server) as client:
        assert client.at_end(), "without any byte"


@driver("bodySeconds", bodySeconds=0.2)
def drive_body_seconds(server):
    with Client(server) as client:
        client.send(format_request("/bytes", "POST", [("Content-Length", 10)]) + b"12345")
        assert client.read().status == 408


@driver("messageSeconds", messageSeconds=0.2)
def drive_message_seconds(server):
    with RawWebSocket(server, "/ws") as client:
        client.send(frame(TEXT, b"half a message")[:-3])
        assert client.read_close()[0] == 1008
    with Client(server, LINES) as client:
        assert client.echoes(b"whole")
        client.send(b"half a line")
        assert client.at_end()


@driver("writeSeconds", writeSeconds=0.2, bodyBytes=0, outBytes=256 * MIB)
def drive_write_seconds(server):
    with Client(server, receive_buffer=4096) as client:
        client.send(format_request(f"/big?bytes={64 * MIB}"))
        alone(server)
        client.read_head()
        assert len(client.take_all()) < 64 * MIB


@driver("keepAliveSeconds", keepAliveSeconds=0.2)
def drive_keep_alive_seconds(server):
    with Client(server) as client:
        assert client.is_served()
        assert client.at_end()


@driver("idleSeconds", idleSeconds=0.5)
def drive_idle_seconds(server):
    with RawWebSocket(server, "/ws") as client:
        for number in range(3):
            client.send(frame(TEXT, b"busy %d" % number))
            assert client.read_frame()[2] == b"busy %d" % number
        assert client.read_close()[0] == 1008
    with Client(server, LINES) as client:
        assert client.echoes(b"busy")
        assert client.at_end()
    with Client(server, LINES) as client:
        assert client.at_end(), "without any byte"


@driver("closeSeconds", closeSeconds=0.2)
def drive_close_seconds(server):
    with RawWebSocket(server, "/closes") as client:
        client.send(frame(TEXT, b"close, please"))
        assert client.read_close() == (1000, "enough")
        assert client.at_end(), "though no close frame answers"


@driver("shutdownSeconds", shutdownSeconds=0.5)
def drive_shutdown_seconds(server):
    with Client(server) as client:
        client.send(format_request("/sleep?seconds=1000"))
        server.wait_event("asleep")
        server.signal(signal.SIGTERM)
        server.wait("the server has ended, whatever is left")
        assert client.take_all() == b""


@driver("requestSeconds", requestSeconds=0.2)
def drive_request_seconds(server):
    with Client(server) as client:
        assert client.is_served()
        assert client.request("/sleep?seconds=1000").status == 504
