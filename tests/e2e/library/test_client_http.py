"""Sluice\\Http\\Client against servers that behave, and others that do not; in coroutines and in plain scripts."""

import contextlib
import gzip
import hashlib
import json
import os
import socket
import ssl
import subprocess
import threading

import pytest

from certificates import Certificates
from harness import DEADLINE_S, Server, wait_until
from http_client import HttpConnection, format_request, get
from php_script import PLACES, run_php


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


class RawServer:
    """A thread for each connection, which calls `talk(connection, first line, head, number of the request on it)` as long as that
    returns something true. Notes each request."""

    def __init__(self, talk, context=None):
        self.talk = talk
        self.context = context
        self.requests = []
        self.connections = 0
        self.ended = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(DEADLINE_S)
        with contextlib.suppress(OSError), contextlib.closing(connection):
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            stream = connection.makefile("rwb", buffering=0)
            number = 0
            while True:
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    byte = stream.read(1)
                    if not byte:
                        return
                    head += byte
                lines = head.decode().split("\r\n")
                fields = {line.split(": ")[0].lower(): line.split(": ", 1)[1] for line in lines[1:] if ": " in line}
                self.requests.append((lines[0], fields))
                number += 1
                if not self.talk(stream, lines[0], fields, number):
                    return
        self.ended += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def say(stream, body=b"", status="200 OK", fields=()):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields]
    stream.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
    return True


def read_body(stream, fields):
    if fields.get("transfer-encoding") == "chunked":
        body = b""
        while True:
            size = int(read_line(stream), 16)
            body += read_exactly(stream, size)
            assert read_line(stream) == b""
            if size == 0:
                return body
    return read_exactly(stream, int(fields.get("content-length", 0)))


def read_exactly(stream, size):
    data = b""
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise ConnectionError("the body ends early")
        data += more
    return data


def read_line(stream):
    line = b""
    while not line.endswith(b"\r\n"):
        byte = stream.read(1)
        if not byte:
            raise ConnectionError("the body ends early")
        line += byte
    return line[:-2]


def echo(stream, line, fields, number):
    body = read_body(stream, fields)
    return say(stream, json.dumps({"line": line, "fields": fields, "body": body.decode(), "number": number}).encode())


# --- requests and responses ---


def test_requests_arrive_as_they_were_made(place):
    with RawServer(echo) as server:
        got, posted, sent, put, head, file = run_php(place, """
            $client = new Client(headers: ['X-Always' => 'yes', 'X-Other' => 'default']);
            $file = tmpfile(); fwrite($file, 'skipped from a file'); fseek($file, 8);
            return [
                $client->get("$url/a?b=c")->json(),
                $client->post("$url/", 'text', ['Content-Type' => 'text/plain', 'X-List' => ['1', '2'], 'x-other' => 'own', 'X-Empty' => ''])->json(),
                $client->postJson("$url/", ['a' => 'ü/'])->json(),
                $client->request('PUT', "$url/", body: (function () { yield 'one '; yield ''; yield str_repeat('x', 100000); yield ' end'; })())->json(),
                $client->request('HEAD', "$url/")->body(),
                $client->request('PATCH', "$url/", body: $file)->json(),
            ];
        """, url=server.url)
    assert got["line"] == "GET /a?b=c HTTP/1.1" and got["body"] == ""
    assert got["fields"] == {"host": f"127.0.0.1:{server.port}", "x-always": "yes", "x-other": "default",
                             "accept-encoding": got["fields"]["accept-encoding"]}
    assert "gzip" in got["fields"]["accept-encoding"]
    assert posted["line"] == "POST / HTTP/1.1" and posted["body"] == "text"
    assert posted["fields"]["content-type"] == "text/plain" and posted["fields"]["content-length"] == "4"
    assert posted["fields"]["x-list"] == "2" and posted["fields"]["x-other"] == "own"
    assert sent["fields"]["content-type"] == "application/json" and sent["body"] == '{"a":"ü/"}'
    assert put["line"].startswith("PUT ") and put["fields"]["transfer-encoding"] == "chunked"
    assert put["body"] == "one " + "x" * 100000 + " end"
    assert head == ""
    assert file["body"] == "from a file" and file["fields"]["content-length"] == "11"
    assert all(fields.get("expect") is None for _, fields in server.requests)


