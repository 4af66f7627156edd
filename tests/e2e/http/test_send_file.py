"""Response::sendFile(): ranges, conditions, types, names, TLS, files that change, and many slow clients."""

import contextlib
import email
import hashlib
import os
import random
import socket
import ssl
import subprocess
from email.utils import formatdate

import pytest

from certificates import Certificates
from harness import Process, Server, wait_until
from http_client import HttpConnection, get

SMALL = bytes(range(256)) * 8
BIG = random.Random(5).randbytes(3 << 20)
CHANGED_S = 1_700_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, content in {"file.bin": SMALL, "big.bin": BIG, "empty.txt": b"", "page.html": b"<p>\n", "none": b"?",
                          "x.UNKNOWN": b"?"}.items():
        (folder / name).write_bytes(content)
        os.utime(folder / name, ns=(CHANGED_S * 10**9, CHANGED_S * 10**9 + 5))
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    return folder


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("one", "first.example", "127.0.0.1")
    return made


@pytest.fixture(scope="module")
def module_server(mode, folder, certificates):
    with Server("send_file.php", mode, ports=2, reactors=2,
                env={"FILES": str(folder), "CERTIFICATES": str(certificates.folder)}) as server:
        yield server


def ranged(server, value, target="/", **more):
    return get(server, target, headers={"Range": value} | more)


# --- the whole file ---


def test_whole(server):
    response = get(server)
    assert (response.status, response.body) == (200, SMALL)
    assert response.header("content-type") == "application/octet-stream"
    assert response.header("accept-ranges") == "bytes"
    assert response.header("last-modified") == formatdate(CHANGED_S, usegmt=True)
    assert response.header("etag") == f'"{CHANGED_S:x}.5-{len(SMALL):x}"'


@pytest.mark.parametrize("name, kind", [("page.html", "text/html; charset=utf-8"), ("none", "application/octet-stream"),
                                        ("x.UNKNOWN", "application/octet-stream"),
                                        ("empty.txt", "text/plain; charset=utf-8")])
def test_type_by_name(server, name, kind):
    assert get(server, f"/?name={name}").header("content-type") == kind


def test_type_given(server):
    assert get(server, "/type").header("content-type") == "text/x-own"


def test_what_the_application_sets_stays(server):
    response = get(server, "/own")
    assert (response.status, response.body) == (200, SMALL)
    assert response.header("content-type") == "image/x"
    assert response.header("etag") == '"mine"'
    assert response.header("last-modified") == "Sun, 06 Nov 1994 08:49:37 GMT"


def test_empty_file(server):
    response = get(server, "/?name=empty.txt")
    assert (response.status, response.body, response.header("content-length")) == (200, b"", "0")
    assert ranged(server, "bytes=0-", "/?name=empty.txt").status == 416


def test_head_says_what_get_would(server):
    with HttpConnection(server.address) as connection:
        head = connection.request("/?name=big.bin", method="HEAD", headers={"Range": "bytes=0-4"})
        assert head.status == 200
        assert head.header("content-length") == str(len(BIG))
        whole = connection.request("/?name=big.bin")
        drop = ("date",)
        assert [f for f in head.fields if f[0] not in drop] == [f for f in whole.fields if f[0] not in drop]
        assert whole.body == BIG


def test_big_file_and_the_next_request(server):
    with HttpConnection(server.address) as connection:
        for _ in range(3):
            assert connection.request("/?name=big.bin").body == BIG
            assert connection.request("/").body == SMALL


def test_pipelined_files_come_in_order(server):
    with HttpConnection(server.address) as connection:
        connection.send(b"".join(b"GET /?name=%s HTTP/1.1\r\nHost: a\r\n\r\n" % name
                                 for name in [b"big.bin", b"file.bin", b"empty.txt", b"big.bin", b"page.html"]))
        assert [connection.read().body for _ in range(5)] == [BIG, SMALL, b"", BIG, b"<p>\n"]


