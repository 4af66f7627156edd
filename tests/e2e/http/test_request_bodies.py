"""Bodies of requests: long ones in temporary files, others read by their handlers while they arrive."""

import contextlib
import hashlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from harness import DEADLINE_S, Process, Server, wait_until
from http_client import ClosedEarly, HttpConnection, format_request

MIB = 1 << 20
SERVER = dict(script="request_bodies.php", workers=1, reactors=1, ports=2)
BIG = random.Random(7).randbytes(3 * MIB)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def chunked(body, size):
    return b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + size]), body[at:at + size])
                    for at in range(0, len(body), size)) + b"0\r\n\r\n"


def head(target, length=None, *more):
    lines = [f"POST {target} HTTP/1.1", "Host: a",
             "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}", *more]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def multipart(*parts):
    """Each part: name, bytes, and for a file its name."""
    body = b""
    for name, data, *file in parts:
        body += f"--b0undary\r\nContent-Disposition: form-data; name=\"{name}\"".encode()
        if file:
            body += f"; filename=\"{file[0]}\"\r\nContent-Type: a/b".encode()
        body += b"\r\n\r\n" + data + b"\r\n"
    return body + b"--b0undary--\r\n"


def post(connection, target, body, **fields):
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    return connection.request(target, method="POST", headers=fields, body=body)


def post_form(connection, target, *parts):
    return post(connection, target, multipart(*parts), Content_Type="multipart/form-data; boundary=b0undary")


@pytest.fixture
def connection(server):
    with HttpConnection(server.address) as connection:
        yield connection


@pytest.fixture
def streaming(server):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        yield connection


def temporary_files(server):
    """The unlinked files that processes of the server have open."""
    found = []
    for process in server.processes():
        with contextlib.suppress(FileNotFoundError, PermissionError):
            for fd in os.listdir(f"/proc/{process.pid}/fd"):
                with contextlib.suppress(FileNotFoundError):
                    name = os.readlink(f"/proc/{process.pid}/fd/{fd}")
                    if name.endswith("(deleted)") and "memfd:" not in name and "/dev/zero" not in name \
                            and not name.startswith("/tmp/.ZendSem"):
                        found.append(name)
    return found


def wait_for_no_files(server):
    wait_until(lambda: not temporary_files(server), "no temporary file is left")


# --- in files ---


@pytest.mark.parametrize("size", [0, 1, 8192, 65535, 65536, 65537, 200_000, 3 * MIB])
@pytest.mark.parametrize("coding", ["length", "chunked"])
def test_a_body_of_any_size(server, connection, size, coding):
    body = BIG[:size]
    if coding == "length":
        answer = post(connection, "/body", body)
    else:
        connection.send(head("/body") + chunked(body, 70_000))
        answer = connection.read()
    assert answer.json() == {"size": size, "sha256": sha256(body), "again": True,
                             "stream": {"sha256": sha256(body), "size": size}}
    assert connection.request("/hello").text == "hello"
    wait_for_no_files(server)


def test_a_stream_of_a_file_can_seek(connection):
    body = b"begin" + BIG + b"end"
    assert post(connection, "/seek", body).json() == {
        "seeks": [0, 0, -1], "tail": "end", "other": "gin", "size": len(body), "write": False}