def test_forms_are_sent_as_browsers_do(place, tmp_path):
    (tmp_path / "file.txt").write_bytes(b"of a file" * 20_000)
    with Server("forms.php", "process", workers=1, reactors=1) as server:
        plain, files, empty = run_php(place, """
            $client = new Client();
            return [
                $client->postForm("$url/form", ['a' => 'ü &=+', 'b' => ['x', 'y'], 'c' => ['k' => 1.5, 'on' => true], 'none' => null])->json(),
                $client->postForm("$url/form", [
                    'a' => "line\r\nend", 'text' => Http\\FormFile::fromString('bytes', 'a "b".txt', 'text/plain'),
                    'list' => [Http\\FormFile::fromPath($path), Http\\FormFile::fromPath($path, 'other.bin')],
                ], ['content-type' => 'left/out', 'X-A' => '1'])->json(),
                $client->postForm("$url/form", ['empty' => Http\\FormFile::fromString('', 'e')])->json(),
            ];
        """, url=f"http://127.0.0.1:{server.ports[0]}", path=str(tmp_path / "file.txt"))
    assert plain["all"] == {"a": "ü &=+", "b": ["x", "y"], "c": {"k": "1.5", "on": "1"}} and plain["files"] == []
    digest = hashlib.sha256(b"of a file" * 20_000).hexdigest()
    assert files["all"] == {"a": "line\r\nend"}
    assert files["files"]["text"] == {"name": "a %22b%22.txt", "type": "text/plain", "size": 5, "sha256": hashlib.sha256(b"bytes").hexdigest()}
    assert [(file["name"], file["size"], file["sha256"]) for file in files["files"]["list"]] == [
        ("file.txt", 180_000, digest), ("other.bin", 180_000, digest)]
    assert empty["files"]["empty"]["size"] == 0


def test_forms_announce_their_length_and_are_checked(place, tmp_path):
    (tmp_path / "gone").write_bytes(b"x" * 100)
    with RawServer(echo) as server:
        urlencoded, multipart, *refused = run_php(place, """
            $client = new Client();
            $file = Http\\FormFile::fromPath($path);
            $answers = [
                $client->postForm($url, ['a b' => '1 2'])->json(),
                $client->postForm($url, ['f' => $file])->json(),
            ];
            unlink($path);
            return [...$answers,
                attempt(fn () => Http\\FormFile::fromPath($path)),
                attempt(fn () => Http\\FormFile::fromString('', 'name', "text\n")),
                attempt(fn () => $client->postForm($url, ['o' => new stdClass()])),
                attempt(fn () => $client->postForm($url, ['f' => $file])),
            ];
        """, url=server.url, path=str(tmp_path / "gone"))
    assert (urlencoded["body"], urlencoded["fields"]["content-type"]) == ("a+b=1+2", "application/x-www-form-urlencoded")
    assert "transfer-encoding" not in multipart["fields"] and int(multipart["fields"]["content-length"]) == len(multipart["body"])
    assert multipart["fields"]["content-type"].startswith("multipart/form-data; boundary=")
    assert [answer["error"] for answer in refused] == ["ValueError", "ValueError", "TypeError", r"Sluice\Http\ProtocolException"]
    assert "could not be read to its end" in refused[3]["message"]


