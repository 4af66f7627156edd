"""A client of the admin listener."""

import http.client
import json
from dataclasses import dataclass

from harness import wait_until

TOKEN = "a-token-of-this-test"


@dataclass
class Answer:
    status: int
    fields: http.client.HTTPMessage
    text: str

    def json(self):
        return json.loads(self.text)


def ask(port, path, *, token=TOKEN, method="GET", body=None, timeout=15, **fields):
    """Over a connection of its own, as probes come. Fields with an underscore for each hyphen."""
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    if token is not None:
        named["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())
    finally:
        connection.close()


def admin(server, path, **more):
    """The admin listener of servers/observed.php."""
    return ask(server.ports[1], path, **more)


def observer_of(server):
    found = [process for process in server.processes() if process.title().startswith("sluice: observer")]
    return found[0] if len(found) == 1 else None


def kill_observer(server):
    """The one that serves: the last one may have been killed a moment ago."""
    wait_until(lambda: observer_of(server), "an observer lives").kill()


def wait_until_ready(server, **more):
    wait_until(lambda: admin(server, "/readyz", **more).status == 200, "the server is ready")