def test_more_than_the_arena_and_memory_limit(server, connection):
    size = 60 * MIB
    connection.socket.settimeout(4 * DEADLINE_S)
    connection.send(head("/digest", size))
    hash = hashlib.sha256()
    for _ in range(size // len(BIG)):
        hash.update(BIG)
        connection.send(BIG)
    seen = connection.read().json()
    assert (seen["size"], seen["sha256"], seen["eof"]) == (size, hash.hexdigest(), True)
    assert seen["peak"] < 8 * MIB
    wait_for_no_files(server)


def test_an_upload_of_more_than_memory_limit(server, tmp_path):
    data = BIG * 20
    body = multipart(("a", b"1"), ("up", data, "x.bin"), ("small[]", b"one", "1"), ("small[]", b"", "2"))

    def upload(target):  # it takes its time to make such a body, and the server does not wait for it
        with HttpConnection(server.address, timeout=4 * DEADLINE_S) as connection:
            return post(connection, target, body, Content_Type="multipart/form-data; boundary=b0undary")
    seen = upload("/form").json()
    assert seen["files"] == {"up": {"name": "x.bin", "size": len(data), "sha256": sha256(data)},
                             "small": [{"name": "1", "size": 3, "sha256": sha256(b"one")},
                                       {"name": "2", "size": 0, "sha256": sha256(b"")}]}
    assert seen["all"] == {"a": "1"}
    assert seen["peak"] < 8 * MIB
    target = tmp_path / "moved"
    target.write_text("older")
    seen = upload(f"/move?to={target}").json()
    assert seen["sha256"] == sha256(data)
    assert seen["peak"] < 24 * MIB
    assert upload("/contents").status == 422
    with HttpConnection(server.address) as connection:
        assert post_form(connection, "/contents", ("up", BIG, "x")).text == sha256(BIG)
    wait_for_no_files(server)


def test_moved_elsewhere_than_to_a_file(connection, tmp_path):
    target = f"php://filter/write=string.rot13/resource={tmp_path}/rot13"
    post_form(connection, f"/move?to={target}", ("up", b"Hello " * 50_000, "x"))
    assert (tmp_path / "rot13").read_bytes() == b"Uryyb " * 50_000


def test_what_does_not_fit_into_memory_limit_is_an_exception(connection):
    connection.send(head("/too-long", 60 * MIB))
    for _ in range(20):
        connection.send(BIG)
    answer = connection.read()
    assert answer.status == 422
    assert answer.text == (f"The body of {60 * MIB} bytes or more does not fit into memory_limit: read it by bodyStream() "
                           "or, for a file, by stream()")
    assert connection.request("/hello").text == "hello"


def test_uploads_outlive_their_request(server, connection):
    for data in (BIG, BIG[::-1]):
        post_form(connection, "/keep", ("up", data, "x"))
    for _ in range(3):
        post_form(connection, "/form", ("up", os.urandom(100_000), "x"))
    assert [file["sha256"] for file in connection.request("/kept").json()] == [sha256(BIG), sha256(BIG[::-1])]
    assert len(temporary_files(server)) >= 2
    assert connection.request("/forget").text == "gone"
    wait_for_no_files(server)


def test_curl_uploads(server, tmp_path):
    (tmp_path / "big").write_bytes(BIG)
    for command in (["-F", f"up=@{tmp_path}/big", f"{server.url}/form"],):
        answer = subprocess.run(["curl", "-sS", *command], check=True, capture_output=True, text=True, timeout=60)
        assert json.loads(answer.stdout)["files"]["up"]["sha256"] == sha256(BIG)
    for port in server.ports:
        answer = subprocess.run(["curl", "-sS", "-T", f"{tmp_path}/big", f"http://127.0.0.1:{port}/digest"], check=True,
                                capture_output=True, text=True, timeout=60)
        assert json.loads(answer.stdout)["sha256"] == sha256(BIG)


def test_full_files(server, mode):
    with Server(**SERVER | {"ports": 2}, mode=mode, env={"LIMITS": json.dumps({"temporaryFileBytes": 5 * MIB})}) as own:
        with HttpConnection(own.address) as first:
            first.send(head("/digest", 4 * MIB) + BIG)
            wait_until(lambda: temporary_files(own), "the body goes to a file")

            def refused():
                with HttpConnection(own.address) as second:
                    second.send(head("/digest", 2 * MIB) + b"x")
                    return second.read()
            answer = wait_until(lambda: (answer := refused()).status == 503 and answer, "there is no room for another")
            assert "temporaryFileBytes" in answer.text
            with HttpConnection(own.address) as third:
                third.send(head("/digest", 5 * MIB) + b"x")
                assert third.read().status == 413
        wait_for_no_files(own)
        with HttpConnection(own.address) as last:
            assert post(last, "/digest", BIG).json()["sha256"] == sha256(BIG)


def test_the_folder_is_the_applications_choice(mode, tmp_path):
    with Server(**SERVER, mode=mode, env={"FOLDER": str(tmp_path)}) as own, HttpConnection(own.address) as client:
        client.send(head("/digest", len(BIG)) + BIG[:100_000])
        names = wait_until(lambda: temporary_files(own), "the body goes to a file")
        assert all(name.startswith(str(tmp_path)) for name in names)
        assert not list(tmp_path.iterdir())
        client.send(BIG[100_000:])
        assert client.read().json()["sha256"] == sha256(BIG)


def test_a_dead_workers_waiting_body_goes_to_another(process_mode_only, mode):
    with Server(**SERVER, mode=mode) as own, HttpConnection(own.address) as first, HttpConnection(own.address) as second:
        own.may_fail = True
        first.send(format_request("/spin"))
        pid = own.wait_event("spinning")["pid"]
        second.send(head("/body", len(BIG)) + BIG)
        wait_until(lambda: temporary_files(own), "the body goes to a file")
        Process(pid).kill()
        assert first.read().status == 502
        assert second.read().json()["sha256"] == sha256(BIG)
        wait_for_no_files(own)


def test_a_body_that_arrives_during_a_reload(process_mode_only, mode):
    with Server(**SERVER, mode=mode) as own, HttpConnection(own.address) as client:
        client.send(head("/body", len(BIG)) + BIG[:MIB])
        own.signal(signal.SIGHUP)
        wait_until(lambda: len(own.events("stop")) == 1, "the old worker has ended")
        client.send(BIG[MIB:])
        assert client.read().json()["sha256"] == sha256(BIG)


# --- as streams ---


@pytest.mark.parametrize("coding", ["length", "chunked"])
def test_a_body_comes_back_as_it_arrives(streaming, coding):
    pieces = [b"one", b"two" * 1000, b"x" * 40_000, b"four"]
    streaming.send(head("/echo", None if coding == "chunked" else sum(map(len, pieces))))
    if coding == "length":
        streaming.send(pieces[0])
    else:
        streaming.send(b"3\r\none\r\n")
    assert streaming.read_head()[1] == 200
    received = b""
    for number, piece in enumerate(pieces):
        if number > 0:
            streaming.send(piece if coding == "length" else b"%x\r\n%s\r\n" % (len(piece), piece))
        want = len(received) + len(piece)
        while len(received) < want:
            size = int(streaming.take_until(b"\r\n"), 16)
            received += streaming.take(size)
            assert streaming.take(2) == b"\r\n"
    if coding == "chunked":
        streaming.send(b"0\r\n\r\n")
    assert streaming.read_chunks() == b""
    assert received == b"".join(pieces)
    assert streaming.request("/hello").text == "hello"


def test_a_long_streamed_body(streaming):
    size = 60 * MIB
    streaming.socket.settimeout(4 * DEADLINE_S)
    streaming.send(head("/digest", size))
    for _ in range(size // len(BIG)):
        streaming.send(BIG)
    seen = streaming.read().json()
    assert (seen["size"], seen["sha256"]) == (size, sha256(BIG * 20))
    assert seen["peak"] < 8 * MIB


def test_the_client_waits_for_a_handler_that_does_not_read(server, streaming):
    size = 60 * MIB
    streaming.send(head(f"/wait?name={server.ports[0]}", size))
    body = BIG * 20
    streaming.socket.setblocking(False)
    sent = idle = 0
    while idle < 50 and sent < size:
        try:
            sent += streaming.socket.send(body[sent:sent + MIB])
            idle = 0
        except BlockingIOError:
            idle += 1
            with HttpConnection(server.address) as other:
                assert other.request("/hello").text == "hello"
    assert sent < size
    streaming.socket.settimeout(60)
    with HttpConnection(server.address) as other:
        other.request(f"/go?name={server.ports[0]}")
    streaming.send(body[sent:])
    assert streaming.read().json() == {"sha256": sha256(body), "size": size}


def test_the_client_is_told_to_go_on_when_the_handler_reads(server, streaming):
    before = len(server.events("begun"))
    streaming.send(head("/wait?name=expect", 5, "Expect: 100-continue"))
    wait_until(lambda: len(server.events("begun")) > before, "the handler has begun")
    with HttpConnection(server.address) as other:
        assert other.request("/hello").text == "hello"
        streaming.socket.setblocking(False)
        with pytest.raises(BlockingIOError):
            streaming.socket.recv(1)
        streaming.socket.settimeout(60)
        other.request("/go?name=expect")
    assert streaming.read_head()[1] == 100
    streaming.send(b"hello")
    assert streaming.read().json()["sha256"] == sha256(b"hello")


def test_what_a_handler_leaves_is_drained_or_closes(server, streaming):
    streaming.send(head("/early", 50_000) + b"x")
    assert streaming.read().text == "early"
    streaming.send(b"x" * 49_999 + format_request("/hello"))
    assert streaming.read().text == "hello"
    streaming.send(head("/early", 50 * MIB) + b"x")
    answer = streaming.read()
    assert (answer.text, answer.header("connection")) == ("early", "close")
    assert streaming.at_end()


def test_body_json_and_form_wait_for_all(streaming):
    text = json.dumps({"list": list(range(1000))}).encode()
    streaming.send(head("/json", len(text)) + text[:100])
    streaming.send(text[100:])
    assert streaming.read().json() == {"list": list(range(1000))}
    streaming.send(head("/body", len(BIG)) + BIG[:1000])
    streaming.send(BIG[1000:])
    assert streaming.read().json()["sha256"] == sha256(BIG)
    form = multipart(("a", b"1"), ("up", BIG[:100_000], "x"))
    streaming.send(head("/form", len(form), "Content-Type: multipart/form-data; boundary=b0undary") + form[:1000])
    streaming.send(form[1000:])
    seen = streaming.read().json()
    assert seen["files"]["up"]["sha256"] == sha256(BIG[:100_000]) and seen["all"] == {"a": "1"}
    streaming.send(head("/too-long", 60 * MIB))
    with contextlib.suppress(OSError):
        streaming.send(BIG * 20)
    answer = streaming.read()
    assert answer.status == 422 and "does not fit into memory_limit" in answer.text


@pytest.mark.parametrize("size", [1, 10_000, 65536, 65537, 3 * MIB, 60 * MIB])
@pytest.mark.parametrize("way", ["whole", "streamed"])
def test_a_handler_decides_how_it_takes_the_body(server, streaming, size, way):
    body = (BIG * 20)[:size]
    answer = streaming.request("/decides", method="POST", headers={"X-May": way}, body=body).json()
    assert (answer["sha256"], answer["size"]) == (sha256(body), size)
    assert answer["peak"] < 8 * MIB
    if way == "whole":
        assert answer["seeks"] and answer["again"] == sha256(body)
    wait_for_no_files(server)


def test_a_body_that_is_not_taken_is_not_asked_for(streaming):
    streaming.send(head("/decides", 10, "Expect: 100-continue"))
    assert streaming.read().status == 403
    assert streaming.at_end()


def test_a_handler_that_wants_it_whole_asks_for_it(streaming):
    streaming.send(head("/decides", 10, "Expect: 100-continue", "X-May: whole"))
    assert streaming.read_head()[1] == 100
    streaming.send(b"0123456789")
    assert streaming.read().json()["sha256"] == sha256(b"0123456789")


def test_a_streamed_form_takes_no_memory_for_its_files(server, streaming):
    data = BIG * 20
    seen = post_form(streaming, "/form", ("a", b"1"), ("up", data, "x.bin"), ("small", b"two", "2")).json()
    assert seen["files"] == {"up": {"name": "x.bin", "size": len(data), "sha256": sha256(data)},
                             "small": {"name": "2", "size": 3, "sha256": sha256(b"two")}}
    assert seen["all"] == {"a": "1"}
    assert seen["peak"] < 8 * MIB
    wait_for_no_files(server)


def test_what_is_read_as_it_comes_is_not_there_whole(streaming):
    streaming.send(head("/whole-too-late", 10))
    answer = streaming.read()
    assert answer.text == "bodyStream() reads the body already: it cannot be received whole any more"


def test_bodies_received_whole_share_the_files_of_all(mode):
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps({"temporaryFileBytes": 4 * MIB})}) as own:
        address = ("127.0.0.1", own.ports[1])
        with HttpConnection(address) as one:
            one.send(head("/whole-without-room", 6 * MIB) + BIG + BIG[:MIB + 100_000])
            answer = one.read()
            assert answer.status == 507
            assert answer.text == ("The body cannot be received whole: the temporary files for bodies of requests are full "
                                   "(temporaryFileBytes)")
        with HttpConnection(address) as other:
            assert post(other, "/whole-without-room", BIG).text == "there was room"
        # When the handler does not catch it, the answer is the one that whole bodies get.
        with HttpConnection(address) as one:
            one.send(head("/whole-without-room?uncaught=1", 6 * MIB) + BIG + BIG[:MIB + 100_000])
            answer = one.read()
            assert (answer.status, answer.text) == (503, "503 Service Unavailable\n")
        assert "The body cannot be received whole" in own.output()
        wait_for_no_files(own)


