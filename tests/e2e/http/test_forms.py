"""Forms and uploads, urlencoded and multipart."""

import hashlib
import json
import os
import subprocess

import pytest

from http_client import ClosedEarly, HttpConnection, format_request

SERVER = dict(script="forms.php", workers=1, reactors=1)


@pytest.fixture
def connection(server):
    with HttpConnection(server.address) as connection:
        yield connection


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def multipart(*parts, boundary="b0undary"):
    """Each part: name, bytes, and for a file its name and type."""
    body = b""
    for name, data, *file in parts:
        body += f"--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"".encode()
        if file:
            body += f"; filename=\"{file[0]}\"\r\nContent-Type: {file[1]}".encode()
        body += b"\r\n\r\n" + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


def post(connection, target, body, content_type="multipart/form-data; boundary=b0undary"):
    return connection.request(target, method="POST", headers={"Content-Type": content_type}, body=body)


URLENCODED = "application/x-www-form-urlencoded"


def test_urlencoded_form(connection):
    seen = post(connection, "/form", b"a=1&a=2+x&b[]=3&b[k][]=%C3%BC&c.d=%26&e", URLENCODED + "; charset=utf-8").json()
    assert seen["all"] == {"a": "2 x", "b": {"0": "3", "k": ["ü"]}, "c_d": "&", "e": ""}
    assert (seen["a"], seen["missing"], seen["none"]) == ("2 x", "fallback", None)
    assert seen["files"] == []


@pytest.mark.parametrize("size", [0, 5000, 100_000, 7 << 20])
def test_an_upload_as_a_file_of_its_own(connection, server, size):
    data = os.urandom(size)
    body = multipart(("a", b"1"), ("up", data, "a.bin", "image/png"), ("b", b"2"))
    assert post(connection, "/path", body).json() == {"sha256": sha256(data), "size": size}
    seen = server.wait_event("path")
    assert (seen["mode"], seen["again"]) == (0o600, True)
    assert connection.request("/form").status == 200
    assert not os.path.exists(seen["path"])


def test_an_uploads_file_may_be_renamed(connection, tmp_path):
    target = tmp_path / "kept"
    response = post(connection, f"/kept-path?to={target}", multipart(("up", b"data", "a.bin", "image/png")))
    assert (response.text, target.read_bytes()) == ("renamed", b"data")


def test_other_bodies_are_no_forms(connection):
    assert post(connection, "/form", b"a=1", "text/plain").json()["all"] == []
    assert connection.request("/form").json()["all"] == []


@pytest.mark.parametrize("size", [0, 1, 100, 8191, 8192, 100_000, 7 << 20])
def test_multipart_of_any_size(connection, size):
    data = os.urandom(size)
    body = multipart(("a", b"1"), ("up", data, "a \\\"b\\\".bin", "image/png"), ("list[]", b"x"), ("list[]", b"y"),
                     ("docs[]", b"one", "C:\\dir\\1.txt", "text/plain"), ("docs[]", b"two", "../../2.txt", "text/plain"),
                     ("empty", b"", "", "application/octet-stream"))
    seen = post(connection, "/form", body).json()
    assert seen["all"] == {"a": "1", "list": ["x", "y"]}
    assert seen["files"]["up"] == {"name": 'a "b".bin', "type": "image/png", "size": size, "sha256": sha256(data)}
    assert [file["name"] for file in seen["files"]["docs"]] == ["1.txt", "2.txt"]
    assert [file["sha256"] for file in seen["files"]["docs"]] == [sha256(b"one"), sha256(b"two")]
    assert sorted(seen["files"]) == ["docs", "up"]


def test_chunked_multipart(connection):
    body = multipart(("up", b"\r\n--b0undar" * 2000, "f", "a/b"))
    connection.send(b"POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b0undary\r\n"
                    b"Transfer-Encoding: chunked\r\n\r\n")
    for begin in range(0, len(body), 777):
        piece = body[begin:begin + 777]
        connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    connection.send(b"0\r\n\r\n")
    assert connection.read().json()["files"]["up"]["sha256"] == sha256(b"\r\n--b0undar" * 2000)


