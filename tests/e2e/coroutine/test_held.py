"""A handler whose Fiber the application has suspended by itself goes on when who holds it resumes it; what never will is named."""

import re
import threading

import pytest

from harness import SERVERS, Server, wait_until
from http_client import get

SCRIPT = (SERVERS / "held.php").read_text().splitlines()
LINE = next(number for number, line in enumerate(SCRIPT, 1) if "(string) Fiber::suspend()" in line)


@pytest.fixture
def held(mode):
    with Server("held.php", mode, env={"REQUEST_SECONDS": "0"}) as server:
        yield server


class Holding(threading.Thread):
    """A request whose handler waits until the next one does something with its Fiber."""

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.response = None
        self.start()

    def run(self):
        self.response = get(self.server, "/hold")

    def answer(self):
        self.join()
        return self.response


def then(server, path):
    """Once the handler of /hold has been reached: it is the one coroutine beside this one."""
    wait_until(lambda: get(server, "/live").text == "2", "the other one waits")
    return get(server, path)


def test_resumed_by_who_holds_it(held):
    for _ in range(3):
        holding = Holding(held)
        assert then(held, "/resume").text == "done"
        assert holding.answer().text == "resumed"


def test_nobody_holds_it(held):
    for _ in range(3):
        message, at_its_place = get(held, "/nobody").json()
        assert message.startswith("Nobody holds the Fiber of this coroutine") and at_its_place


@pytest.mark.slow
def test_is_told_of_and_ends_when_nobody_holds_it_any_more(held):
    holding = Holding(held)
    sentence = re.compile(rf"A coroutine waits in Fiber::suspend\(\) at \S*held\.php:{LINE} for longer than 5 s")
    wait_until(lambda: sentence.search(held.output()), "it is said", 20)
    then(held, "/drop")
    assert holding.answer().status == 500
    assert held.events("thrown") == [{"event": "thrown", "class": "Sluice\\Coroutine\\DeadlockException", "at": True}]
    assert len(sentence.findall(held.output())) == 1


def test_is_cancelled_there(mode):
    with Server("held.php", mode, env={"REQUEST_SECONDS": "0.3"}) as server:
        holding = Holding(server)
        assert holding.answer().status == 504
        wait_until(lambda: server.events("thrown"), "its handler has been cancelled")
        assert server.events("thrown") == [{"event": "thrown", "class": "Sluice\\Coroutine\\CancelledError", "at": True}]
        wait_until(lambda: get(server, "/live").text == "1", "nothing of it is left")