def test_a_client_that_leaves_while_its_body_is_received(server, streaming):
    streaming.send(head("/whole-without-room", 60 * MIB) + BIG)
    wait_until(lambda: temporary_files(server), "some of it has been written")
    streaming.close()
    wait_for_no_files(server)
    with HttpConnection(("127.0.0.1", server.ports[1])) as other:
        assert post(other, "/whole-without-room", BIG).text == "there was room"


def test_it_arrives_once(server, streaming):
    before = len(server.events("begun"))
    streaming.send(head("/twice", 10) + b"hello")
    wait_until(lambda: len(server.events("begun")) > before, "the handler has begun")
    streaming.send(b"world")
    seen = streaming.read().json()
    assert seen == {"errors": ["The body arrives once: bodyStream() was called already",
                               "bodyStream() reads the body already: it cannot be received whole any more"],
                    "all": "helloworld", "seek": -1}


def test_a_malformed_chunk_in_the_middle(server, streaming):
    before, reads = len(server.events("bad")), len(server.events("read"))
    streaming.send(head("/report") + b"3\r\nabc\r\n")
    wait_until(lambda: len(server.events("read")) > reads, "the handler reads")
    streaming.send(b"zz\r\n")
    assert streaming.read().status == 400
    assert streaming.at_end()
    bad = wait_until(lambda: server.events("bad")[before:], "the handler is told")
    assert bad[0]["message"] == "the chunked coding of the body is malformed"


