"""Routes: which handler a request goes to, by its method and path."""

import json
import random
import re
import signal
import threading
import types

import pytest

from harness import Process, Server, wait_until
from http2_client import Http2Connection
from http_client import HttpConnection, format_request, get
from websocket_client import asynchronous, connect

RELEASE = {"release": "one", "GET": ["/old", "/both", "/{id}/changing"], "POST": ["/both"]}


@pytest.fixture
def routes(tmp_path):
    path = tmp_path / "routes.json"
    path.write_text(json.dumps(RELEASE))
    return path


@pytest.fixture
def server(mode, routes):
    with Server("routes.php", mode, workers=2, ports=2, env={"ROUTES": str(routes)}) as server:
        yield server


@pytest.fixture
def strict(server):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        yield connection


def told(response):
    assert response.status == 200, response
    return response.json()


@pytest.mark.parametrize("method, target, route, parameters", [
    ("GET", "/users/7", "/users/{id}", {"id": "7"}),
    ("GET", "/users/me", "/users/me", []),
    ("GET", "/users/me?id=7", "/users/me", []),
    ("GET", "/users/m%65", "/users/me", []),
    ("PUT", "/users/me", "/users/{id}", {"id": "me"}),
    ("PATCH", "/users/a%2Fb%20%C3%BC+", "/users/{id}", {"id": "a/b ü+"}),
    ("DELETE", "/users/%252F", "/users/{id}", {"id": "%2F"}),
    ("POST", "/users", "/users", []),
    ("GET", "/files/a/b%20c//", "/files/{path...}", {"path": "a/b c//"}),
    ("GET", "/files/", "/files/{path...}", {"path": ""}),
    ("GET", "/any/1", "/any/{what}", {"what": "1"}),
    ("PURGE", "/any/1", "/any/{what}", {"what": "1"}),
    ("OPTIONS", "/any/1", "/any/{what}", {"what": "1"}),
    ("OPTIONS", "/cors", "/cors", []),
])
def test_a_route_gets_what_its_pattern_matches(strict, method, target, route, parameters):
    seen = told(strict.request(target, method=method))
    assert (seen["method"], seen["route"], seen["parameters"]) == (method, route, parameters)


@pytest.mark.parametrize("target", ["/", "/nothing", "/users/", "/users/7/", "/USERS/7", "/users%2F7", "/users/..", "/users/%2e",
                                    "/files", "/files/../x", "/files/a%2f..%2fb", "/plain"])
def test_what_no_route_matches_is_404_without_a_handler(strict, target):
    for method, body in (("GET", None), ("POST", b"x" * 100)):
        response = strict.request(target, method=method, body=body)
        assert (response.status, response.text) == (404, "404 Not Found: this site has no such path\n")
        assert response.header("allow") is None
    assert told(strict.request("/users/7"))["route"] == "/users/{id}", "the connection goes on"


