"""Static properties that isolate() was told of belong to a request, in a worker that has many at a time."""

import concurrent.futures
import signal

from harness import wait_until
from http_client import get
from websocket_client import asynchronous, connect

SERVER = dict(script="isolated_statics.php")
AT_THE_BOOT = ["of the boot", 0, "at the start"]


def test_no_request_sees_what_another_one_has_set(server):
    names = [f"user-{number}" for number in range(200)]
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda name: get(server, f"/visit?name={name}").json(), names))
    for name, answer in zip(names, answers):
        assert answer == {"at_first": AT_THE_BOOT, "wrong": 0, "seen": [name], "count": 7}, name


def test_observers_belong_to_the_request(server):
    assert get(server, "/name?observed=told").json() == "told"
    assert get(server, "/name").json() == "of the boot"


def test_timers_belong_to_who_started_them(server):
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda number: get(server, f"/timer?name={number}").json(), range(20)))
    assert answers == [[f"{number} later"] * 2 for number in range(20)]


@asynchronous
async def test_each_message_begins_with_the_values_of_the_boot(server):
    async with connect(server, "/ws") as client:
        for text in ("first", "second"):
            await client.send(text)
            assert await client.recv() == f"of the boot, {text}"


def test_too_late_is_said(server):
    assert get(server, "/late").json() == (
        "Sluice\\Coroutine\\isolate() comes too late, for the worker serves already: "
        "call it before Server::run(), or in onWorkerStart()")


def test_after_a_reload(server):
    generation = max(event["generation"] for event in server.events("start"))
    server.signal(signal.SIGHUP)
    wait_until(lambda: any(event["generation"] > generation for event in server.events("start")), "the reload")
    assert get(server, "/visit?name=again").json()["at_first"] == AT_THE_BOOT