def test_time_limits_of_one_call(place):
    def talk(stream, line, fields, number):
        body = read_body(stream, fields)
        if "/slow" in line:
            threading.Event().wait(1.0)
        return say(stream, body)

    with RawServer(talk) as server:
        seen = run_php(place, """
            $client = new Client();
            return [
                attempt(fn () => $client->get("$url/slow", timeout: 0.1)),
                attempt(fn () => $client->post("$url/slow", 'x', timeout: 0.1)),
                attempt(fn () => $client->postJson("$url/slow", 1, timeout: 0.1)),
                attempt(fn () => $client->postForm("$url/slow", ['a' => 1], timeout: 0.1)),
                attempt(fn () => $client->request('GET', "$url/slow", idleTimeout: 0.1)),
                attempt(fn () => $client->request('GET', $url, connectTimeout: 0.0)),
                attempt(fn () => $client->request('GET', $url, idleTimeout: 86401)),
                $client->postForm($url, ['a' => 1], timeout: 20.0)->body(),
            ];
        """, url=server.url)
    assert [answer["error"] for answer in seen[:5]] == [r"Sluice\Http\TimeoutException"] * 5
    assert "(idleTimeout)" in seen[4]["message"]
    assert [answer["message"] for answer in seen[5:7]] == [
        r"Sluice\Http\Client: $connectTimeout must be between 0.001 and 86400, 0 given",
        r"Sluice\Http\Client: $idleTimeout must be between 0.001 and 86400, 86401 given"]
    assert seen[7] == "a=1"


def test_responses_are_given_as_they_came(place):
    def talk(stream, line, fields, number):
        if "/hints" in line:
            stream.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        if "/chunked" in line:
            stream.write(b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\n"
                         b"3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Trailer: t\r\n\r\n")
            return True
        if "/gzip" in line:
            return say(stream, gzip.compress(b"small again" * 10), fields=["Content-Encoding: gzip"])
        return say(stream, b"no", "404 Not Found", ["X-A: 1", "X-A: 2"])

    with RawServer(talk) as server:
        answers = run_php(place, """
            $client = new Client();
            $show = fn ($r) => [$r->status, $r->reason, $r->isSuccess(), $r->headers(), $r->header('X-A'), $r->header('nothing'), $r->body(), $r->body()];
            return [$show($client->get("$url/chunked")), $show($client->get("$url/hints")), $client->get("$url/gzip")->body()];
        """, url=server.url)
    assert answers[0][:3] == [200, "Fine", True] and answers[0][6:] == ["abcdefg"] * 2
    assert answers[0][3] == {"transfer-encoding": ["chunked"], "set-cookie": ["a=1", "b=2"]}
    assert answers[1] == [404, "Not Found", False, {"content-length": ["2"], "x-a": ["1", "2"]}, "1, 2", None, "no", "no"]
    assert answers[2] == "small again" * 10


def test_connections_are_kept_for_their_origin(place):
    with RawServer(echo) as one, RawServer(echo) as other:
        numbers = run_php(place, """
            $client = new Client();
            $none = new Client(keepAlive: 0);
            $number = fn ($client, $url) => $client->get($url)->json()['number'];
            return [$number($client, $one), $number($client, $other), $number($client, $one), $number($client, $one),
                $number($client, $other), $number($none, $one), $number($none, $one)];
        """, one=one.url, other=other.url)
        assert numbers == [1, 1, 2, 3, 2, 1, 1]
        assert (one.connections, other.connections) == (3, 1)


def test_a_connection_that_the_server_has_closed_is_not_used_again(place):
    with RawServer(lambda stream, *_: say(stream, b"x") and False) as server:
        assert run_php(place, """
            $client = new Client();
            return array_map(function () use ($client, $url) { $body = $client->get($url)->body(); usleep(20000); return $body; }, range(1, 3));
        """, url=server.url) == ["x"] * 3
        assert server.connections == 3


def test_many_at_once_and_then_on_kept_connections():
    release = threading.Barrier(20, timeout=DEADLINE_S)

    def talk(stream, line, fields, number):
        release.wait()  # nobody is answered before all have asked
        return say(stream, line.split()[1].encode())

    with RawServer(talk) as server:
        bodies = run_php("coroutine", """
            $client = new Client(keepAlive: 20);
            $ask = fn () => Coroutine\\map(range(1, 20), fn ($n) => $client->get("$url/$n")->body());
            return [$ask(), $ask()];
        """, url=server.url)
        assert bodies == [[f"/{number}" for number in range(1, 21)]] * 2
        assert server.connections == 20