def test_a_client_that_leaves_cancels(server, streaming):
    before = len(server.events("cancelled"))
    began = len(server.events("begun"))
    streaming.send(head("/report", 1000) + b"abc")
    wait_until(lambda: len(server.events("begun")) > began, "the handler has begun")
    streaming.close()
    wait_until(lambda: len(server.events("cancelled")) + len(server.events("bad")) > before, "the handler is told")


@pytest.mark.both_modes
def test_a_worker_that_dies_in_the_middle(mode):
    with Server(**SERVER, mode=mode) as own, HttpConnection(("127.0.0.1", own.ports[1])) as client:
        own.may_fail = True
        client.send(head("/report", 1000) + b"abc")
        own.wait_event("read", size=3)
        Process(own.events("begun")[0]["pid"]).kill()
        if mode == "process":
            answer = client.read()
            assert (answer.status, answer.header("connection")) == (502, "close")
            assert client.at_end()
        else:
            with pytest.raises(ClosedEarly):
                client.read()


def test_without_coroutines(mode, tmp_path):
    (tmp_path / "php.ini").write_text("sluice.coroutines=0\n")
    with Server(**SERVER, mode=mode, env={"PHP_INI_SCAN_DIR": f":{tmp_path}"}) as own:
        with HttpConnection(("127.0.0.1", own.ports[1])) as client:
            client.send(head("/report", len(BIG)) + BIG[:100_000])
            own.wait_event("read")
            client.send(BIG[100_000:])
            assert client.read().text == str(len(BIG))