def test_http_1_0_and_close(server):
    with HttpConnection(server.address) as connection:
        connection.send(b"GET /?name=big.bin HTTP/1.0\r\n\r\n")
        everything = connection.take_all()
    assert everything.endswith(b"\r\n\r\n" + BIG)


def test_status_of_its_own_knows_no_ranges(server):
    response = ranged(server, "bytes=0-1", "/status")
    assert (response.status, response.body) == (404, SMALL)


# --- what cannot be sent ---


@pytest.mark.parametrize("target, kind, message", [
    ("/?name=nothing", r"Sluice\ServerException", 'The file "/nothing" cannot be sent: No such file or directory'),
    ("/?name=folder", r"Sluice\ServerException", 'The file "/folder" cannot be sent: it is not a regular file'),
    ("/?name=pipe", r"Sluice\ServerException", 'The file "/pipe" cannot be sent: it is not a regular file'),
    ("/nul", "ValueError", r"Sluice\Http\Response::sendFile(): Argument #1 ($path) must not contain any null bytes"),
    ("/bad-type", "ValueError", r"Sluice\Http\Response::sendFile(): Argument #2 ($type) must not be empty or hold CR, LF, "
                                "NUL or another control character"),
    ("/download?as=..", "ValueError", r"Sluice\Http\Response::sendFile(): Argument #3 ($download) must be a name in UTF-8 "
                                      "without slashes, backslashes and control characters"),
    ("/empty-status", r"Sluice\ServerException", "A response with status 204 has no body, so no file can be sent"),
    ("/twice", r"Sluice\ServerException", "The response was ended already"),
    ("/after-write", r"Sluice\ServerException", "The head of the response was sent already: set status and fields "
                                                "before the first part of the body"),
])
def test_refused(server, target, kind, message):
    before = len(server.events("refused"))
    get(server, target)
    wait_until(lambda: len(server.events("refused")) > before, "the refusal is reported")
    refusal = server.events("refused")[before]
    assert (refusal["class"], refusal["message"]) == (kind, message)


@pytest.mark.parametrize("name, value", [
    ("report.pdf", 'attachment; filename="report.pdf"'),
    ("a%20b.txt", 'attachment; filename="a b.txt"'),
    ("na%C3%AFve%20%E2%82%AC.txt", "attachment; filename=\"na_ve _.txt\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt"),
    ("%22%25", "attachment; filename=\"__\"; filename*=UTF-8''%22%25"),
])
def test_download_name(server, name, value):
    response = get(server, f"/download?as={name}")
    assert (response.header("content-disposition"), response.body) == (value, SMALL)


# --- ranges ---


@pytest.mark.parametrize("value, first, last", [
    ("bytes=0-0", 0, 0), ("bytes=5-9", 5, 9), ("bytes=2040-", 2040, 2047), ("bytes=-8", 2040, 2047),
    ("bytes=-9999", 0, 2047), ("bytes=2047-99999999999999999999999", 2047, 2047), ("BYTES=1-2", 1, 2),
    ("bytes= 1-2 , 9999-", 1, 2), ("bytes=0-9,5-20", 0, 20),
])
def test_one_range(server, value, first, last):
    response = ranged(server, value)
    assert (response.status, response.body) == (206, SMALL[first:last + 1])
    assert response.header("content-range") == f"bytes {first}-{last}/{len(SMALL)}"
    assert response.header("content-type") == "application/octet-stream"


@pytest.mark.parametrize("value", ["bytes=9-5", "bytes", "bytes=", "bytes=a-b", "bytes=1-2x", "lines=1-2", "bytes=--1",
                                   "bytes=1-2;3-4", "bytes=" + ",".join(f"{i}-{i}" for i in range(0, 66, 2))])
def test_ranges_that_are_ignored(server, value):
    response = ranged(server, value)
    assert (response.status, response.body) == (200, SMALL)


@pytest.mark.parametrize("value", ["bytes=2048-", "bytes=-0", "bytes=5000-6000,7000-"])
def test_unsatisfiable(server, value):
    response = ranged(server, value)
    assert (response.status, response.body) == (416, b"")
    assert response.header("content-range") == f"bytes */{len(SMALL)}"