def test_the_body_is_received_as_it_is_read(place):
    piece = b"p" * 65536
    sent = 0

    def talk(stream, *_):
        nonlocal sent
        stream.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\nfirst" % (len(piece) * 1600 + 5))
        for _ in range(1600):
            stream.write(piece)
            sent += len(piece)
        return True

    with RawServer(talk) as server:
        first, before, size, again = run_php(place, """
            $response = (new Client(maxResponseBytes: 1 << 30))->get($url);
            $pieces = $response->pieces();
            $first = substr($pieces->current(), 0, 5);
            usleep(300_000);
            $before = strlen($pieces->current());
            $size = 0;
            foreach ($pieces as $piece) $size += strlen($piece);
            return [$first, $before, $size, attempt(fn () => $response->body())];
        """, url=server.url)
        assert (first, size) == ("first", 5 + 1600 * len(piece))
        assert before < 16 << 20, "what nobody has asked for was received"
        assert again["error"] == "LogicException"


def test_what_is_not_read_to_its_end_closes_the_connection(place):
    def talk(stream, *_):
        stream.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        while stream.read(1):  # the end of it, or a further request
            raise AssertionError("a broken-off connection was used again")
        raise ConnectionError

    with RawServer(talk) as server:
        answers = run_php(place, """
            $client = new Client();
            $client->get($url);
            $response = $client->get($url);
            $response->close();
            return [$response->status, attempt(fn () => $response->body())];
        """, url=server.url)
        assert answers[0] == 200 and answers[1]["error"] == "LogicException"
        wait_until(lambda: server.ended == 2 and server.connections == 2, "both connections are closed")


# --- what fails ---


@pytest.mark.parametrize("options, expected, message", [
    ("timeout: 0.1", "TimeoutException", "(timeout"),
    ("idleTimeout: 0.1", "TimeoutException", "(idleTimeout)"),
])
def test_a_server_that_stalls(place, options, expected, message):
    for stalls in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nxx"):
        release = threading.Event()

        def talk(stream, *_):
            stream.write(stalls)
            release.wait(DEADLINE_S)

        with RawServer(talk) as server:
            answer = run_php(place, f"return attempt(fn () => (new Client({options}))->get($url)->body());", url=server.url)
            release.set()
        assert answer["error"] == f"Sluice\\Http\\{expected}" and message in answer["message"] and server.url in answer["message"]


def test_nobody_listens(place):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    answers = run_php(place, """
        $client = new Client(connectTimeout: 5);
        return [attempt(fn () => $client->get("http://127.0.0.1:$port/")), attempt(fn () => $client->get('http://no-such-host.invalid/'))];
    """, port=port)
    assert [answer["error"] for answer in answers] == ["Sluice\\Http\\ConnectException"] * 2


@pytest.mark.parametrize("answer", [
    b"SSH-2.0-OpenSSH\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\nbad field\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"HTTP/1.1 200 OK\r\n",
])
def test_what_is_no_http(place, answer):
    with RawServer(lambda stream, *_: stream.write(answer) and False) as server:
        said = run_php(place, "return attempt(fn () => (new Client())->get($url)->body());", url=server.url)
        assert said.get("error") == "Sluice\\Http\\ProtocolException", said