# --- the least rate ---


def drip(connection):
    """A byte at a time, until there is an answer or the end."""
    connection.socket.settimeout(0.02)
    while True:
        try:
            connection.socket.send(b"x")
            return connection.read()
        except TimeoutError:
            connection.buffer = b""


@pytest.mark.parametrize("port", [0, 1], ids=["whole", "streamed"])
def test_a_body_that_drips_is_408(mode, port):
    limits = {"bodySeconds": 0.5, "bodyBytesPerSecond": 1 << 20}
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps(limits)}) as own:
        with HttpConnection(("127.0.0.1", own.ports[port])) as client:
            client.send(head("/report", 10_000) + b"x")
            assert drip(client).status == 408
        if port == 1:
            assert own.wait_event("bad")["message"] == "the request body did not arrive in time"


def test_a_client_that_sips_is_cut(mode):
    """It always takes something, but not as much as is asked for."""
    limits = {"writeSeconds": 0.5, "writeBytesPerSecond": 1 << 30}
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps(limits)}) as own, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        client.connect(own.address)
        client.sendall(format_request("/long"))
        client.settimeout(DEADLINE_S)
        received = 0
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(4096):
                received += len(piece)
                time.sleep(0.002)
        assert received < 40 * MIB


def test_a_client_that_keeps_the_rate_gets_all(mode):
    limits = {"writeSeconds": 1000.0, "writeBytesPerSecond": 1, "bodySeconds": 1000.0, "bodyBytesPerSecond": 1}
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps(limits)}) as own, HttpConnection(own.address) as client:
        assert len(client.request("/long").body) == 40 * MIB
        client.send(head("/digest", 10))
        for byte in b"0123456789":
            client.send(bytes([byte]))
            time.sleep(0.01)
        assert client.read().json()["sha256"] == sha256(b"0123456789")


