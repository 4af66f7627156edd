"""Workers that have served for as long as they may are replaced, under load: nobody notices, and there are never too few."""

import json
import re
import threading

import pytest

from harness import Server, wait_until
from http_client import HttpConnection, get

WORKERS = 2


class Client(threading.Thread):
    """Asks until it is stopped, on a connection of its own for each request, or on one for all."""

    def __init__(self, server, path, keeps_alive):
        super().__init__(daemon=True)
        self.server, self.path, self.keeps_alive = server, path, keeps_alive
        self.pids, self.error, self.stopped = [], None, False
        self.start()

    def run(self):
        try:
            while not self.stopped:
                with HttpConnection(self.server.address) as client:
                    while not self.stopped:
                        response = client.request(self.path)
                        assert response.status == 200, response
                        self.pids.append(int(response.text))
                        if not self.keeps_alive:
                            break
        except BaseException as error:
            self.error = error


def capacity(server):
    """How many workers there were at a time after the first ones had started, at the least."""
    now, least = 0, WORKERS
    for event in server.events():
        if event["event"] in ("start", "stop"):
            now += 1 if event["event"] == "start" else -1
            if event["event"] == "stop":
                least = min(least, now)
    return least


@pytest.mark.both_modes
@pytest.mark.parametrize("limit, path", [({"requests": 100}, "/"), ({"seconds": 1}, "/"), ({"memoryBytes": 4 << 20}, "/keep")],
                         ids=["requests", "seconds", "memory"])
def test_replaced_under_load(mode, limit, path):
    with Server("recycling.php", mode, workers=WORKERS, env={"RECYCLE": json.dumps(limit)}) as server:
        # In base mode a connection ends with its worker, which a client that keeps one has to expect.
        clients = [Client(server, path, mode == "process" and number % 2 == 0) for number in range(8)]

        def have_answered():
            return {pid for client in clients for pid in client.pids[:]}

        wait_until(lambda: (len(server.events("stop")) >= 4 and len(have_answered()) >= WORKERS + 3) or any(client.error for client in clients), "workers were replaced")
        for client in clients:
            client.stopped = True
        for client in clients:
            client.join()
        assert [client.error for client in clients if client.error] == []
        pids = have_answered()
        assert len(pids) >= WORKERS + 3
        assert capacity(server) >= WORKERS
        assert "another worker takes over" in server.output()
        if "requests" in limit:
            counts = [sum(client.pids.count(pid) for client in clients) for pid in pids]
            assert max(counts) < 2000, counts


def test_workers_do_not_leave_together(mode):
    """Each may serve up to a tenth more than the limit, by chance."""
    with Server("recycling.php", mode, env={"RECYCLE": json.dumps({"requests": 100})}) as server:

        def served():
            get(server, "/")
            return [int(number) for number in re.findall(r"has handled (\d+) requests and messages", server.output())]

        wait_until(lambda: len(set(served())) >= 2, "two workers have served different numbers of requests")
        assert all(100 <= number <= 111 for number in served())


def test_garbage_does_not_count(mode):
    with Server("recycling.php", mode, env={"RECYCLE": json.dumps({"memoryBytes": 4 << 20})}) as server:
        pids = {get(server, "/garbage").text for _ in range(200)}
        assert len(pids) == 1


def test_a_worker_without_work_is_replaced_in_time(mode):
    with Server("recycling.php", mode, env={"RECYCLE": json.dumps({"seconds": 1})}) as server:
        first = server.worker_pids()
        wait_until(lambda: not set(first) & set(server.worker_pids()) and server.worker_pids(), "it is another one")
        assert get(server).status == 200
