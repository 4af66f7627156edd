"""Many requests at once, each of which sets all that PHP keeps, waits, and looks whether it still is as it was set."""

import threading

from harness import Server
from http_client import HttpConnection

AT_ONCE = 200


class Visitor(threading.Thread):
    """One of those that ask at the same time: each request with a number of its own."""

    def __init__(self, server, numbers):
        super().__init__(daemon=True)
        self.server, self.numbers, self.error = server, numbers, None
        self.start()

    def run(self):
        try:
            with HttpConnection(self.server.address) as client:
                for n in self.numbers:
                    response = client.request(f"/?n={n}", method="POST", body=f"n={n}".encode(), headers=[
                        ("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", f"n={n}"), ("X-N", str(n))])
                    assert response.text == f"[{n},[]]\nend of {n}", response.text
                    assert response.status == 200 + n % 4
                    assert response.header("X-Rig") == str(n) and f"rig={n}" in response.all("Set-Cookie")
        except BaseException as error:
            self.error = error


def run_rig(mode, folder, requests, wait_ms, settings=()):
    """All of them through one worker."""
    env = {"SESSIONS": str(folder), "WAIT_US": str(wait_ms * 1000)}
    with Server("isolation_rig.php", mode, env=env, settings=settings) as server:
        visitors = [Visitor(server, range(first, requests, AT_ONCE)) for first in range(AT_ONCE)]
        for visitor in visitors:
            visitor.join()
        errors = [visitor.error for visitor in visitors if visitor.error]
        assert not errors, errors[:3]
        with HttpConnection(server.address) as client:
            assert client.request("/outside").json() is True
        assert len(server.events("start")) == 1, "one worker has served all"
