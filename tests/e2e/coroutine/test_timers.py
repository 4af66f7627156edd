"""Timers in a worker. Early is wrong; late is not asserted, for the machine may be busy."""

import pytest

from harness import wait_until
from http_client import get

SERVER = dict(script="timers.php")


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02, 0.15])
def test_after_is_never_early(server, seconds):
    assert get(server, f"/after?seconds={seconds}").json()["seconds"] >= seconds


def test_timers_fire_in_the_order_of_their_times(server):
    assert get(server, "/order").json() == [0, 0.01, 0.02, 0.03]


def test_every_fires_until_cancelled(server):
    assert get(server, "/every").json() == {"count": 5, "active": True, "cancelled": True, "again": False}


def test_cancelled_timer_does_not_fire(server):
    assert get(server, "/cancel").json() == {
        "active": True, "cancelled": True, "after": False, "again": False, "fired": False}


def test_fired_timer_is_not_active(server):
    assert get(server, "/fired").json() == {"active": False, "cancelled": False}


def test_timer_that_nobody_holds_fires(server):
    assert get(server, "/unheld").text == "fired"


def test_timer_never_fires_inside_a_handler(server):
    assert get(server, "/busy").text == "done"
    for delay in (0, 0.001):
        assert server.wait_event("fired-while", delay=delay)["busy"] is False


def test_timer_set_by_a_timer(server):
    assert get(server, "/nested").text == "nested"


def test_exception_in_a_timer_is_logged(server):
    assert get(server, "/throw").text == "the next one fires"
    wait_until(lambda: "from a timer" in server.output(), "the exception is in the log")


def test_5000_timers(server):
    assert get(server, "/many").text == "all 5000 fired"


def test_times_out_of_range_are_refused(server):
    answers = get(server, "/refused").json()
    assert all(answers), answers


def test_timer_set_when_the_worker_starts(server):
    assert server.wait_event("from-start")["seconds"] >= 0.01