# --- memory of bodies that have been handled ---


def shared_mib(server):
    """Shared memory that the server's processes hold; what several hold counts once."""
    kib = 0
    for process in server.processes():
        with contextlib.suppress(OSError, TypeError):  # it has just ended
            kib += int(re.search(r"^Pss_Shmem: +(\d+)", Path(f"/proc/{process.pid}/smaps_rollup").read_text(), re.MULTILINE)[1])
    return kib / 1024


def test_memory_of_bodies_goes_back(mode):
    limits = {"arenaBytes": 64 * MIB, "bodyFileBytes": 16 * MIB}
    bodies = [random.Random(number).randbytes(6 * MIB) for number in range(4)]
    with Server(**SERVER, mode=mode, env={"LIMITS": json.dumps(limits)}) as own:
        before = shared_mib(own)
        for is_last in (False, True):
            with contextlib.ExitStack() as stack:
                clients = [stack.enter_context(HttpConnection(own.address)) for _ in bodies]
                for client, body in zip(clients, bodies):
                    client.send(head("/body", len(body)) + body[:-1])
                wait_until(lambda: shared_mib(own) > before + 20, "the bodies stand in the arena while they arrive")
                for client, body in zip(clients, bodies):
                    client.send(body[-1:])
                    answer = client.read().json()
                    assert (answer["size"], answer["sha256"]) == (len(body), sha256(body))
            if not is_last:
                wait_until(lambda: shared_mib(own) < before + 4, "the memory of the bodies has gone back", seconds=60)
