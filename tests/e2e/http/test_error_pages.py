"""What the server answers itself: HTML, problem+json or text, as the client wants it, in the site's own words or in its own."""

import json

import pytest

from browser import Browser, require_browser
from http2_client import Http2Connection
from http_client import HttpConnection

SERVER = dict(script="error_pages.php", workers=2, ports=4)
OWN, PLAIN, HTML, ROUTES = range(4)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
WEBSOCKET = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
# Everything that is answered without, or in place of, a handler: how it is asked for, its status, and what is told about it.
CASES = {
    "no worker": (("/die",), {}, 502, "the worker process died while it handled this request"),
    "too slow": (("/hurries",), {}, 504, "the request took longer than this site allows"),
    "thrown": (("/throw",), {}, 500, ""),
    "bad request": (("/bad",), {}, 400, 'this is not <what> I "want"'),
    "no answer": (("/silent",), {}, 500, ""),
    "method": (("/posts",), {}, 405, "this path takes POST, OPTIONS"),
    "body": (("/",), dict(method="POST", body=b"x" * 1001), 413, None),
    "no file": (("/files/none.txt",), {}, 404, ""),
    "handshake": (("/asks",), dict(headers=WEBSOCKET), 500, ""),
}


@pytest.fixture(autouse=True)
def connections_outlive_workers(request, mode):
    """What a dead worker leaves is answered where somebody is left to do it."""
    called = request.node.callspec.params.values()
    if mode == "base" and ("no worker" in called or "/die" in called):
        pytest.skip("in base mode the connection dies with its worker")


def ask(server, port, target, accept=None, **more):
    headers = dict(more.pop("headers", {}))
    if accept:
        headers["Accept"] = accept
    with HttpConnection(("127.0.0.1", server.ports[port])) as connection:
        return connection.request(target, headers=headers, **more)


def http_reason(status):
    return {400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large", 500: "Internal Server Error",
            502: "Bad Gateway", 504: "Gateway Timeout"}[status]


@pytest.mark.both_modes
@pytest.mark.parametrize("case", CASES)
def test_pages_of_the_server(server, case):
    target, more, status, detail = CASES[case]
    reason = http_reason(status)
    text = ask(server, PLAIN, *target, **more)
    assert (text.status, text.header("content-type"), text.header("vary")) == (status, "text/plain; charset=utf-8", "accept")
    if detail is None:
        detail = text.text.split(": ", 1)[1].rstrip("\n")
        assert "1000" in detail or "long" in detail
    assert text.text == f"{status} {reason}" + (f": {detail}" if detail else "") + "\n"

    problem = ask(server, PLAIN, *target, accept="application/json, text/plain, */*", **more)
    assert (problem.status, problem.header("content-type")) == (status, "application/problem+json")
    assert problem.json() == {"type": "about:blank", "title": reason, "status": status} | ({"detail": detail} if detail else {})

    page = ask(server, PLAIN, *target, accept=BROWSER, **more)
    assert (page.status, page.header("content-type")) == (status, "text/html; charset=utf-8")
    assert f"<title>{status} {reason}</title>" in page.text and ("<p>" in page.text) == bool(detail)
    assert "<what>" not in page.text, "it is escaped"


@pytest.mark.parametrize("case", CASES)
def test_pages_of_the_site(server, case):
    target, more, status, detail = CASES[case]
    page = ask(server, OWN, *target, accept=BROWSER, **more)
    own = "<h1>Own 404</h1>" if status == 404 else f"<h1>Own page: {http_reason(status)}</h1>"
    assert page.status == status and own in page.text
    problem = ask(server, OWN, *target, accept="application/problem+json", **more).json()
    assert problem["own"] == status and (detail is None or problem["because"] == detail)
    assert ask(server, OWN, *target, **more).header("content-type").startswith("text/plain"), "it has none of text"
    assert ask(server, HTML, *target, **more).header("content-type").startswith("text/html")
    assert ask(server, HTML, *target, accept="text/plain", **more).header("content-type").startswith("text/plain")


def test_what_a_handler_answers_is_left_alone(server):
    assert (ask(server, OWN, "/own", accept=BROWSER).text, ask(server, OWN, "/", accept=BROWSER).text) == ("my own", "hello")


def test_a_site_of_routes_alone(server):
    assert ask(server, ROUTES, "/none", accept=BROWSER).text == "<h1>Own 404</h1>"
    assert ask(server, ROUTES, "/none", accept="application/json").json() == {"own": 404, "because": "this site has no such path"}


