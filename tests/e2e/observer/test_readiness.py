"""Server::readiness(): the application's own checks at /readyz, with reasons, whatever the workers do."""

import signal

import pytest

from admin import TOKEN, admin, wait_until_ready
from harness import Process, Server, wait_until


@pytest.fixture
def state(tmp_path):
    file = tmp_path / "state"
    file.write_text("ready")
    return file


@pytest.fixture
def server(mode, state):
    with Server("readiness.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN, "STATE": str(state)}) as running:
        wait_until_ready(running)
        yield running


def check(server, name="database"):
    """The status of /readyz, whether the check passes, and its reason."""
    answer = admin(server, "/readyz")
    [found] = [one for one in answer.json()["checks"] if one["name"] == name]
    return answer.status, found["ok"], found["reason"]


def wait_for(server, state, what, reason):
    state.write_text(what)
    wait_until(lambda: check(server)[:2] == (503, False) and reason in check(server)[2], f"a check that does {what} is told as: {reason}")


def test_a_server_whose_checks_pass_is_ready(server):
    status, passes, reason = check(server)
    assert (status, passes) == (200, True) and reason.startswith("The check has passed within 0.")
    assert check(server, "other")[1]
    names = [one["name"] for one in admin(server, "/readyz").json()["checks"]]
    assert names == ["booted", "workers", "draining", "services", "database", "other"]
    assert "database" in admin(server, "/api/state").text


@pytest.mark.parametrize("what, reason", [
    ("false", "The check has returned false"),
    ("sentence", 'The database is "away" é'),
    ("long", "€" * 85),
    ("throw", "RuntimeException: no route to the database"),
    ("hang", "The check has not answered within 0.3 s"),
])
def test_a_check_that_fails_says_why_and_may_pass_again(server, state, what, reason):
    wait_for(server, state, what, reason)
    assert check(server, "other")[1]
    state.write_text("ready")
    wait_until_ready(server)


def test_a_check_that_cannot_be_cancelled_is_not_called_again_in_that_worker(server, state):
    wait_for(server, state, "stubborn", "The check has not ended for")
    calls = [event["pid"] for event in server.events("check")][-2:]
    assert len(calls) == len(set(calls)), "each worker is in one"
    state.write_text("ready")
    wait_until_ready(server)


def test_workers_that_spin_make_the_server_unready(server, state):
    """Nobody can tell of the check any more; the admin listener answers."""
    state.write_text("spin")
    wait_until(lambda: len(server.events("spins")) == 2, "both workers spin")
    wait_until(lambda: check(server) == (503, False, "No worker has told of this check in time"), "the check is overdue")
    server.kill_everything()


def test_a_reload_does_not_make_the_server_unready(server):
    old, seen = server.worker_pids(), []

    def is_over():
        seen.append(admin(server, "/readyz"))
        return not any(Process(pid).is_alive() for pid in old)

    server.signal(signal.SIGHUP)
    wait_until(is_over, "the old workers have ended")
    assert [answer.text for answer in seen if answer.status != 200] == []
    assert check(server)[:2] == (200, True)
