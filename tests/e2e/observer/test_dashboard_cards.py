"""What the dashboard's cards show of connections, queues, refusals, pools and topics, and of a reload that is tried out."""

import contextlib

import pytest

from admin import TOKEN, admin, observer_of
from browser import require_browser
from canary_script import canary_script, change
from dashboard import cells, dashboard, figure
from harness import Server, wait_until
from http_client import format_request, get
from traffic import ADMIN, Client, traffic_server
from websocket_client import TEXT, RawWebSocket, frame


def shown(browser, table, expected):
    wait_until(lambda: cells(browser, table) == expected, f"{table} shows {expected}, not {cells(browser, table)}")


def test_who_is_connected_waits_and_was_refused():
    require_browser()
    with traffic_server("process", {"coroutines": 4}) as server, dashboard(server.ports[ADMIN]) as browser, contextlib.ExitStack() as stack:
        wait_until(lambda: browser.find("#refused-none").is_displayed(), "the page says that nothing has been refused")
        assert browser.all("#queues-say") == ["Nobody waits."]
        assert browser.all("#reload-says") == ["No reload since the server began."]
        go = server.folder / "go"

        def ask(path, number):
            client = stack.enter_context(Client(server, host=number))
            client.send(format_request(path))
            return client

        chat = stack.enter_context(RawWebSocket(server))
        chat.send(frame(TEXT, b"join news weather sports"))
        assert chat.read_frame()[2] == b"done"
        with Client(server) as rude:
            rude.send(b"GET / HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n" % (b"x" * (1 << 20)))
            assert rude.read().status == 431
        # Two have the pool's items and one waits for one, and one only works: these are all coroutines.
        working = [ask(f"/pool?pool=patient&until={go}", 11 + number) for number in range(3)] + [ask(f"/hold?until={go}", 14)]
        wait_until(lambda: len(server.events("held")) == 3, "three handlers hold")
        shown(browser, "pools", [["impatient", "0 of 1", "0", "0", "0"], ["patient", "2 of 2", "0", "1", "0"]])
        queued = [ask(f"/hold?until={go}", 21 + number) for number in range(2)]
        shown(browser, "connections", [["handshake", *"0000"], ["idle", *"0010"], ["reading", *"0000"], ["waiting", *"2000"], ["handling", *"4000"], ["writing", *"0000"],
                                       ["closing", *"0000"], ["in all", *"6010"]])
        wait_until(lambda: cells(browser, "queues")[0][:2] == ["a worker", "2"], "two wait for a worker")
        wait_until(lambda: browser.all("#queues-say")[0].startswith("2 wait, the longest for "), "the card says so in words")
        wait_until(lambda: [row[::2] for row in cells(browser, "refused")] == [["headBytes", "1"]], "the refusal is shown")
        assert not browser.find("#refused-none").is_displayed()
        assert [figure(browser, name) for name in ("topics", "subscriptions", "refused", "connections")] == ["3", "3", "1", "7"]
        go.touch()
        assert [client.read().status for client in working + queued] == [200] * 6
        wait_until(lambda: browser.all("#queues-say") == ["Nobody waits."], "the card says that nobody waits")
        shown(browser, "pools", [["impatient", "0 of 1", "0", "0", "0"], ["patient", "2 of 2", "2", "0", "0"]])
        browser.assert_no_errors(allowed=["401"])


def test_what_the_slowest_requests_waited_for():
    require_browser()
    with Server("observed.php", "process", workers=1, ports=2, env={"TOKEN": TOKEN}) as server, dashboard(server.ports[1]) as browser:
        wait_until(lambda: browser.find("#waits-none").is_displayed(), "the page says that nobody has waited")
        for _ in range(2):
            assert get(server, "/slow").status == 200
        wait_until(lambda: [row[:3] for row in cells(browser, "waits")] == [["–", "sleep", "2"]], "both have slept")
        assert not browser.find("#waits-none").is_displayed()


def test_the_last_lines_of_the_log():
    require_browser()
    with Server("observed.php", "process", workers=1, ports=2, env={"TOKEN": TOKEN}) as server, dashboard(server.ports[1]) as browser:
        assert get(server, "/fail").status == 500
        wait_until(lambda: "as the test wants it" in browser.all("#log")[0], "the card shows why it failed")
        assert admin(server, "/debug/log", token=None).status == 401
        # A line is remembered before it is written.
        wait_until(lambda: (server.folder / "err").read_text().endswith(admin(server, "/debug/log").text), "all that is told is written")
        assert "RuntimeException" in admin(server, "/debug/log").text
        assert not browser.find("#log-none").is_displayed()


def failures(server, count):
    """Asks until so many requests have failed."""
    while count:
        count -= get(server, "/").status == 500


def press_reload(browser):
    browser.find("#reload").click()
    browser.driver.switch_to.alert.accept()


@pytest.fixture
def script(tmp_path):
    return canary_script(tmp_path)


def test_a_canary_is_shown_beside_what_serves_with_its_result(script):
    require_browser()
    with Server(script, "process", workers=2, reactors=1, ports=2) as server, dashboard(server.ports[1]) as browser:
        change(script, RELEASE="two", HANDLER="throws", SECONDS=600.0, SHARE=0.5)
        press_reload(browser)
        wait_until(lambda: browser.all("#canary-says")[0].startswith("Generation 2 is tried out with 50 % of the requests, for another 10 min"), "the trial is shown")
        assert browser.find("#trial").is_displayed()
        failures(server, 4)
        wait_until(lambda: cells(browser, "canary")[1] == ["2, tried out", "4", "4", "0", "too few"], "the canary's requests are shown")
        serving = cells(browser, "canary")[0]
        assert [serving[column] for column in (0, 2, 3, 4)] == ["1, serves", "0", "0", "too few"] and int(serving[1]) >= 3
        failures(server, 6)
        wait_until(lambda: not browser.find("#trial").is_displayed(), "the trial is over")
        failed = browser.all("#reload-says")[0]
        assert failed.startswith("The reload to generation 2 has failed ") and "generation 2 is worse: 10 of 10 requests (100 %) have failed" in failed
        assert failed.endswith("Generation 1 goes on serving.") and browser.all("#said") == ["The reload has failed."]
        change(script, RELEASE="three", HANDLER="good", SECONDS=0.1)
        press_reload(browser)
        wait_until(lambda: browser.all("#reload-says")[0].startswith("Generation 3 has taken over "), "the result is shown")
        assert "ago, as its trial was not worse: 0 requests, 0 failed, 0 without an answer, " in browser.all("#reload-says")[0]
        assert get(server, "/").text == "three"


def test_the_result_outlives_the_observer(script):
    with Server(script, "process", workers=1, reactors=1, ports=2) as server:
        change(script, HANDLER="broken")
        assert admin(server, "/api/state").json()["reload"] == {"canary": None, "last": None}
        assert admin(server, "/api/reload", method="POST").status == 202
        last = wait_until(lambda: admin(server, "/api/state").json()["reload"]["last"], "the reload has ended")
        assert (last["generation"], last["result"]) == (2, "failure") and "exited with status 255" in last["text"]
        before = observer_of(server)
        before.kill()
        wait_until(lambda: (now := observer_of(server)) and now.pid != before.pid, "another observer serves")
        assert admin(server, "/api/state").json()["reload"]["last"] == last
