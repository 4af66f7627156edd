"""Processes beside the workers: supervised, started again, told to end, and never two in one place."""

import asyncio
import re
import signal

import pytest

from admin import TOKEN, admin
from harness import SERVERS, Process, Server, needs_memory_limit, wait_until
from http_client import get
from websocket_client import asynchronous, connect


@pytest.fixture
def script(tmp_path):
    """A copy of servers/services.php that the test may change."""
    path = tmp_path / "script.php"
    path.write_text((SERVERS / "services.php").read_text())
    return path


def change(script, **constants):
    text = script.read_text()
    for name, value in constants.items():
        text = re.sub(rf"const {name} = [^;]+", f"const {name} = {value}", text)
    script.write_text(text)


def start(script, mode, do, **more):
    env = {"DO": do} | {key.upper(): str(value) for key, value in more.items()}
    return Server(script, mode, workers=2, env=env)


def began(server, count=1):
    return wait_until(lambda: len(server.events("began")) >= count and server.events("began"), f"it has begun {count} times")


def test_it_runs_beside_the_workers_and_ends_with_them(mode, script):
    change(script, PROCESSES=2)
    with start(script, mode, "serves") as server:
        events = sorted(began(server, 2), key=lambda event: event["id"])
        assert [event["id"] for event in events] == [0, 1]
        assert all(event["is_current"] and not event["is_worker"] and event["name"] == "steady" for event in events)
        assert not {event["pid"] for event in events} & set(server.worker_pids())
        assert Process(events[1]["pid"]).title() == f"sluice: service steady 1 of {script}"
        assert "\n  services steady\n" in server.output()
        assert {get(server).text for _ in range(20)} == {"one"}
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert [event["stopping"] for event in server.events("ended")] == [True, True]
        assert len(server.events("began")) == 2


@asynchronous
async def sends_to_clients(server):
    async with connect(server, "/join") as client:
        assert {await client.recv(), await client.recv()} == {"to all", "to one"}


def test_it_publishes_and_sends(mode, script):
    with start(script, mode, "sends") as server:
        sends_to_clients(server)


@pytest.mark.parametrize("do, says", [
    ("throws", "this service is broken"), ("exits", "exited with status 7"), ("exits-beside", "exited with status 7"), ("returns", "exited with status 0"),
    pytest.param("leaks", "Allowed memory size", marks=needs_memory_limit)])
def test_however_it_ends_it_is_started_again(mode, script, do, says):
    with start(script, mode, do) as server:
        events = began(server, 3)
        assert len({event["pid"] for event in events}) == len(events)
        assert says in server.output()

        def delays():
            return [int(ms) for ms in re.findall(r"service steady 0 .*it is started again in (\d+) ms", server.output())]
        wait_until(lambda: 200 in delays(), "it is started again more slowly")
        # On a busy machine it may have lived for a second before it ended, and then its pause is the first one again.
        told = delays()
        assert all(delay in (100, 2 * last) for last, delay in zip([50, *told], told)), told
        assert get(server).text == "one"


def test_one_that_is_killed_is_started_again(mode, script):
    with start(script, mode, "serves") as server:
        first = began(server)[0]
        Process(first["pid"]).kill()
        second = began(server, 2)[1]
        assert second["id"] == 0 and second["generation"] == first["generation"]
        assert "was killed by signal 9" in server.output()
        stats = get(server, "/stats").json()
        assert (stats["services"], stats["serviceRestarts"], stats["workers"]) == (1, 1, 2)


def test_it_lives_as_long_as_what_it_has_begun(mode, script):
    with start(script, mode, "spawns") as server:
        began(server, 2)
        events = [event["event"] for event in server.events() if event["event"] != "start"]
        assert sorted(events[:5]) == ["began", "ended", "tick", "tick", "tick"]


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGHUP], ids=["stop", "reload"])
def test_who_does_not_ask_is_cancelled(mode, script, order):
    with start(script, mode, "sleeps", shutdown_seconds=1) as server:
        began(server)
        server.signal(order)
        server.wait_event("cleaned-up")
        if order == signal.SIGHUP:
            assert began(server, 2)[1]["generation"] == 2
        else:
            assert server.wait() == 0
        assert "does not end" not in server.output()


def test_one_that_never_waits_is_killed(mode, script):
    with start(script, mode, "spins", shutdown_seconds=0.1) as server:
        began(server)
        server.signal(signal.SIGTERM)
        server.may_fail = True
        server.wait()
        assert "service steady 0" in server.output() and "does not end; killing it" in server.output()


def test_a_loop_is_broken_like_a_workers(mode, script):
    with start(script, mode, "spins", kill_seconds=0.5) as server:
        began(server, 2)
        assert "services.php" in server.output() or "script.php" in server.output()


def test_a_reload_brings_the_new_one_after_the_old(mode, script):
    with start(script, mode, "serves") as server:
        for reload in range(1, 4):
            before = began(server, reload)[-1]
            change(script, RELEASE=f"'release {reload}'")
            server.signal(signal.SIGHUP)
            after = began(server, reload + 1)[-1]
            assert after["release"] == f"release {reload}" and after["generation"] > before["generation"]
            assert not Process(before["pid"]).is_alive()
        story = [event["event"] for event in server.events() if event["event"] in ("began", "ended")]
        assert story == ["began", "ended"] * 3 + ["began"]


def test_a_service_asks_for_a_reload(mode, script):
    with start(script, mode, "reloads") as server:
        assert [event["generation"] for event in began(server, 2)] == [1, 2]


def test_a_reload_adds_and_drops_services(mode, script):
    change(script, PROCESSES=0)
    with start(script, mode, "serves") as server:
        change(script, PROCESSES=3)
        server.signal(signal.SIGHUP)
        events = began(server, 3)
        assert sorted(event["id"] for event in events) == [0, 1, 2]
        change(script, PROCESSES=1)
        server.signal(signal.SIGHUP)
        assert began(server, 4)[3]["id"] == 0
        wait_until(lambda: len(server.events("ended")) == 3, "the old ones have ended")
        change(script, PROCESSES=20)
        server.signal(signal.SIGHUP)
        wait_until(lambda: "services with 20 processes" in server.output(), "there is no room for so many")
        assert get(server).text == "one"
        assert len(server.events("began")) == 4


def test_it_comes_again_when_its_generation_was_killed(mode, script):
    with start(script, mode, "serves") as server:
        first = began(server)[0]
        Process(Process(first["pid"]).parent()).kill()
        assert began(server, 2)[1]["generation"] == 2
        wait_until(lambda: not Process(first["pid"]).is_alive(), "the old one is gone")
        assert get(server).text == "one"


def test_one_that_crashes_in_a_loop_is_told_by_readyz(mode, script):
    def check():
        answer = admin(server, "/readyz")
        [found] = [one for one in answer.json()["checks"] if one["name"] == "services"]
        return answer.status, answer.json()["status"], found["ok"], found["decides"], found["reason"]

    with Server(script, mode, ports=2, env={"DO": "throws", "TOKEN": TOKEN}) as server:
        wait_until(lambda: not check()[2], "the check of the services fails")
        assert re.fullmatch(r"steady 0 exited with status 255, as \d+ times in a row, and is started again", check()[4])
        assert check()[:2] == (200, "ready") and check()[3] is False
        assert "steady 0 exited" in admin(server, "/api/state").text
        script.write_text(script.read_text().replace("throw new RuntimeException('this service is broken')", "$service->wait(1000)"))
        server.signal(signal.SIGHUP)
        wait_until(lambda: check()[2:] == (True, False, "No service fails again and again"), "a reload has mended it")