def test_too_large(place):
    def talk(stream, line, *_):
        if "/gzip" in line:
            return say(stream, gzip.compress(b"0" * 100_000), fields=["Content-Encoding: gzip"])
        if "/head" in line:
            return stream.write(b"HTTP/1.1 200 OK\r\n" + b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 10_000 + b"\r\n") and False
        return say(stream, b"0" * 1001)

    with RawServer(talk) as server:
        answers = run_php(place, """
            $client = new Client(maxResponseBytes: 1000);
            return [attempt(fn () => $client->get($url)->body()), attempt(fn () => $client->get("$url/gzip")->body()),
                attempt(fn () => strlen($client->request('GET', $url, maxResponseBytes: 1001)->body())),
                attempt(fn () => iterator_count($client->get($url)->pieces())), attempt(fn () => $client->get("$url/head"))];
        """, url=server.url)
    assert [answer.get("error") for answer in answers] == [
        "Sluice\\Http\\TooLargeException", "Sluice\\Http\\TooLargeException", None, "Sluice\\Http\\TooLargeException",
        answers[4]["error"]], answers
    assert answers[4]["error"] in ("Sluice\\Http\\TooLargeException", "Sluice\\Http\\ProtocolException")
    assert "maxResponseBytes" in answers[0]["message"]


def test_a_body_that_fails_is_never_complete(place):
    got = []

    def talk(stream, line, fields, number):
        try:
            got.append(read_body(stream, fields))
        except ConnectionError:
            got.append("broken off")
        return say(stream)

    with RawServer(talk) as server:
        answer = run_php(place, """
            return attempt(fn () => (new Client())->post($url, (function () { yield 'one'; throw new DomainException('no more'); })()));
        """, url=server.url)
        assert answer == {"error": "DomainException", "message": "no more"}
        wait_until(lambda: got, "the server has seen it")
        assert got == ["broken off"]


def test_what_must_not_be_sent(place):
    cases = ["'GET', 'ftp://host/'", "'GET', '/path'", "'GET', 'http:///'", "'GET', \"http://127.0.0.1/a b\"", "'G T', $url", "'', $url",
             "'GET', $url, ['A B' => 'x']", "'GET', $url, ['A' => \"x\\r\\nB: y\"]", "'GET', $url, ['A' => \"\\0\"]",
             "'POST', $url, ['Content-Length' => '5'], 'x'", "'POST', $url, ['transfer-encoding' => 'chunked'], 'x'",
             "'GET', $url, timeout: 0.0", "'GET', $url, maxResponseBytes: -1"]
    with RawServer(echo) as server:
        calls = ", ".join(f"attempt(fn () => $client->request({case}))" for case in cases)
        answers = run_php(place, f"$client = new Client(); return [{calls}, attempt(fn () => $client->post($url, 5))];", url=server.url)
        assert [answer.get("error") for answer in answers] == ["ValueError"] * len(cases) + ["TypeError"], answers
        assert server.requests == []


def test_options_are_checked():
    cases = ["connectTimeout: 0", "timeout: -1", "idleTimeout: NAN", "maxResponseBytes: -1", "redirects: 51", "keepAlive: -1",
             "keepAliveTime: 0.5", "proxy: 'ftp://x:1'", "caFile: '/no/such/file'", "headers: ['A' => \"\\n\"]"]
    answers = run_php("plain", f"return [{', '.join(f'attempt(fn () => new Client({case}))' for case in cases)}];")
    assert [answer.get("error") for answer in answers] == ["ValueError"] * len(cases), answers


# --- redirects, proxy, TLS ---


def test_redirects_are_followed_only_when_that_is_wanted(place):
    with RawServer(echo) as other:
        def talk(stream, line, fields, number):
            read_body(stream, fields)
            path = line.split()[1]
            if path == "/away":
                return say(stream, b"moved", "302 Found", [f"Location: {other.url}/there"])
            if path == "/file":
                return say(stream, b"moved", "302 Found", ["Location: file:///etc/passwd"])
            return say(stream, b"moved", "302 Found", ["Location: /again"])

        with RawServer(talk) as server:
            answers = run_php(place, """
                $follows = new Client(redirects: 3);
                $response = (new Client())->get("$url/away");
                return [[$response->status, $response->body(), $response->header('location')],
                    $follows->request('POST', "$url/away", ['Authorization' => 'secret', 'X-A' => 'a'], 'body')->json(),
                    attempt(fn () => $follows->get("$url/loop")->status),
                    attempt(fn () => $follows->get("$url/file")->status)];
            """, url=server.url)
    assert answers[0] == [302, "moved", f"{other.url}/there"]
    assert answers[1]["line"] == "GET /there HTTP/1.1" and answers[1]["body"] == ""
    assert answers[1]["fields"].get("x-a") == "a" and "authorization" not in answers[1]["fields"]
    assert [answer["error"] for answer in answers[2:]] == ["Sluice\\Http\\ProtocolException"] * 2