def parts_of(response):
    message = email.message_from_bytes(f"Content-Type: {response.header('content-type')}\r\n\r\n".encode() + response.body)
    assert message.get_content_type() == "multipart/byteranges"
    return [(part["Content-Type"], part["Content-Range"], part.get_payload(decode=True)) for part in message.get_payload()]


def test_several_ranges(server):
    response = ranged(server, "bytes=10-19,0-4,-3", "/?name=page.html&x")
    assert response.status == 206  # of 4 bytes: two of the ranges cannot be, one is left over
    response = ranged(server, "bytes=1000-1009,0-4,-3", "/type")
    assert response.status == 206
    assert response.header("content-range") is None
    boundary = response.header("content-type").partition("boundary=")[2].encode()
    expected = b"".join(
        (b"\r\n" if i else b"") + b"--%s\r\nContent-Type: text/x-own\r\nContent-Range: bytes %d-%d/2048\r\n\r\n"
        % (boundary, a, b) + SMALL[a:b + 1] for i, (a, b) in enumerate([(1000, 1009), (0, 4), (2045, 2047)]))
    assert response.body == expected + b"\r\n--%s--\r\n" % boundary


def test_several_big_ranges(server):
    wanted = [(0, 999_999), (1_500_000, 1_500_000), (2_000_000, len(BIG) - 1)]
    with HttpConnection(server.address) as connection:
        response = connection.request("/?name=big.bin", headers={"Range": "bytes=0-999999,1500000-1500000,2000000-"})
        text = response.body
        for first, last in wanted:
            head = b"Content-Range: bytes %d-%d/%d\r\n\r\n" % (first, last, len(BIG))
            at = text.index(head) + len(head)
            assert text[at:at + last - first + 1] == BIG[first:last + 1]
            text = text[at + last - first + 1:]
        assert connection.request("/").body == SMALL


def test_if_range(server):
    etag = get(server).header("etag")
    date = formatdate(CHANGED_S, usegmt=True)
    for holds in (etag, date):
        assert ranged(server, "bytes=0-1", **{"If-Range": holds}).status == 206
    for fails in ('"other"', "W/" + etag, formatdate(CHANGED_S + 1, usegmt=True), formatdate(CHANGED_S - 1, usegmt=True)):
        response = ranged(server, "bytes=0-1", **{"If-Range": fails})
        assert (response.status, response.body) == (200, SMALL), fails


GIB = 1 << 30


@pytest.fixture(scope="module")
def deep(folder):
    """More than 32 bits can count, most of it a hole."""
    path = folder / "deep.bin"
    with open(path, "wb") as file:
        for offset in (0, 4 * GIB - 4, 5 * GIB - 8):
            file.seek(offset)
            file.write(b"%08x" % (offset >> 8))
    yield path
    path.unlink()


@pytest.mark.parametrize("port", [0, 1], ids=["plain", "tls"])
def test_offsets_beyond_four_gibibytes(server, deep, port):
    url = f"https://127.0.0.1:{server.ports[1]}/?name=deep.bin" if port else f"{server.url}/?name=deep.bin"

    def curl(*arguments):
        return subprocess.run(["curl", "-sSk", *arguments, url], check=True, capture_output=True, timeout=60).stdout
    assert b"content-length: %d\r\n" % (5 * GIB) in curl("-I").lower()
    assert curl("-r", "0-7") == b"00000000"
    assert curl("-r", f"{4 * GIB - 4}-{4 * GIB + 3}") == b"00ffffff", "across the border"
    assert curl("-r", "-8") == b"013fffff"
    assert curl("-r", f"{5 * GIB - 2}-{6 * GIB}") == b"ff"
    both = curl("-r", f"{4 * GIB - 4}-{4 * GIB - 1},-4")
    assert b"content-range: bytes %d-%d/%d\r\n\r\n00ff\r\n" % (4 * GIB - 4, 4 * GIB - 1, 5 * GIB) in both.lower()
    assert b"bytes %d-%d/%d\r\n\r\nffff\r\n" % (5 * GIB - 4, 5 * GIB - 1, 5 * GIB) in both.lower()
    # 64 MiB in many pieces, the border among them.
    passed = subprocess.run(f"curl -sSk -r {4 * GIB - (32 << 20)}-{4 * GIB + (32 << 20) - 1} '{url}' | tail -c {32 << 20} | head -c 4",
                            shell=True, check=True, capture_output=True, timeout=60).stdout
    assert passed == b"ffff"


