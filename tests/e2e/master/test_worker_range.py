"""Between two bounds there are as many workers as there is work for, in process mode."""

import signal
import threading

import pytest

from harness import Process, Server, wait_until
from http_client import get


@pytest.fixture
def hold(tmp_path):
    path = tmp_path / "hold"
    path.touch()
    return path


class Requests:
    """Several at once, on connections of their own."""

    def __init__(self, server, path, count):
        self.answers = []
        self.threads = [threading.Thread(target=lambda: self.answers.append(get(server, path)), daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def wait(self):
        wait_until(lambda: not any(thread.is_alive() for thread in self.threads), "all have their answers")
        assert [answer.status for answer in self.answers] == [200] * len(self.threads)


def fill(server, path):
    """Requests, one after the other, until there are three workers. Those that have a worker stay with it, so a new one needs new ones."""
    requests = []

    def is_full():
        if len(requests) < 200:
            requests.append(Requests(server, path, 1))
        return len(server.events("start")) >= 3

    wait_until(is_full, "three workers have started")
    assert len(server.events("start")) == 3
    return requests


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/hold", "/one?waits=1"], ids=["computing", "one at a time"])
def test_more_while_messages_wait_and_fewer_when_nobody_needs_them(hold, path):
    with Server("worker_range.php", "process", workers=1, env={"HOLD": str(hold)}) as server:
        requests = fill(server, path)
        wait_until(lambda: "all 2 workers are busy: another one is added" in server.output(), "the log says why")
        hold.unlink()
        for some in requests:
            some.wait()
        assert get(server, "/stats").json()["workers"] == 3
        wait_until(lambda: len(server.events("stop")) == 1, "one is let go", 40)
        assert "which was not needed any more" in wait_until(lambda: "not needed" in server.output() and server.output(), "it has ended")
        assert get(server, "/stats").json()["workers"] == 2
        assert server.events("stop")[0]["id"] == 2, "the last worker"


def test_waiting_handlers_need_no_further_worker(hold):
    with Server("worker_range.php", "process", workers=1, env={"HOLD": str(hold)}) as server:
        requests = Requests(server, "/hold?waits=1", 20)
        wait_until(lambda: len(server.events("holds")) == 20, "all have begun")
        for _ in range(20):
            assert get(server, "/stats").json()["workers"] == 1
        hold.unlink()
        requests.wait()
        assert len(server.events("start")) == 1


def test_reloads_and_deaths_keep_the_number(hold):
    with Server("worker_range.php", "process", workers=1, env={"HOLD": str(hold)}) as server:
        requests = fill(server, "/hold")
        hold.unlink()
        for some in requests:
            some.wait()
        server.signal(signal.SIGHUP)
        wait_until(lambda: "generation 2 has taken over" in server.output(), "the new code serves")
        new = [event["pid"] for event in server.events("start") if event["generation"] == 2]
        assert len(new) == 3
        Process(new[2]).kill()
        wait_until(lambda: len([event for event in server.events("start") if event["generation"] == 2]) == 4, "another one takes its place")
        assert get(server, "/stats").status == 200
