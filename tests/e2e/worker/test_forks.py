"""pcntl_fork() in a handler: the child is a PHP process like any other, and the worker never notices it."""

import hashlib
import json
import os
import signal

import pytest

from harness import CRASHES, DEADLINE_S, SANITIZED, Process, Server, descriptors_of_server, wait_until
from http_client import HttpConnection, format_request, get


@pytest.fixture(scope="module")
def forks(mode):
    with Server("forks.php", mode) as server:
        yield server


def ask(server, path, body=b""):
    connection = HttpConnection(server.address)
    connection.send(format_request(path, method="POST", body=body) if body else format_request(path))
    response = connection.read()
    assert response.status == 200, response
    return response.json()


@pytest.mark.parametrize("path, status", [("/exit", 3 << 8), ("/return", 0), ("/throw", 0), ("/kill", signal.SIGKILL)])
def test_the_worker_goes_on(forks, path, status):
    worker = get(forks, "/pid").text
    finallies = len(forks.events("finally"))
    waits = len(forks.events("waits"))
    other = HttpConnection(forks.address)
    other.send(format_request("/other?ms=300"))
    wait_until(lambda: len(forks.events("waits")) > waits, "another request waits")
    for _ in range(10):
        told = ask(forks, path)
        assert told["status"] == status, told
        if path != "/kill":
            assert any(event["pid"] == told["child"] for event in forks.events("shutdown")), "it has ended as scripts do"
    assert other.read().text == "other"
    assert get(forks, "/pid").text == worker, "the same worker"
    assert [event["pid"] for event in forks.events("finally")[finallies:]] == [int(worker)], "what others clean up is not the child's"
    assert not CRASHES.search(forks.output())


@pytest.mark.parametrize("setting", ["sluice.coroutines=1", "sluice.coroutines=0"])
@pytest.mark.parametrize("way, status", [("exit", 3), ("plain-exit", 5), ("return", 0), ("later-status", 7), ("exit-in-fiber", 6), ("spawned", 8)])
def test_a_fork_of_a_classic_request(mode, way, status, setting):
    if way == "spawned" and setting.endswith("0"):
        pytest.skip("without coroutines there are none to spawn")
    if SANITIZED and setting.endswith("0"):
        pytest.skip("without coroutines a fork ends with the memory of its worker, which counts as leaked")
    with Server("forks.php", mode, settings=[setting]) as server:
        worker = get(server, "/pid").text
        for _ in range(3):
            response = get(server, f"/classic?way={way}")
            assert response.status == 200 and response.header("X-Parent") == "yes", response
            assert response.text.startswith("begun {"), "what the child writes goes nowhere"
            told = json.loads(response.text.removeprefix("begun "))
            assert os.waitstatus_to_exitcode(told["status"]) == status, told
            # A coroutine's child ends in that coroutine, and not in the handler.
            for event in ("shutdown",) if way == "spawned" else ("classic-shutdown", "shutdown"):
                assert any(each["pid"] == told["child"] for each in server.events(event)), "it has ended as scripts do"
        assert get(server, "/pid").text == worker, "the same worker"


def test_what_it_writes_is_its_own(forks):
    worker = get(forks, "/pid").text
    body = os.urandom(300_000)
    for _ in range(20):
        told = ask(forks, "/body", body)
        assert told["status"] == 0 and told["body"] == hashlib.md5(body).hexdigest()
    assert {(event["length"], event["first"]) for event in forks.events("child") if "length" in event} == {(len(body), "x")}
    assert get(forks, "/pid").text == worker


def test_waiting_in_it(forks):
    assert ask(forks, "/waits")["status"] == 0
    said = next(event["said"] for event in forks.events("child") if "said" in event)
    assert said[1] == "a run() of its own", said
    assert "needs a loop" in said[0], said


def test_it_may_outlive_its_request(forks):
    connection = HttpConnection(forks.address)
    connection.send(format_request("/stays", headers={"Connection": "close"}))
    child = connection.read().json()["child"]
    try:
        connection.socket.settimeout(DEADLINE_S)
        assert connection.socket.recv(1) == b"", "the connection ends although the child goes on"
        assert Process(child).is_alive()
        wait_until(lambda: descriptors_of_server(child) == [], "it holds nothing by which others could reach it, or it them")
        assert len(descriptors_of_server(Process(child).parent())) > 3, "those of a worker are recognised"
        os.kill(child, signal.SIGTERM)
        wait_until(lambda: not Process(child).is_alive(), "SIGTERM ends it")
    finally:
        if Process(child).is_alive():
            os.kill(child, signal.SIGKILL)