# --- conditions ---


def test_conditions(server):
    etag = get(server).header("etag")
    date = formatdate(CHANGED_S, usegmt=True)

    def status(**headers):
        response = get(server, headers={name.replace("_", "-"): value for name, value in headers.items()})
        assert response.body == {304: b"", 412: b"", 200: SMALL, 206: SMALL[:2], 416: b""}[response.status]
        return response.status

    assert status(If_None_Match=etag) == 304
    assert status(If_None_Match='"x", W/' + etag) == 304
    assert status(If_None_Match='"x"') == 200
    assert status(If_Modified_Since=date) == 304
    assert status(If_Modified_Since=formatdate(CHANGED_S - 1, usegmt=True)) == 200
    assert status(If_Match='"x"') == 412
    assert status(If_Match=etag, Range="bytes=0-1") == 206
    assert status(If_None_Match=etag, Range="bytes=9999-") == 304  # the condition comes first


# --- files that change, clients that are slow ---


def slow_client(server, target):
    """Asks, and reads nothing; its socket holds little."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(server.address)
    client.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return client


def read_all(client):
    client.settimeout(20)
    pieces = []
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(1 << 20):
            pieces.append(piece)
    return b"".join(pieces)


def test_a_file_that_becomes_shorter_cuts_the_connection(server, folder):
    (folder / "shrinks.bin").write_bytes(bytes(64 << 20))
    with slow_client(server, "/?name=shrinks.bin") as client:
        client.recv(1)
        os.truncate(folder / "shrinks.bin", 1000)
        got = read_all(client)
    assert 1000 < len(got) < 64 << 20
    wait_until(lambda: "a file became shorter while it was sent" in server.output(), "it is logged")
    assert get(server).body == SMALL


def test_a_file_that_is_replaced_is_sent_as_it_was(server, folder):
    old = random.Random(1).randbytes(8 << 20)
    (folder / "replaced.bin").write_bytes(old)
    with slow_client(server, "/?name=replaced.bin") as client:
        client.recv(1)
        (folder / "new").write_bytes(b"new")
        os.rename(folder / "new", folder / "replaced.bin")
        assert get(server, "/?name=replaced.bin").body == b"new"
        assert read_all_of(client, old)


def read_all_of(client, content):
    client.settimeout(20)
    data = b""
    while len(data) < len(content):
        data += client.recv(1 << 20)
    return data.endswith(content)


@pytest.fixture(scope="module")
def huge(folder):
    """More than goes into any socket's buffers."""
    path = folder / "huge.bin"
    with open(path, "wb") as file:
        file.truncate(64 << 20)
    yield path
    path.unlink()


@pytest.mark.both_modes
def test_hundred_slow_clients_cost_little(server, huge):
    """One descriptor for all of them, and hardly any memory."""
    pids = [server.reactor().pid] if server.mode == "process" else server.worker_pids()
    owners = [Process(pid) for pid in pids]
    get(server)
    before_kib = sum(owner.status_kib("VmRSS") - owner.status_kib("RssShmem") for owner in owners)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(slow_client(server, "/?name=huge.bin")) for _ in range(100)]
        for client in clients:
            assert client.recv(17) == b"HTTP/1.1 200 OK\r\n"
        after_kib = sum(owner.status_kib("VmRSS") - owner.status_kib("RssShmem") for owner in owners)
        assert after_kib - before_kib < 100 * 64, "KiB for 100 clients"

        def links(name):
            return [link for pid in pids for link in map(read_link, fds_of(pid)) if link.endswith(name)]
        assert 1 <= len(links("/huge.bin")) <= 2  # once for each reactor
    wait_until(lambda: not links("/huge.bin"), "the file is closed after its clients have gone")


