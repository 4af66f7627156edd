"""The dashboard: what it shows in both colour schemes and on a phone, and what it does for whoever has the token."""

import http.client
import re

import pytest

from admin import TOKEN, admin, wait_until_ready
from browser import Browser, require_browser
from harness import Server, wait_until


@pytest.fixture
def observed(mode):
    with Server("observed.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN}) as server:
        wait_until_ready(server)
        yield server


def test_the_page_holds_nothing_of_the_server_and_loads_nothing_from_elsewhere(observed):
    for token, status in ((TOKEN, 200), (None, 401)):
        answer = admin(observed, "/", token=token)
        assert answer.status == status
        policy = answer.fields["Content-Security-Policy"]
        nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)[1]
        assert "default-src 'none'" in policy and "connect-src 'self'" in policy and f'<script nonce="{nonce}">' in answer.text
        assert not re.search(r"(src|href)=|@import|url\(", answer.text)
        assert str(observed.ports[0]) not in answer.text and str(observed.script) not in answer.text
    assert admin(observed, "/").fields["Content-Security-Policy"] != policy


def test_state_is_for_whoever_has_the_token(observed):
    assert admin(observed, "/api/state", token=None).status == 401
    state = admin(observed, "/api/state").json()
    assert state["server"]["state"] == "serving" and len(state["workers"]) == 2
    assert {route["route"] for route in state["routes"]} >= {"*", "/items/{id}"}
    assert len(state["routes"][0]["firstByte"]["buckets"]) == len(state["bounds"]) + 1


def test_readiness_has_reasons(observed):
    answer = admin(observed, "/readyz")
    assert answer.status == 200 and [check["name"] for check in answer.json()["checks"]][:3] == ["booted", "workers", "draining"]


def test_reload_and_drain_take_the_token_and_no_other_origin(observed):
    port = observed.ports[1]
    assert admin(observed, "/api/reload", method="POST", token=None).status == 401
    assert admin(observed, "/api/reload").status == 405
    assert admin(observed, "/api/reload", method="POST", Origin="http://evil.example").status == 403
    assert admin(observed, "/api/reload", method="POST", Origin=f"http://127.0.0.1:{port}").status == 202
    wait_until(lambda: admin(observed, "/api/state").json()["server"]["reloads"] == 1, "the server has reloaded")
    observed.told_to_stop = True
    assert admin(observed, "/api/drain", method="POST").status == 202
    observed.wait()


def test_without_a_token_only_loopback_names_are_answered_and_nobody_acts(mode):
    with Server("observed.php", mode, ports=2) as server:
        assert admin(server, "/livez", token=None).status == 200
        assert admin(server, "/livez", token=None, Host="localhost").status == 200
        assert admin(server, "/livez", token=None, Host="evil.example").status == 421
        assert admin(server, "/api/reload", token=None, method="POST").status == 403


@pytest.mark.parametrize("scheme, width, height", [("light", 1200, 1000), ("dark", 1200, 1000), ("phone", 390, 844)])
def test_a_person_sees_what_the_server_does(observed, scheme, width, height):
    require_browser()
    connection = http.client.HTTPConnection("127.0.0.1", observed.ports[0], timeout=15)

    def ask(path):
        connection.request("GET", path)
        connection.getresponse().read()

    with Browser(width, height, dark=scheme == "dark") as browser:
        browser.driver.get(f"http://127.0.0.1:{observed.ports[1]}/")
        wait_until(lambda: browser.find("#sign-in").is_displayed(), "the page asks for the token")
        browser.find("#token").send_keys("a-wrong-token-of-mine\n")
        wait_until(lambda: browser.all("#said") == ["This is not the token."], "the page says so")
        browser.find("#token").send_keys(TOKEN + "\n")
        wait_until(lambda: len(browser.all("#workers li")) == 2, "both workers are shown")

        def has_rate():
            for path in ("/items/1", "/items/2", "/", "/missing"):
                ask(path)
            return any(re.match(r"[1-9]", text) for text in browser.all("#routes tr td:nth-child(2)"))

        wait_until(has_rate, "a route shows its rate")
        assert "/items/{id}" in browser.all("#routes th")
        assert not browser.driver.execute_script("return document.documentElement.scrollWidth > innerWidth"), "the page is wider than the window"
        browser.save_screenshot(f"dashboard-{scheme}")
        browser.assert_no_errors(allowed=["401"])