def test_curl_uploads(server, tmp_path):
    data = os.urandom(300_000)
    (tmp_path / "photo.jpg").write_bytes(data)
    (tmp_path / "note.txt").write_text("hello")
    answer = subprocess.run(
        ["curl", "-sS", "-F", "a=b c&d", "-F", f"photo=@{tmp_path}/photo.jpg", "-F",
         f"notes[]=@{tmp_path}/note.txt;filename=q\"uote.txt", f"http://127.0.0.1:{server.ports[0]}/form"],
        check=True, capture_output=True, text=True, timeout=60)
    seen = json.loads(answer.stdout)
    assert seen["a"] == "b c&d"
    assert seen["files"]["photo"] == {"name": "photo.jpg", "type": "image/jpeg", "size": len(data), "sha256": sha256(data)}
    assert seen["files"]["notes"][0]["sha256"] == sha256(b"hello")


def test_stream(connection):
    data = os.urandom(50_000) + b"end"
    seen = post(connection, "/stream", multipart(("a", b"1"), ("up", b"beg" + data, "f", "a/b"))).json()
    assert seen == {"sha256": sha256(b"beg" + data), "eof": True, "seek": [0, -1], "tail": "end", "head": "beg",
                    "size": len(data) + 3, "write": False}


def test_move_to(connection, tmp_path):
    data = os.urandom(50_000)
    body = multipart(("up", data, "f", "a/b"))
    target = tmp_path / "moved"
    target.write_text("older and " + "longer" * 20_000)
    assert post(connection, f"/move?to={target}", body).text == sha256(data)
    assert target.read_bytes() == data
    answer = post(connection, f"/move?to={tmp_path}/none/moved", body)
    assert (answer.status, answer.text) == (422, f'The uploaded file could not be written to "{tmp_path}/none/moved"')


def test_files_outlive_their_request(connection):
    first, second = os.urandom(200_000), os.urandom(100)
    for data in (first, second):
        post(connection, "/keep", multipart(("up", data, "f", "a/b")))
    for _ in range(20):
        post(connection, "/form", multipart(("up", os.urandom(200_000), "f", "a/b")))
    kept = connection.request("/kept").json()
    assert [file["sha256"] for file in kept] == [sha256(first), sha256(second)]
    assert connection.request("/forget").text == "gone"


MALFORMED = {
    "no boundary": (b"--b--", "multipart/form-data"),
    "truncated": (multipart(("a", b"1"))[:-6], None),
    "no name": (b"--b0undary\r\nContent-Disposition: form-data\r\n\r\n\r\n--b0undary--", None),
    "empty": (b"", None),
    "too many parts": (multipart(*[("a", b"1")] * 21), None),
    "long part head": (multipart(("a" * 500, b"1")), None),
    "too many fields": (b"&".join([b"a=1"] * 21), URLENCODED),
}


@pytest.mark.parametrize("body,content_type", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_forms_are_answered_with_400(server, connection, body, content_type):
    content_type = content_type or "multipart/form-data; boundary=b0undary"
    answer = post(connection, "/form", body, content_type)
    assert answer.status == 400
    assert answer.text.startswith("400 Bad Request: the ") or answer.text.startswith("400 Bad Request: a part of the form ")
    caught = post(connection, "/caught", body, content_type)
    assert (caught.status, f"400 Bad Request: {caught.text}\n") == (422, answer.text)


def test_limits_are_met_exactly(connection):
    assert post(connection, "/form", multipart(*[("a[]", b"1")] * 20)).json()["all"] == {"a": ["1"] * 20}
    assert post(connection, "/form", b"&".join([b"a=1"] * 20), URLENCODED).status == 200


def test_a_handlers_own_bad_request(server, connection):
    answer = connection.request("/thrown")
    assert (answer.status, answer.text) == (400, '400 Bad Request: a number is wanted for "page"\n')
    assert "a number is wanted" not in server.output()


def test_a_late_bad_request_closes(connection):
    connection.send(format_request("/thrown-late"))
    with pytest.raises(ClosedEarly):
        connection.read()