def fds_of(pid):
    return [f"/proc/{pid}/fd/{number}" for number in os.listdir(f"/proc/{pid}/fd")]


def read_link(path):
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


def test_more_files_than_allowed_are_refused(server, folder):
    for number in range(60):
        with open(folder / f"many{number}.bin", "wb") as file:
            file.truncate(8 << 20)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(slow_client(server, f"/?name=many{number}.bin")) for number in range(60)]
        statuses = sorted(client.recv(12) for client in clients)
        assert statuses.count(b"HTTP/1.1 200") in range(18, 41)
        assert statuses.count(b"HTTP/1.1 503") == 60 - statuses.count(b"HTTP/1.1 200")
    assert "of them to its client (openFiles: " in server.output()
    wait_until(lambda: get(server).status == 200, "files are sent again")


def test_a_client_that_does_not_read_is_cut_by_the_write_deadline(server, huge):
    with slow_client(server, "/?name=huge.bin") as client:
        with HttpConnection(server.address) as other:
            assert other.request("/").body == SMALL
        wait_until(lambda: client_is_cut(client), "the connection is cut (writeSeconds: 5)")


def client_is_cut(client):
    fields = [line.split() for line in open("/proc/net/tcp").readlines()[1:]]
    port = "%04X" % client.getsockname()[1]
    return not any(row[2].endswith(":" + port) and row[3] == "01" for row in fields)


@pytest.mark.both_modes
def test_a_download_outlives_its_worker(server, folder):
    if server.mode == "base":
        pytest.skip("in base mode the connection dies with its worker")
    content = random.Random(2).randbytes(8 << 20)
    (folder / "outlives.bin").write_bytes(content)
    starts = len(server.events("start"))
    with slow_client(server, "/?name=outlives.bin") as client:
        client.recv(1)
        Process(get(server, "/worker").json()["pid"]).kill()
        wait_until(lambda: len(server.events("start")) > starts, "another worker has started")
        assert read_all_of(client, content)
    assert get(server).body == SMALL


# --- TLS ---


def secure(server, certificates):
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    plain = socket.create_connection(("127.0.0.1", server.ports[1]), timeout=30)
    connection = HttpConnection.__new__(HttpConnection)
    connection.socket, connection.buffer = context.wrap_socket(plain, server_hostname="127.0.0.1"), b""
    return connection


def test_tls(server, certificates):
    with secure(server, certificates) as connection:
        assert connection.request("/?name=big.bin").body == BIG
        assert connection.request("/?name=empty.txt").body == b""
        assert connection.request("/?name=big.bin", headers={"Range": "bytes=100000-"}).body == BIG[100000:]


def test_tls_slowly(server, certificates):
    with secure(server, certificates) as connection:
        connection.send(b"GET /?name=big.bin HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.read_head()[1] == 200
        received = hashlib.sha256()
        left = len(BIG)
        while left:
            piece = connection.take(min(left, 100_000))
            received.update(piece)
            left -= len(piece)
        assert received.digest() == hashlib.sha256(BIG).digest()


# --- curl ---


def test_curl_resumes(server, tmp_path):
    part = tmp_path / "part"
    part.write_bytes(BIG[:1_000_001])
    subprocess.run(["curl", "-sS", "--fail", "-C", "-", "-o", part, f"{server.url}/?name=big.bin"], check=True, timeout=60)
    assert part.read_bytes() == BIG


def test_curl_ranges(server):
    got = subprocess.run(["curl", "-sS", "-r", "100-199", f"{server.url}/?name=big.bin"], check=True, timeout=60,
                         capture_output=True).stdout
    assert got == BIG[100:200]
