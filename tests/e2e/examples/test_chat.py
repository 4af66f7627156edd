"""examples/chat.php in a browser: two windows, headless Chromium."""

import json
import re
import signal

import pytest

from browser import Browser, require_browser
from harness import ROOT, Server, wait_until
from http_client import get
from websocket_client import asynchronous, connect

CHAT = ROOT / "examples" / "chat.php"


def chat(**more):
    server = Server(CHAT, announces=False, **more)
    server.extra_env["SLUICE_ADDRESS"] = f"127.0.0.1:{server.ports[0]}"
    return server


def test_address_as_argument():
    server = chat()
    del server.extra_env["SLUICE_ADDRESS"]
    server.arguments = [f"127.0.0.1:{server.ports[0]}"]
    with server:
        page = get(server, "/")
        assert page.status == 200 and page.header("content-type").startswith("text/html")
        assert "<title>Chat room</title>" in page.text
        assert get(server, "/nothing").status == 404


def test_page_loads_nothing_from_elsewhere():
    page = (ROOT / "examples" / "chat.html").read_text()
    assert not re.search(r"""\b(src|href)=(?!["']?data:)""", page)
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)


@asynchronous
async def test_the_sender_is_who_the_server_says():
    with chat() as server:
        async with connect(server, "/chat") as ada, connect(server, "/chat") as eve:
            ada_id, eve_id = [json.loads(await socket.recv())["from"] for socket in (ada, eve)]
            await eve.send(json.dumps({"type": "say", "from": ada_id, "name": "Ada", "text": "not by Ada"}))
            assert json.loads(await ada.recv())["from"] == eve_id
            for nonsense in ("nonsense", "[1e999]", '{"type":"say","text":1e999}', "null"):
                async with connect(server, "/chat") as other:
                    await other.recv()
                    await other.send(nonsense)
            await eve.send(json.dumps({"type": "say", "text": "still here"}))
            while json.loads(await ada.recv()).get("text") != "still here":
                pass
        assert "exception" not in server.output().lower(), server.output()


# --- in a browser ---


class Window(Browser):
    def __init__(self, server, name, width, height, dark=False, flags=()):
        super().__init__(width, height, dark, flags)
        self.server, self.name = server, name

    def enter(self):
        self.driver.get(self.server.url)
        self.find("#name").send_keys(self.name + "\n")
        self.wait_online()

    def state(self):
        return self.find("#app").get_attribute("data-state")

    def wait_online(self):
        wait_until(lambda: self.state() == "online", f"{self.name} is connected", 60)

    def say(self, text):
        self.find("#text").send_keys(text + "\n")

    def said(self):
        return self.all(".said .text")

    def people(self):
        return sorted(self.all("#people li .name"))

    def screenshot(self, what):
        self.save_screenshot(f"chat-{what}-{self.name.split()[0].lower()}")


@pytest.fixture
def browsers():
    require_browser()


def test_two_people_talk_and_come_back_after_a_restart(browsers):
    with chat() as server:
        with Window(server, "Ada", 1100, 800) as ada, Window(server, "Grace <i>", 480, 860, dark=True) as grace:
            ada.driver.get(server.url)
            wait_until(lambda: ada.find("#ask").is_displayed(), "the name is asked for")
            ada.screenshot("asks")
            ada.enter()
            grace.enter()
            everyone = ["Ada", "Grace <i>"]
            for window in (ada, grace):
                wait_until(lambda: window.people() == everyone, "both see both")

            ada.say("Hello, is this <b>bold</b>? & \"quoted\"")
            wait_until(lambda: grace.said() == ["Hello, is this <b>bold</b>? & \"quoted\""], "Grace reads Ada")
            grace.say("No, it is text.")
            for window in (ada, grace):
                wait_until(lambda: len(window.said()) == 2 and window.said()[1] == "No, it is text.", "both read Grace")
                window.screenshot("talks")
                window.assert_no_errors()

            # A reload of the page: the name is remembered, the old connection is gone.
            grace.driver.refresh()
            grace.wait_online()
            for window in (ada, grace):
                wait_until(lambda: window.people() == everyone, "Grace is there once")

            server.signal(signal.SIGTERM)
            assert server.wait() == 0
            server.assert_nothing_left()
            for window in (ada, grace):
                wait_until(lambda: window.state() == "offline", "the lost connection is shown")
            ada.find("#text").send_keys("typed while away")
            assert not ada.find("#send").is_enabled()
            ada.screenshot("offline")
            server.start()
            for window in (ada, grace):
                window.wait_online()
                wait_until(lambda: window.people() == everyone, "both see both again")
            assert ada.find("#text").get_attribute("value") == "typed while away", "what was typed is not lost"
            ada.find("#send").click()
            wait_until(lambda: grace.said()[-1:] == ["typed while away"], "Grace reads what Ada typed while away")
            ada.screenshot("back")
            for window in (ada, grace):
                window.assert_no_errors(allowed=["WebSocket connection to"])  # while there was no server


def test_people_stay_through_worker_deaths_and_a_reload(browsers):
    with chat() as server:
        with Window(server, "Ada", 1000, 700) as ada, Window(server, "Grace", 1000, 700) as grace:
            ada.enter()
            grace.enter()
            wait_until(lambda: ada.people() == grace.people() == ["Ada", "Grace"], "both see both")
            for worker in [process for process in server.processes() if "worker" in process.title()]:
                worker.kill()
            ada.say("one")
            wait_until(lambda: grace.said() == ["one"], "the message arrives")
            server.signal(signal.SIGHUP)
            for number in range(10):
                grace.say(f"two {number}")
            wait_until(lambda: ada.said() == ["one"] + [f"two {number}" for number in range(10)], "messages arrive")
            assert ada.people() == grace.people() == ["Ada", "Grace"]
            assert ada.state() == grace.state() == "online"
            ada.assert_no_errors()
