"""Timer::cron(): each entry runs once in its minute in the whole server, whatever becomes of the process that runs it."""

import os
import signal

import pytest

from harness import Process, Server, wait_until
from http_client import get


class Clock:
    """The clock file, which the server reads instead of the time."""

    def __init__(self, folder):
        self.path, self.hold = folder / "clock", folder / "hold"
        self.set("12:02:30")

    def set(self, time):
        following = self.path.with_suffix(".new")
        following.write_text(f"2024-01-01 {time}")
        os.replace(following, self.path)


@pytest.fixture
def clock(tmp_path):
    return Clock(tmp_path)


def start(mode, clock):
    server = Server("cron.php", mode, workers=2, env={"CLOCK": str(clock.path), "HOLD": str(clock.hold)})
    return server


def service(server):
    def find():
        return [process for process in server.processes() if process.title().startswith("sluice: service cron 0")]
    process = wait_until(find, "there is a clock")[0]
    server.wait_event("looks", pid=process.pid)
    return process


def ran(server):
    return [(event["entry"], event["minute"]) for event in server.events("ran")]


def wait_ran(server, *entry):
    wait_until(lambda: entry in ran(server), f"{entry} has run")


def test_each_entry_runs_in_its_minute_and_once(mode, clock):
    with start(mode, clock) as server:
        pid = service(server).pid
        for time in ("12:04:59", "12:05:00", "12:05:01", "12:05:59", "12:06:00", "12:07:00"):
            clock.set(time)
        wait_until(lambda: "this entry is broken" in server.output(), "it is 12:07")
        clock.set("12:10:30")
        wait_ran(server, "five", "12:10")
        clock.set("12:22:00")  # a missed entry runs once
        wait_ran(server, "five", "12:20")
        clock.set("12:21:00")  # the clock is put back
        clock.set("13:00:00")
        wait_ran(server, "hour", "13:00")
        wait_ran(server, "five", "13:00")
        assert sorted(ran(server))[:-1] == [("five", minute) for minute in ("12:05", "12:10", "12:20", "13:00")]
        assert {event["pid"] for event in server.events("ran")} == {pid}
        assert "call it before run()" in get(server).text


def test_a_reload_misses_nothing_and_does_nothing_twice(mode, clock):
    with start(mode, clock) as server:
        first = service(server).pid
        clock.hold.touch()
        clock.set("12:03:00")
        server.wait_event("held", pid=first)
        server.signal(signal.SIGHUP)
        # No process looks at the clock now: the old one ends what it has begun, and the new one waits for its end.
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")
        clock.set("12:05:10")
        clock.set("12:06:10")
        assert ran(server) == []
        clock.hold.unlink()
        wait_ran(server, "five", "12:05")
        second = service(server).pid
        assert second != first and not Process(first).is_alive()
        server.signal(signal.SIGHUP)
        wait_until(lambda: service(server).pid != second, "there is a third clock")
        clock.set("12:10:00")
        wait_ran(server, "five", "12:10")
        assert ran(server) == [("five", "12:05"), ("five", "12:10")]
        assert len(server.events("held")) == 1


def test_one_that_is_killed_does_nothing_twice(mode, clock):
    with start(mode, clock) as server:
        service(server)
        clock.set("12:05:00")
        wait_ran(server, "five", "12:05")
        service(server).kill()
        wait_until(lambda: "it is started again" in server.output(), "its death is seen")
        clock.set("12:10:00")
        wait_ran(server, "five", "12:10")
        assert ran(server) == [("five", "12:05"), ("five", "12:10")]


def test_an_entry_that_still_runs_is_not_begun_again(mode, clock):
    with start(mode, clock) as server:
        service(server)
        clock.hold.touch()
        clock.set("12:03:00")
        server.wait_event("held")
        clock.set("13:03:00")
        wait_until(lambda: "its last call still runs" in server.output(), "it is said")
        assert len(server.events("held")) == 1
        clock.hold.unlink()
        server.wait_event("let go")
        clock.set("14:03:00")
        wait_until(lambda: len(server.events("held")) == 2, "it runs again")