@pytest.mark.both_modes
@pytest.mark.parametrize("target, status, more", [
    ("/apart/throws", 500, {}), ("/apart/waits", 504, {}), ("/apart", 413, dict(method="POST", body=b"x" * 11)), ("/apart/dies", 502, {}),
])
def test_pages_of_a_route(server, target, status, more):
    if server.mode == "base" and status == 502:
        pytest.skip("in base mode the connection dies with its worker")
    with HttpConnection(("127.0.0.1", server.ports[ROUTES])) as connection:
        for number in (1, 2):
            assert connection.request("/apart/fine").text == "fine"
        page = connection.request(target, headers={"Accept": BROWSER}, **more)
        assert (page.status, page.text) == (status, f"<p>Of the route: {status}, request 3")
    assert ask(server, ROUTES, target, "application/json", **more).json() == {"request": 1, "of": http_reason(status)}
    # Beside the route, and where nobody knows yet which it is, they are the site's.
    with HttpConnection(("127.0.0.1", server.ports[ROUTES])) as connection:
        assert connection.request("/apart/fine").text == "fine"
        assert connection.request("/none", headers={"Accept": BROWSER}).text == "<h1>Own 404</h1>"
        assert "Own page" in connection.request("/apart/fine", method="PUT", headers={"Accept": BROWSER}).text
    with Http2Connection(("127.0.0.1", server.ports[ROUTES])) as connection:
        response = connection.request(target, more.get("method", "GET"), [("accept", BROWSER)], body=more.get("body"))
        assert response.text == f"<p>Of the route: {status}, request 1"


def test_a_head_that_cannot_be_read_behind_a_route(server):
    with HttpConnection(("127.0.0.1", server.ports[ROUTES])) as connection:
        assert connection.request("/apart/fine").text == "fine"
        connection.send(b"GET / HTTP/1.1\r\n\r\n")
        assert "Of the route" not in connection.read().text


@pytest.mark.parametrize("changed, status", [({"Sec-WebSocket-Version": "8"}, 426), ({"Sec-WebSocket-Key": "short"}, 400)])
def test_handshakes_that_are_none(server, changed, status):
    for accept, kind in ((None, "text/plain; charset=utf-8"), (BROWSER, "text/html; charset=utf-8"), ("application/json", "application/problem+json")):
        answer = ask(server, PLAIN, "/asks", accept, headers=WEBSOCKET | changed)
        assert (answer.status, answer.header("content-type"), answer.header("sec-websocket-version")) == (status, kind, "13" if status == 426 else None)
        if status == 426:
            assert (answer.header("upgrade"), answer.all("connection")) == ("websocket", ["upgrade", "close"])
    page = ask(server, OWN, "/asks", "application/json", headers=WEBSOCKET | changed)
    assert page.json()["own"] == status


@pytest.mark.parametrize("request_bytes, status", [(b"GET / HTTP/1.1\r\nAccept: text/html\r\n\r\n", 400),
                                                   (b"GET / HTTP/1.1\r\nAccept: text/html\r\nX: " + b"x" * 5000, 431)])
@pytest.mark.parametrize("port, kind", [(OWN, "text/plain"), (HTML, "text/html")])
def test_what_cannot_be_read_says_nothing_about_pages(server, request_bytes, status, port, kind):
    with HttpConnection(("127.0.0.1", server.ports[port])) as connection:
        connection.send(request_bytes)
        response = connection.read()
        assert response.status == status and response.header("content-type").startswith(kind)
        assert response.header("connection") == "close"


@pytest.mark.both_modes
@pytest.mark.parametrize("target", ["/posts", "/throw", "/die", "/files/none.txt"])
def test_head_gets_the_head_alone(server, target):
    with HttpConnection(("127.0.0.1", server.ports[OWN])) as connection:
        response = connection.request(target, method="HEAD", headers={"Accept": BROWSER})
        assert response.status >= 400 and response.body == b"" and int(response.header("content-length")) > 10
        # Nothing of a body follows.
        assert connection.request("/").text == "hello"


@pytest.mark.parametrize("case", [case for case in CASES if case != "handshake"])
def test_pages_over_http2(server, case):
    target, more, status, _ = CASES[case]
    with Http2Connection(("127.0.0.1", server.ports[OWN])) as connection:
        response = connection.request(*target, more.get("method", "GET"), [("accept", BROWSER)], body=more.get("body"))
        assert response.status == status and ("Own page" in response.text or "Own 404" in response.text)
        assert response.header("content-type") == "text/html; charset=utf-8"
        response = connection.request(*target, more.get("method", "GET"), [("accept", "application/json")], body=more.get("body"))
        assert json.loads(response.text)["own"] == status


def test_the_accept_of_one_request_is_not_the_next_ones(server):
    with HttpConnection(("127.0.0.1", server.ports[PLAIN])) as connection:
        for accept, kind in ((BROWSER, "text/html; charset=utf-8"), (None, "text/plain; charset=utf-8"), ("application/json", "application/problem+json")):
            response = connection.request("/posts", headers={"Accept": accept} if accept else {})
            assert (response.status, response.header("content-type")) == (405, kind)


def test_a_browser_shows_the_page(server):
    require_browser()
    for dark in (False, True):
        with Browser(width=800, height=500, dark=dark) as browser:
            browser.driver.get(f"http://127.0.0.1:{server.ports[PLAIN]}/hurries")
            browser.save_screenshot(f"error-page{'-dark' if dark else ''}")
            assert browser.driver.title == "504 Gateway Timeout"
            assert browser.find("p").text == "The request took longer than this site allows."
            box = browser.find("main").rect
            assert box["x"] >= 0 and box["x"] + box["width"] <= 800, "it fits in"
