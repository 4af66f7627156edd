"""Each example runs and does what its first lines say; README names all of them."""

import hashlib
import json
import os
import socket
import urllib.parse

import pytest
import websockets.exceptions

from browser import Browser, require_browser
from harness import ROOT, Server, wait_until
from http_client import HttpConnection, format_request, get
from websocket_client import asynchronous, connect

EXAMPLES = ROOT / "examples"


@pytest.fixture
def run(capsys):
    """Starts an example on ports of its own, as `make run SCRIPT=` does with its default ones."""
    servers = []

    def start(script, ports=1, **env):
        server = Server(EXAMPLES / script, announces=False, ports=ports, env={key: str(value) for key, value in env.items()})
        server.arguments = [f"127.0.0.1:{port}" for port in server.ports]
        servers.append(server.__enter__())
        return server

    yield start
    for server in reversed(servers):
        server.__exit__(None, None, None)


def ask(server, target, method="GET", headers=(), body=None):
    with HttpConnection(server.address) as connection:
        return connection.request(target, method=method, headers=headers, body=body)


def post_form(server, target, **fields):
    return ask(server, target, "POST", {"Content-Type": "application/x-www-form-urlencoded"}, urllib.parse.urlencode(fields).encode())


def test_json_api(run, tmp_path):
    server = run("json-api.php", NOTES_FILE=tmp_path / "notes.sqlite")
    assert ask(server, "/notes").json() == []
    made = ask(server, "/notes", "POST", body=json.dumps({"text": "buy tea"}).encode())
    assert (made.status, made.header("location"), made.json()) == (201, "/notes/1", {"id": 1, "text": "buy tea"})
    assert ask(server, "/notes/1").json() == {"id": 1, "text": "buy tea"}
    for body in (b"{", b"[]", b'{"text": 1}'):
        assert ask(server, "/notes", "POST", body=body).status == 400
    assert ask(server, "/notes/1", "DELETE").status == 204
    assert ask(server, "/notes/1").status == 404
    refused = ask(server, "/notes", "PUT", body=b"{}")
    assert (refused.status, refused.header("allow")) == (405, "GET, HEAD, POST, OPTIONS")
    assert ask(server, "/notes/1x").status == 400
    assert ask(server, "/other").status == 404


def test_json_api_at_once(run, tmp_path):
    server = run("json-api.php", NOTES_FILE=tmp_path / "notes.sqlite")
    connections = [HttpConnection(server.address) for _ in range(20)]
    for number, connection in enumerate(connections):
        connection.send(format_request("/notes", method="POST", body=json.dumps({"text": f"note {number}"}).encode()))
    assert {connection.read().status for connection in connections} == {201}
    assert len(ask(server, "/notes").json()) == 20