def test_another_method_is_405_with_allow(strict):
    response = strict.request("/users/7", method="POST", body=b"x" * 1000)
    assert (response.status, response.header("allow")) == (405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
    assert response.text == "405 Method Not Allowed: this path takes GET, HEAD, PUT, PATCH, DELETE, OPTIONS\n"
    assert strict.request("/users", method="get").header("allow") == "POST, OPTIONS"
    assert strict.request("/cors", method="DELETE").header("allow") == "GET, HEAD, OPTIONS"


def test_options_are_answered_with_allow(strict):
    for target, allow in (("/users/7", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"), ("/users", "POST, OPTIONS")):
        response = strict.request(target, method="OPTIONS")
        assert (response.status, response.header("allow"), response.body) == (204, allow, b"")
    response = strict.request("*", method="OPTIONS")
    assert (response.status, response.header("allow")) == (204, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    assert strict.request("/nothing", method="OPTIONS").status == 404


def test_head_is_answered_as_get_without_a_body(strict):
    whole = strict.request("/users/7")
    head = strict.request("/users/7", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.header("content-length") == str(len(whole.body) + 1), "HEAD is a letter longer"
    for target, status in (("/nothing", 404), ("/users", 405)):
        response = strict.request(target, method="HEAD")
        assert (response.status, response.body) == (status, b"")
        assert int(response.header("content-length")) > 10
    assert told(strict.request("/users/7"))["route"] == "/users/{id}"


def test_the_handler_gets_the_rest(server):
    with HttpConnection(server.address) as connection:
        seen = told(connection.request("/elsewhere", method="PUT", body=b"abc"))
        assert (seen["route"], seen["parameters"], seen["body"]) == (None, [], 3)
        assert told(connection.request("/old"))["route"] == "/old"
        assert connection.request("/old", method="PUT").status == 405, "the path is the routes'"
        assert told(connection.request("*", method="OPTIONS"))["route"] is None


def test_a_body_that_nobody_wants(server):
    address = ("127.0.0.1", server.ports[1])
    with HttpConnection(address) as connection:
        # The body comes later than the answer, and is still read.
        connection.send(b"POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
        assert connection.read().status == 404
        connection.send(b"hello" + format_request("/users/7"))
        assert told(connection.read())["route"] == "/users/{id}"
        connection.send(b"PUT /users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        assert connection.read().status == 405
        connection.send(b"3\r\nabc\r\n0\r\n\r\n" + format_request("/users/8"))
        assert told(connection.read())["parameters"] == {"id": "8"}
    for head in (b"Content-Length: 1000000", b"Content-Length: 5\r\nExpect: 100-continue"):
        with HttpConnection(address) as connection:
            connection.send(b"POST /nothing HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n")
            response = connection.read()
            assert (response.status, response.header("connection")) == (404, "close")
            assert connection.at_end()


def test_routes_over_http2(server):
    with Http2Connection(("127.0.0.1", server.ports[1])) as connection:
        assert json.loads(connection.request("/users/a%2Fb").text)["parameters"] == {"id": "a/b"}
        assert connection.request("/nothing").status == 404
        refused = connection.request("/users/7", "POST", body=b"x" * 100)
        assert (refused.status, refused.header("allow")) == (405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        assert connection.request("/users", "OPTIONS").status == 204
        late = connection.begin("/nothing", "POST", ended=False)
        assert connection.response(late).status == 404
        assert json.loads(connection.request("/users/7").text)["route"] == "/users/{id}"


def test_hooks_know_the_route(server, strict):
    told(strict.request("/users/7"))
    assert server.wait_event("request", path="/users/7")["route"] == "/users/{id}"


def test_a_parameter_that_the_route_has_not(server, strict):
    assert strict.request("/unknown").status == 500
    wait_until(lambda: 'must be a parameter of the route "/unknown", "id" given' in server.output(), "the log says why")


def test_log_lines_name_the_route(server, strict):
    assert strict.request("/users/7/broken").status == 500
    wait_until(lambda: re.search(r"an HTTP handler, GET /users/7/broken by /users/\{id\}/broken, request 1 of 127\.0\.0\.1:\d+: ", server.output()),
               "the log names it")


@asynchronous
async def test_websockets_know_their_parameters(server):
    url = f"ws://127.0.0.1:{server.ports[1]}"
    async with connect(types.SimpleNamespace(ws_url=url), "/rooms/a%2Fb/7") as socket:
        assert json.loads(await socket.recv()) == {"opened": {"room": "a/b", "seat": "7"}, "route": "/rooms/{room}/{seat}"}
        await socket.send("?")
        room, parameters, _ = json.loads(await socket.recv())
        assert (room, parameters) == ("a/b", {"room": "a/b", "seat": "7"})
    assert server.wait_event("closed")["room"] == "a/b"
    async with connect(types.SimpleNamespace(ws_url=url), "/plain") as socket:
        await socket.send("?")
        assert "must be a parameter of the route, which has none" in await socket.recv()


@pytest.mark.parametrize("path, status", [("/rooms/closed/1", 403), ("/rooms/a", 404), ("/rooms/a/", 404), (f"/rooms/a/{'b' * 300}", 414)])
def test_websocket_handshakes_at_other_paths(server, path, status):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        assert connection.request(path, headers=fields).status == status


def reload(server, routes, **changed):
    routes.write_text(json.dumps(changed))
    generation = max(event["generation"] for event in server.events("start"))
    old = server.worker_pids()
    server.signal(signal.SIGHUP)
    wait_until(lambda: "generation %u has taken over" % (generation + 1) in server.output(), "the reload is done")
    # The master says so before the reactor has heard of it, or in base mode the old workers, which accept clients until then.
    if server.mode == "base":
        wait_until(lambda: not any(Process(pid).is_alive() for pid in old), "the old workers have ended")
    wait_until(lambda: all(get(server, "/release").json()["release"] == changed["release"] for _ in range(5)), "new workers answer")


@pytest.mark.both_modes
def test_a_reload_changes_routes(server, routes):
    reload(server, routes, release="two", GET=["/new", "/both"], PUT=["/{name}/changing"])
    with HttpConnection(server.address) as connection:
        assert told(connection.request("/new"))["route"] == "/new"
        seen = told(connection.request("/old"))
        assert (seen["route"], seen["release"]) == (None, "two"), "the handler of the rest has it now"
        assert connection.request("/both", method="POST").status == 405
        seen = told(connection.request("/x/changing", method="PUT"))
        assert seen["parameters"] == {"name": "x"}


@pytest.mark.both_modes
def test_a_reload_changes_limits_of_routes(server, routes, strict):
    assert strict.request("/limited", method="POST", body=b"x" * 1001).status == 413
    reload(server, routes, release="two", bodyBytes=100_000)
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        assert told(connection.request("/limited", method="POST", body=b"x" * 1001))["release"] == "two"


def test_a_reload_cannot_allow_what_has_no_room(server, routes):
    """Its script has a larger arena, but that is of the next start."""
    routes.write_text(json.dumps({"release": "two", "bodyBytes": 40 << 20, "arenaBytes": 512 << 20}))
    server.signal(signal.SIGHUP)
    wait_until(lambda: "messages or bodies of 41943040 bytes in memory are allowed at" in server.output(), "the log says why")
    with HttpConnection(server.address) as connection:
        assert told(connection.request("/old"))["release"] == "one", "the server goes on as it was"


@pytest.mark.both_modes
def test_a_request_that_a_reload_overtakes_is_matched_anew(server, routes):
    """Its head has come, and its body while the routes change."""
    if server.mode == "base":
        pytest.skip("in base mode the old worker finishes what has begun")
    with HttpConnection(server.address) as stays, HttpConnection(server.address) as goes, \
            HttpConnection(("127.0.0.1", server.ports[1])) as strict:
        for connection in (stays, goes, strict):
            connection.send(b"POST /both HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel")
        told(get(server, "/old"))
        reload(server, routes, release="two", GET=["/old"])
        for connection in (goes, strict):
            connection.send(b"lo")
        seen = told(goes.read())
        assert (seen["route"], seen["release"], seen["body"]) == (None, "two", 5)
        assert strict.read().status == 404
        reload(server, routes, release="three", POST=["/both"])
        stays.send(b"lo")
        seen = told(stays.read())
        assert (seen["route"], seen["release"], seen["body"]) == ("/both", "three", 5)


@pytest.mark.both_modes
def test_a_request_that_moves_to_a_generation_without_its_route(server, routes):
    """It waits for an old worker, which dies before it has begun it, while the routes are others."""
    if server.mode == "base":
        pytest.skip("in base mode the connection dies with its worker")
    strict = ("127.0.0.1", server.ports[1])
    for worker in server.worker_pids():
        spinning = HttpConnection(strict)
        spinning.send(format_request("/spin"))
    wait_until(lambda: len(server.events("spinning")) == 2, "both workers are held")
    old = server.worker_pids()
    cases = [(server.address, "/old", "GET", 200), (strict, "/old", "GET", 404), (strict, "/both", "POST", 405), (strict, "/x/changing", "GET", 200)]
    waiting = []
    for address, target, method, _ in cases:
        waiting.append(HttpConnection(address))
        waiting[-1].send(format_request(target, method))
    get_waiting = lambda: len(server.events("request"))  # noqa: E731
    before = get_waiting()
    reload(server, routes, release="two", GET=["/both", "/x/{what}"])
    assert get_waiting() - before <= 10, "only those of the reload were begun"
    for worker in old:
        Process(worker).kill()
    for connection, (_, target, _, status) in zip(waiting, cases):
        response = connection.read()
        assert response.status == status, (target, response)
        if status == 200:
            seen = response.json()
            wanted = {"/old": (None, []), "/x/changing": ("/x/{what}", {"what": "changing"})}[target]
            assert (seen["release"], seen["route"], seen["parameters"]) == ("two", *wanted)
        if status == 405:
            assert response.header("allow") == "GET, HEAD, OPTIONS"


@pytest.mark.both_modes
def test_reloads_under_load_never_mix_routes_up(server, routes):
    """Numbers of routes come and go, in another order each time; each answer is of the handler that its release has for that path."""
    paths = [f"/p{number}" for number in range(20)]
    has = {"one": set()}
    failures, releases, ending = [], set(), threading.Event()

    def ask():
        while not ending.is_set():
            try:
                with HttpConnection(server.address) as connection:
                    for path in paths:
                        response = connection.request(path)
                        seen = told(response)
                        releases.add(seen["release"])
                        wanted = path if path in has[seen["release"]] else None
                        if (seen["route"], seen["handler"]) != (wanted, wanted):
                            failures.append((path, response.status, response.text))
                        if response.header("connection") == "close":
                            break
            except Exception as error:
                failures.append(repr(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(6):
            order = [path for path in paths if (int(path[2:]) + turn) % 3]
            random.Random(turn).shuffle(order)
            has[str(turn)] = set(order)
            reload(server, routes, release=str(turn), GET=order)
    finally:
        ending.set()
        for thread in threads:
            thread.join()
    assert not failures, failures[:3]
    assert len(releases) > 5, releases


@pytest.mark.both_modes
def test_a_dead_worker_takes_its_request_and_no_other(server):
    address = ("127.0.0.1", server.ports[1])
    with HttpConnection(address) as connection:
        connection.send(format_request("/die"))
        if server.mode == "base":
            assert connection.at_end()
        else:
            assert connection.read().status == 502
    wait_until(lambda: len(server.events("start")) >= 3, "another worker has begun")
    with HttpConnection(address) as connection:
        for number in range(10):
            assert told(connection.request(f"/users/{number}"))["parameters"] == {"id": str(number)}