def test_a_proxy_is_used_only_when_it_is_given(place, monkeypatch):
    with RawServer(lambda stream, *_: say(stream, b"by proxy")) as proxy, RawServer(lambda stream, *_: say(stream, b"direct")) as server:
        monkeypatch.setenv("http_proxy", proxy.url)
        answers = run_php(place, """
            return [(new Client())->get($url)->body(), (new Client(proxy: $proxy))->get($url)->body()];
        """, url=server.url, proxy=proxy.url)
        assert answers == ["direct", "by proxy"]
        assert proxy.requests[0][0] == f"GET {server.url}/ HTTP/1.1"


def test_certificates_are_verified(place, tmp_path):
    certificates = Certificates(tmp_path)
    certificates.make("good", "localhost", "127.0.0.1")
    certificates.make("bad", "elsewhere.example")

    def context(name):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificates.path(f"{name}.pem"), certificates.path(f"{name}.key"))
        return made

    with RawServer(echo, context("good")) as server, RawServer(echo, context("bad")) as other:
        answers = run_php(place, """
            $trusts = new Client(caFile: $ca);
            return [attempt(fn () => (new Client())->get($url)->status), attempt(fn () => $trusts->get($url)->status),
                attempt(fn () => $trusts->get($other)->status), attempt(fn () => (new Client(verify: false))->get($other)->status)];
        """, url=server.url, other=other.url, ca=certificates.path("ca.pem"))
    assert [answer.get("error") for answer in answers] == ["Sluice\\Http\\TlsException", None, "Sluice\\Http\\TlsException", None], answers


# --- in a server ---


def test_one_worker_asks_for_many_requests_at_once(mode, capsys):
    release = threading.Barrier(20, timeout=DEADLINE_S)

    def talk(stream, line, fields, number):
        release.wait()
        return say(stream, line.split()[1].encode())

    with RawServer(talk) as slow, Server("gateway.php", mode, env={"BEHIND": slow.url}) as server:
        connections = [HttpConnection(server.address) for _ in range(20)]
        for number, connection in enumerate(connections):
            connection.send(format_request(f"/{number}"))
        assert [connection.read().text for connection in connections] == [f"/{number}" for number in range(20)]


def test_a_cancelled_request_leaves_no_connection(mode, capsys):
    asked = threading.Event()

    def talk(stream, *_):
        asked.set()
        stream.read(1)
        raise ConnectionError

    with RawServer(talk) as slow, Server("gateway.php", mode, env={"BEHIND": slow.url}) as server:
        answer = get(server, "/cut")
        assert (answer.status, answer.text) == (504, "Sluice\\Coroutine\\TimeoutException")
        wait_until(lambda: slow.ended == 1, "the connection behind is closed")


def test_without_curl():
    # -n leaves all of php.ini out, and with it the shared extensions.
    extension = os.environ.get("SLUICE_EXTENSION")
    if os.environ.get("SLUICE_FLAVOUR") == "asan" or not extension:
        pytest.skip("needs SLUICE_EXTENSION, and PHP without the sanitiser's wrapper")
    code = "try { new Sluice\\Http\\Client(); } catch (Exception $e) { echo get_class($e), ': ', $e->getMessage(); }"
    done = subprocess.run(["php", "-n", "-d", f"extension={extension}", "-r", code], capture_output=True, text=True, check=False)
    assert done.stdout == ("Sluice\\Http\\ConnectException: Sluice\\Http\\Client needs PHP's extension curl, which is not loaded: install the "
                           "package php-curl")