def test_uploads(run, tmp_path):
    server = run("uploads.php", UPLOADS_FOLDER=tmp_path)
    assert "EventSource" in ask(server, "/").text
    data = os.urandom(1 << 20)
    with HttpConnection(server.address) as upload, HttpConnection(server.address) as watch:
        upload.send(f"PUT /upload?id=mine HTTP/1.1\r\nHost: test.example\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data[:300_000])
        wait_until(lambda: get(server, "/progress?id=mine", method="HEAD").status == 200, "the upload is known")
        watch.send(format_request("/progress?id=mine"))
        assert ("content-type", "text/event-stream") in watch.read_head()[3]
        watch.take_until(b'"received":300000')
        upload.send(data[300_000:])
        response = upload.read()
        assert (response.status, response.json()) == (201, {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        watch.take_until(b"event: end")
    assert (tmp_path / "sluice-upload-mine").read_bytes() == data
    assert ask(server, "/upload?id=../x", "PUT", body=b"x").status == 400
    assert ask(server, "/progress?id=none").status == 404


def test_events(run):
    server = run("events.php")
    assert "EventSource" in ask(server, "/").text
    with HttpConnection(server.address) as connection:
        connection.send(format_request("/events?every=0.01", headers={"Last-Event-ID": "41"}))
        assert ("content-type", "text/event-stream") in connection.read_head()[3]
        seen = connection.take_until(b"id: 44")
    assert b"event: number\nid: 42" in seen and b"42 squared is 1764" in seen


def test_tcp_lines(run):
    server = run("tcp-lines.php")
    with socket.create_connection(("127.0.0.1", server.ports[0]), timeout=10) as one:
        stream = one.makefile("rwb")
        assert stream.readline().startswith(b"HELLO 127.0.0.1:")
        for line, answer in [("SET a x y", "OK"), ("get a", "VALUE x y"), ("GET b", "NONE"), ("COUNT", "COUNT 1"), ("what", "ERROR use SET"), ("QUIT\r", "BYE")]:
            stream.write(f"{line}\n".encode())
            stream.flush()
            assert stream.readline().decode().startswith(answer), line
        assert stream.read() == b""


def test_udp_counters(run):
    server = run("udp-counters.php")
    assert ask(server, "/").json() == {}  # there is a worker: until then datagrams are dropped
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.settimeout(10)
        for datagram in (b"page.views:3", b"page.views:-1\n", b"other:1"):
            peer.sendto(datagram, ("127.0.0.1", server.ports[0]))
            assert peer.recv(100) == b"ok"
        peer.sendto(b"no counter", ("127.0.0.1", server.ports[0]))
    assert ask(server, "/").json() == {"other": 1, "page.views": 2}


def test_fan_out(run):
    server = run("fan-out.php", ports=2)
    too_late = {"unavailable": r"Sluice\Http\TimeoutException"}

    def all_but_the_late_one_answer():
        page = ask(server, "/").json()
        assert 200 <= page.pop("milliseconds") < 5000 and page["late"] == too_late
        # On a busy machine others may be late, too.
        return page == {"weather": {"from": "weather"}, "news": {"from": "news"}, "prices": {"from": "prices"},
                        "broken": {"unavailable": "JsonException"}, "late": too_late}

    wait_until(all_but_the_late_one_answer, "all but one answer in time")


def test_jobs(run):
    server = run("jobs.php")
    slow = [post_form(server, "/jobs", seconds="0.3") for _ in range(4)]
    assert [(answer.status, answer.header("location")) for answer in slow] == [(202, f"/jobs/{number}") for number in range(1, 5)]
    wait_until(lambda: ask(server, "/jobs/3").json()["state"] != "queued", "three run")
    wait_until(lambda: ask(server, "/jobs/4").json()["state"] == "done", "the fourth is done")
    assert ask(server, "/jobs/1").json() == {"id": 1, "seconds": 0.3, "state": "done", "result": "slept for 0.3 s"}
    assert post_form(server, "/jobs", seconds="x").status == 400
    assert ask(server, "/jobs/9").status == ask(server, "/").status == 404


def test_a_job_that_runs_is_completed_before_the_end(run):
    server = run("jobs.php")
    post_form(server, "/jobs", seconds="0.5")
    wait_until(lambda: ask(server, "/jobs/1").json()["state"] == "running", "it runs")
    server.process.terminate()
    assert server.process.wait(timeout=30) == 0


def log_in(server, name, password="tea"):
    answer = post_form(server, "/login", name=name, password=password)
    return answer, (answer.header("set-cookie") or "").split(";")[0]


@asynchronous
async def test_presence(run):
    server = run("presence.php")
    assert "/login" in ask(server, "/").text
    assert log_in(server, "eve", "coffee")[0].status == 403
    with pytest.raises(websockets.exceptions.InvalidStatusCode) as refused:
        async with connect(server, "/chat"):
            pass
    assert refused.value.status_code == 401
    cookies = {}
    for name in ("adam", "eve"):
        answer, cookies[name] = log_in(server, name)
        assert answer.status == 303 and "HttpOnly" in answer.header("set-cookie")
    forged = cookies["eve"].replace("eve", "adam")
    with pytest.raises(websockets.exceptions.InvalidStatusCode):
        async with connect(server, "/chat", extra_headers={"Cookie": forged}):
            pass
    async with connect(server, "/chat", extra_headers={"Cookie": cookies["adam"]}) as adam:
        assert json.loads(await adam.recv()) == {"type": "welcome", "name": "adam"}
        assert json.loads(await adam.recv()) == {"type": "present", "names": ["adam"]}
        async with connect(server, "/chat", extra_headers={"Cookie": cookies["eve"]}) as eve:
            assert json.loads(await eve.recv()) == {"type": "welcome", "name": "eve"}
            assert json.loads(await eve.recv()) == json.loads(await adam.recv()) == {"type": "present", "names": ["adam", "eve"]}
            await eve.send("hello")
            assert json.loads(await adam.recv()) == {"type": "said", "name": "eve", "text": "hello"}
        assert json.loads(await adam.recv()) == {"type": "present", "names": ["adam"]}


# --- in a browser ---


@pytest.fixture
def browsers():
    require_browser()


def test_page_of_presence(run, browsers):
    server = run("presence.php")

    def enter(browser, name):
        browser.driver.get(server.url)
        wait_until(lambda: browser.find("#login").is_displayed(), "the page asks who it is")
        browser.find("[name=name]").send_keys(name)
        browser.find("[name=password]").send_keys("tea\n")
        wait_until(lambda: browser.all("#me") == [name], f"{name} is logged in")

    with Browser() as adam, Browser() as eve:
        enter(adam, "adam")
        enter(eve, "eve")
        wait_until(lambda: adam.all("#present li") == ["adam", "eve"], "adam sees both")
        eve.find("#text").send_keys("Is <b>tea</b> ready?\n")
        wait_until(lambda: adam.all("#said li") == ["eveIs <b>tea</b> ready?"], "adam reads eve")
        adam.save_screenshot("presence-adam")
        eve.find("aside button").click()
        wait_until(lambda: adam.all("#present li") == ["adam"], "adam is alone")
        adam.assert_no_errors(allowed=["WebSocket connection to"])  # before anybody has logged in


def test_page_of_uploads(run, browsers, tmp_path):
    server = run("uploads.php", UPLOADS_FOLDER=tmp_path)
    data = os.urandom(3 << 20)
    (tmp_path / "file.bin").write_bytes(data)
    with Browser() as browser:
        browser.driver.get(server.url)
        browser.find("#file").send_keys(str(tmp_path / "file.bin"))
        wait_until(lambda: browser.all("#result code") == [hashlib.sha256(data).hexdigest()], "the file has arrived")
        assert browser.find("#sent").get_property("value") == browser.find("#sent").get_property("max")
        browser.save_screenshot("uploads")
        browser.assert_no_errors(allowed=["/progress"])  # a small file may have gone before anybody asks


def test_page_of_events(run, browsers):
    server = run("events.php")
    with Browser() as browser:
        browser.driver.get(server.url)
        wait_until(lambda: len(browser.all("#list li")) >= 2, "two numbers have come")
        browser.save_screenshot("events")
        assert browser.all("#list li")[1].endswith("2 squared is 4")
        browser.assert_no_errors()


def test_readme_names_every_example():
    readme = (ROOT / "README.md").read_text()
    scripts = sorted(path.name for path in EXAMPLES.glob("*.php"))
    assert len(scripts) >= 10
    for script in scripts:
        assert f"examples/{script}" in readme, script
        assert script == "chat.php" or f"make run SCRIPT=examples/{script}" in readme + (EXAMPLES / script).read_text()
