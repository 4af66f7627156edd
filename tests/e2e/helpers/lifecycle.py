"""A server by servers/lifecycle.php, whose script the test may change, and requests that run meanwhile."""

import re
import threading

from harness import Server, wait_until
from http_client import HttpConnection, get


def release(script, name):
    script.write_text(re.sub(r"const RELEASE = '\w+'", f"const RELEASE = '{name}'", script.read_text()))


def start(script, mode, **more):
    return Server(script, mode, **({"workers": 2, "reactors": 1} | more))


def current(server):
    return get(server, "/worker").json()


class Load:
    """Requests one after the other until told to end, each of which has to succeed."""

    def __init__(self, server, clients=4):
        self.server, self.ending, self.failures, self.served = server, threading.Event(), [], 0
        self.releases = set()
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        connection = HttpConnection(self.server.address)
        while not self.ending.is_set():
            try:
                response = connection.request("/worker")
                if response.status != 200:
                    self.failures.append(response)
                self.releases.add(response.json()["release"])
                self.served += 1
                if response.header("connection") == "close":  # a fair way to say: come back on another connection
                    connection.close()
                    connection = HttpConnection(self.server.address)
            except Exception as error:
                self.failures.append(repr(error))
                return
        connection.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        wait_until(lambda: self.served > 20 or self.failures, "the load runs")
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()
